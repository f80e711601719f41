package dev.forebay.tiered.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.host.Await;
import dev.forebay.tiered.spool.Spool;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A socket whose knocks the test passes on, as the watcher does. */
@Tag("once")
class ControlSocketTest {

  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

  @TempDir private Path directory;

  private final List<SocketChannel> clients = new ArrayList<>();
  private final AtomicInteger again = new AtomicInteger();
  private Path spool;
  private ControlSocket socket;

  @BeforeEach
  void bind() throws IOException {
    spool = Files.createDirectories(directory.resolve("s".repeat(60)).resolve("p".repeat(60)));
    socket = bound();
  }

  private ControlSocket bound() throws IOException {
    int userId = (Integer) Files.getAttribute(spool, "unix:uid");
    return ControlSocket.bind(spool, Peers.ofUser(userId), line -> "heard " + line + "\n", "test");
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
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
    socket.knocked(again::incrementAndGet);
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
    send(client, "acc");
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
      socket.close();
      AtomicReference<IOException> refused = new AtomicReference<>();
      Thread client = new Thread(() -> connectWhenPresent(refused));
      client.start();
      socket = bound();
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
    socket.close();
    assertThat(ControlClient.isPresent(spool)).isFalse();
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      SocketAddresses.with(spool, Spool.CONTROL_SOCKET, left::bind);
    }
    assertThatThrownBy(() -> ControlClient.ask(spool, "account", LONG_NS))
        .isInstanceOf(ConnectException.class);
    socket = bound();
    SocketChannel client = connect();
    send(client, "x\n");
    assertThat(answer(client)).isEqualTo("heard x\n");
  }

  @Test
  void aClientThatSaysNothingOrHalfALineGetsNoAnswerAndHoldsUpNobody() throws Exception {
    SocketChannel silent = connect();
    SocketChannel half = connect();
    send(half, "acco");
    SocketChannel third = connect();
    send(third, "account\n");
    assertThat(answer(third)).isEqualTo("heard account\n");
    half.shutdownOutput();
    assertThat(answer(half)).isEmpty();
    assertThat(answer(silent)).as("after two seconds").isEmpty();
  }

  @Test
  void aClientThatSaysTooMuchIsAnsweredAsIfItSaidNothing() throws Exception {
    SocketChannel client = connect();
    send(client, "x".repeat(Conversation.MAX_REQUEST_BYTES));
    assertThat(answer(client)).isEqualTo("heard \n");
  }

  @Test
  void soManyAreServedAtATimeAndTheNextOnceOneHasGone() throws Exception {
    socket.close();
    CountDownLatch released = new CountDownLatch(1);
    int userId = (Integer) Files.getAttribute(spool, "unix:uid");
    socket = ControlSocket.bind(spool, Peers.ofUser(userId), line -> await(released, line), "test");
    for (int i = 1; i < ControlSocket.MAX_CLIENTS; i++) {
      send(connect(), "stay\n");
      int expected = i;
      Await.until("waits for the next", () -> again.get() == expected);
    }
    SocketChannel last = connect();
    send(last, "bye\n");
    assertThat(answer(last)).isEqualTo("heard bye\n");
    Await.until("waits for the next", () -> again.get() == ControlSocket.MAX_CLIENTS);
    send(connect(), "stay\n");
    Await.until("all are served", () -> threads() == ControlSocket.MAX_CLIENTS);
    assertThat(again).hasValue(ControlSocket.MAX_CLIENTS);
    released.countDown();
    Await.until("waits for the next", () -> again.get() == ControlSocket.MAX_CLIENTS + 1);
  }

  private static String await(CountDownLatch released, String line) {
    try {
      if (line.equals("stay")) {
        released.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "heard " + line + "\n";
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
    int waiting = fillUp();
    long eachNs = ControlSocket.patienceNs(ControlSocket.MAX_CLIENTS);
    assertThat(eachNs * (waiting + ControlSocket.MAX_CLIENTS) / ControlSocket.MAX_CLIENTS)
        .isLessThan(TimeUnit.SECONDS.toNanos(1));
    assertThat(ControlSocket.patienceNs(1)).isEqualTo(TimeUnit.SECONDS.toNanos(2));
  }

  @Test
  void askingEndsInTimeThoughNobodyIsLetIn() throws Exception {
    int unused = fillUp();
    assertThatThrownBy(() -> ControlClient.ask(spool, "account", 0))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("is it stopped");
  }

  /** What a client of ours reads, if the socket answers this. */
  private CompletableFuture<ControlClient.Answer> asked(String text) throws Exception {
    socket.close();
    int userId = (Integer) Files.getAttribute(spool, "unix:uid");
    socket = ControlSocket.bind(spool, Peers.ofUser(userId), line -> text, "test");
    CompletableFuture<ControlClient.Answer> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return ControlClient.ask(spool, "levels", LONG_NS);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Await.until(
        "answered",
        () -> {
          socket.knocked(again::incrementAndGet);
          return answer.isDone();
        });
    return answer;
  }

  @Test
  void anAnswerMayBeOfAnyLength() throws Exception {
    String line = "a.logger DEBUG";
    ControlClient.Answer answer = asked("ok\n" + (line + "\n").repeat(100_000) + "\n").join();
    assertThat(answer.isDone()).isTrue();
    assertThat(answer.lines()).hasSize(100_000).allMatch(line::equals);
  }

  @Test
  void anAnswerThatWasCutIsNone() throws Exception {
    for (String cut : List.of("", "ok", "ok\n", "ok\na.logger DEBUG\n", "error why\n")) {
      assertThatThrownBy(asked(cut)::join).hasRootCauseInstanceOf(EOFException.class);
    }
  }

  @Test
  void aKnockOfAClientThatHasGoneIsForgotten() throws Exception {
    socket.knocked(again::incrementAndGet);
    Await.until("waits for the next", () -> again.get() == 1);
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
    socket.close();
    UserPrincipalLookupService users = directory.getFileSystem().getUserPrincipalLookupService();
    Peers others = new Peers(Set.of(users.lookupPrincipalByName("4712")));
    socket = ControlSocket.bind(spool, others, line -> "heard\n", "test");
    SocketChannel client = connect();
    try {
      send(client, "account\n");
    } catch (IOException e) {
      // hung up on before it could speak
    }
    assertThat(answer(client)).isEmpty();
  }
}
