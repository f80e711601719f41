package dev.forebay.tiered.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.host.Await;
import dev.forebay.tiered.spool.Spool;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The socket of a process, and links to it. */
@Tag("once")
class ControlSocketTest {

  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

  private static final String NAME = "p".repeat(60);

  @TempDir private Path directory;

  private final List<SocketChannel> clients = new ArrayList<>();
  private Path spool;
  private ControlSocket socket;

  /** How many clients find no thread. */
  private final AtomicInteger withoutThreads = new AtomicInteger();

  @BeforeEach
  void bind() throws IOException {
    spool = Files.createDirectories(directory.resolve("s".repeat(60)).resolve(NAME));
    socket = serving(line -> "heard" + line + "\n");
  }

  private ControlSocket serving(UnaryOperator<String> answers) throws IOException {
    int userId = (Integer) Files.getAttribute(spool, "unix:uid");
    ControlSocket fresh = new ControlSocket(Peers.ofUser(userId), this::start);
    fresh.serve(spool, answers);
    return fresh;
  }

  private void start(Runnable work) {
    if (withoutThreads.getAndDecrement() > 0) {
      throw new OutOfMemoryError("simulated: unable to create a thread");
    }
    new Thread(work, "test").start();
  }

  @AfterEach
  void close() throws IOException {
    socket.leave(spool);
    for (SocketChannel client : clients) {
      client.close();
    }
    Await.until("no thread is left", () -> threads() == 0);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("test"))
        .count();
  }

  private SocketChannel connect() throws IOException {
    SocketChannel client = SocketAddresses.with(spool, Spool.CONTROL_SOCKET, SocketChannel::open);
    clients.add(client);
    return client;
  }

  private static void send(SocketChannel client, String text) throws IOException {
    int unused = client.write(StandardCharsets.UTF_8.encode(text));
  }

  /** What it says until it closes. */
  private static String answer(SocketChannel client) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    try {
      while (client.read(bytes) >= 0) {
        assertThat(bytes.hasRemaining()).isTrue();
      }
    } catch (IOException e) {
      // closed while it still had something of ours to read
    }
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  @Test
  void aLineIsAnsweredThoughThePathIsLongerThanAnAddress() throws Exception {
    assertThat(spool.toString().length()).isGreaterThan(108);
    SocketChannel client = connect();
    send(client, NAME + " acc");
    send(client, "ount\nmore");
    assertThat(answer(client)).isEqualTo("heard account\n");
  }

  @Test
  void onlyItsUserMayEvenConnect() throws Exception {
    assertThat(Files.getPosixFilePermissions(spool.resolve(Spool.CONTROL_SOCKET)))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aSocketThatHasItsNameTakesConnections() throws Exception {
    for (int i = 0; i < 300; i++) {
      socket.leave(spool);
      AtomicReference<IOException> refused = new AtomicReference<>();
      Thread client = new Thread(() -> connectWhenPresent(refused));
      client.start();
      socket.serve(spool, line -> "heard\n");
      client.join();
      assertThat(refused).hasNullValue();
    }
  }

  private void connectWhenPresent(AtomicReference<IOException> refused) {
    while (!ControlClient.isPresent(spool)) {
      Thread.onSpinWait();
    }
    try {
      SocketAddresses.with(spool, Spool.CONTROL_SOCKET, SocketChannel::open).close();
    } catch (IOException e) {
      refused.set(e);
    }
  }

  @Test
  void whatAnotherProcessLeftAtTheNameIsReplaced() throws Exception {
    socket.leave(spool);
    assertThat(ControlClient.isPresent(spool)).isFalse();
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      SocketAddresses.with(spool, Spool.CONTROL_SOCKET, left::bind);
    }
    assertThatThrownBy(() -> ControlClient.ask(spool, "account", LONG_NS))
        .isInstanceOf(ConnectException.class);
    socket.serve(spool, line -> "heard" + line + "\n");
    SocketChannel client = connect();
    send(client, NAME + " x\n");
    assertThat(answer(client)).isEqualTo("heard x\n");
  }

  @Test
  void aClientThatSaysNothingOrHalfALineGetsNoAnswerAndHoldsUpNobody() throws Exception {
    SocketChannel silent = connect();
    SocketChannel half = connect();
    send(half, "acco");
    SocketChannel third = connect();
    send(third, NAME + " account\n");
    assertThat(answer(third)).isEqualTo("heard account\n");
    half.shutdownOutput();
    assertThat(answer(half)).isEmpty();
    assertThat(answer(silent)).as("after two seconds").isEmpty();
  }

  @Test
  void aClientThatSaysTooMuchIsAnsweredAsIfItNamedNoSpool() throws Exception {
    SocketChannel client = connect();
    send(client, "x".repeat(Conversation.MAX_REQUEST_BYTES));
    assertThat(answer(client)).startsWith("error no spool");
  }

  @Test
  void soManyAreServedAtATimeAndTheNextOnceOneHasGone() throws Exception {
    CountDownLatch released = keepBusy(ControlSocket.MAX_CLIENTS - 1);
    SocketChannel last = connect();
    send(last, NAME + " bye\n");
    assertThat(answer(last)).isEqualTo("heard bye\n");
    Await.until("its thread has ended", () -> threads() == ControlSocket.MAX_CLIENTS);
    send(connect(), NAME + " stay\n");
    Await.until("all are served", () -> threads() == ControlSocket.MAX_CLIENTS + 1);
    SocketChannel waits = connect();
    send(waits, NAME + " bye\n");
    assertThat(threads()).isEqualTo(ControlSocket.MAX_CLIENTS + 1);
    released.countDown();
    assertThat(answer(waits)).isEqualTo("heard bye\n");
  }

  @Test
  void aClientForWhichThereIsNoThreadTakesTheSocketFromNoOther() throws Exception {
    withoutThreads.set(1);
    assertThat(answer(connect())).isEmpty();
    SocketChannel next = connect();
    send(next, NAME + " account\n");
    assertThat(answer(next)).isEqualTo("heard account\n");
  }

  /** Clients that wait for their answers. The thread that lets them in is one more. */
  private CountDownLatch keepBusy(int staying) throws IOException {
    CountDownLatch released = new CountDownLatch(1);
    socket.leave(spool);
    Await.until("no thread is left", () -> threads() == 0);
    socket = serving(line -> await(released, line));
    for (int i = 0; i < staying; i++) {
      send(connect(), NAME + " stay\n");
    }
    Await.until("all are served", () -> threads() == staying + 1);
    return released;
  }

  private static String await(CountDownLatch released, String line) {
    try {
      if (line.equals(" stay")) {
        released.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "heard" + line + "\n";
  }

  /** Connects clients that are not let in until no more may wait. */
  private int fillUp() throws IOException {
    for (int waiting = 0; ; waiting++) {
      SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
      clients.add(client);
      client.configureBlocking(false);
      try {
        assertThat(SocketAddresses.with(spool, Spool.CONTROL_SOCKET, client::connect)).isTrue();
      } catch (SocketException e) { // "Resource temporarily unavailable"
        return waiting;
      }
    }
  }

  @Test
  void soManySilentOnesHoldUpALaterOneForAboutASecond() throws Exception {
    CountDownLatch released = keepBusy(ControlSocket.MAX_CLIENTS);
    int waiting = fillUp();
    long eachNs = ControlSocket.patienceNs(ControlSocket.MAX_CLIENTS);
    assertThat(eachNs * (waiting + ControlSocket.MAX_CLIENTS) / ControlSocket.MAX_CLIENTS)
        .isLessThan(TimeUnit.SECONDS.toNanos(1));
    assertThat(ControlSocket.patienceNs(1)).isEqualTo(TimeUnit.SECONDS.toNanos(2));
    released.countDown();
  }

  @Test
  void askingEndsInTimeThoughNobodyIsLetIn() throws Exception {
    CountDownLatch released = keepBusy(ControlSocket.MAX_CLIENTS);
    int unused = fillUp();
    assertThatThrownBy(() -> ControlClient.ask(spool, "account", 0))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("is it stopped");
    released.countDown();
  }

  @Test
  void oneSocketAnswersForAllSpoolsOfTheProcess() throws Exception {
    Path second = Files.createDirectories(directory.resolve("elsewhere").resolve("second"));
    Path third = Files.createDirectories(directory.resolve("third"));
    socket.serve(second, line -> "ok\nsecond" + line + "\n\n");
    socket.serve(third, line -> "ok\nthird" + line + "\n\n");
    assertThat(threads()).isEqualTo(1);
    assertThat(ControlClient.ask(second, "x", LONG_NS).lines()).containsExactly("second x");
    assertThat(ControlClient.ask(third, "x", LONG_NS).lines()).containsExactly("third x");
    socket.leave(second);
    assertThat(ControlClient.isPresent(second)).isFalse();
    socket.leave(spool); // where it lies
    assertThat(ControlClient.ask(third, "y", LONG_NS).lines()).containsExactly("third y");
    Await.until("one thread", () -> threads() == 1);
    socket.leave(third);
  }

  @Test
  void aSpoolThatOthersRemovedTakesTheSocketFromNoOther() throws Exception {
    Path removed = Files.createDirectories(directory.resolve("removed"));
    Path third = Files.createDirectories(directory.resolve("third"));
    socket.serve(removed, line -> "ok\n\n");
    socket.serve(third, line -> "ok\nthird" + line + "\n\n");
    Files.delete(removed.resolve(Spool.CONTROL_SOCKET));
    Files.delete(removed);
    assertThatThrownBy(() -> socket.leave(spool)).hasMessageContaining("removed");
    assertThat(ControlClient.ask(third, "x", LONG_NS).lines()).containsExactly("third x");
    socket.leave(removed);
    socket.leave(third);
  }

  @Test
  void aSpoolThatCannotBeServedIsNoHomeOfOthers() throws Exception {
    socket.leave(spool);
    Path bad = Files.createDirectories(directory.resolve("bad"));
    Files.createDirectories(bad.resolve(Spool.CONTROL_SOCKET).resolve("taken"));
    assertThatThrownBy(() -> socket.serve(bad, line -> "ok\n\n")).isInstanceOf(IOException.class);
    socket.serve(spool, line -> "ok\nhere" + line + "\n\n");
    assertThat(ControlClient.ask(spool, "x", LONG_NS).lines()).containsExactly("here x");
  }

  @Test
  void aSpoolWhoseSocketCannotBeRemovedIsNoHomeAfterwards() throws Exception {
    Path second = Files.createDirectories(directory.resolve("second"));
    socket.serve(second, line -> "ok\nsecond" + line + "\n\n");
    Path at = spool.resolve(Spool.CONTROL_SOCKET);
    Files.delete(at);
    Files.createDirectories(at.resolve("taken"));
    assertThatThrownBy(() -> socket.leave(spool)).isInstanceOf(IOException.class);
    assertThat(ControlClient.ask(second, "x", LONG_NS).lines()).containsExactly("second x");
    socket.leave(second);
  }

  @Test
  void aLinkLeadsOutOfADirectoryThatIsDeeperThanItsPath() throws Exception {
    Path deep = Files.createDirectories(directory.resolve("a/b/c"));
    Path second = Files.createSymbolicLink(directory.resolve("short"), deep).resolve("second");
    Files.createDirectories(second);
    socket.serve(second, line -> "ok\nsecond" + line + "\n\n");
    assertThat(ControlClient.ask(second, "x", LONG_NS).lines()).containsExactly("second x");
    socket.leave(second);
  }

  @Test
  void aSpoolThatIsNotServedIsRefused() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other"));
    Files.createSymbolicLink(
        other.resolve(Spool.CONTROL_SOCKET), spool.resolve(Spool.CONTROL_SOCKET));
    ControlClient.Answer answer = ControlClient.ask(other, "account", LONG_NS);
    assertThat(answer.isDone()).isFalse();
    assertThat(answer.lines().get(0)).contains("no spool here has the name \"other\"");
  }

  @Test
  void theEndOfTheJvmLeavesNoThreadThatWaits() throws Exception {
    socket.end();
    Await.until("no thread is left", () -> threads() == 0);
    assertThatThrownBy(() -> ControlClient.ask(spool, "account", LONG_NS))
        .isInstanceOf(ConnectException.class);
    Path late = Files.createDirectories(directory.resolve("late"));
    socket.leave(spool);
    socket.serve(late, line -> "heard\n");
    Await.until("no thread is left", () -> threads() == 0);
  }

  /** What a client of ours reads, if the socket answers this. */
  private ControlClient.Answer asked(String text) throws IOException {
    socket.leave(spool);
    socket.serve(spool, line -> text);
    return ControlClient.ask(spool, "levels", LONG_NS);
  }

  @Test
  void anAnswerMayBeOfAnyLength() throws Exception {
    String line = "a.logger DEBUG";
    ControlClient.Answer answer = asked("ok\n" + (line + "\n").repeat(100_000) + "\n");
    assertThat(answer.isDone()).isTrue();
    assertThat(answer.lines()).hasSize(100_000).allMatch(line::equals);
  }

  @Test
  void anAnswerThatWasCutIsNone() throws Exception {
    for (String cut : List.of("", "ok", "ok\n", "ok\na.logger DEBUG\n", "error why\n")) {
      assertThatThrownBy(() -> asked(cut)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void anotherUserIsNotAnswered() throws Exception {
    Peers peers = Peers.ofUser(4711);
    UserPrincipalLookupService users = directory.getFileSystem().getUserPrincipalLookupService();
    assertThat(peers.admits(users.lookupPrincipalByName("4711"))).isTrue();
    assertThat(peers.admits(users.lookupPrincipalByName("0"))).as("root").isTrue();
    assertThat(peers.admits(users.lookupPrincipalByName("4712"))).isFalse();
  }

  @Test
  void aClientOfAnotherUserIsHungUpOn() throws Exception {
    socket.leave(spool);
    UserPrincipalLookupService users = directory.getFileSystem().getUserPrincipalLookupService();
    Peers others = new Peers(Set.of(users.lookupPrincipalByName("4712")));
    socket = new ControlSocket(others, this::start);
    socket.serve(spool, line -> "heard\n");
    SocketChannel client = connect();
    try {
      send(client, "account\n");
    } catch (IOException e) {
      // hung up on before it could speak
    }
    assertThat(answer(client)).isEmpty();
  }
}
