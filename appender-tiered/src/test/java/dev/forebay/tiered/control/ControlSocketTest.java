package dev.forebay.tiered.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.forebay.host.Await;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.spool.Spool;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

  /** Those of earlier tests of this JVM may still be ending. */
  private final Set<Thread> before = Thread.getAllStackTraces().keySet();

  private Path spool;
  private ControlSocket socket;

  @BeforeEach
  void bind() throws IOException {
    spool = Files.createDirectories(directory.resolve("s".repeat(60)).resolve(NAME));
    socket = serving(line -> "heard" + line + "\n");
  }

  private ControlSocket serving(UnaryOperator<String> answers) throws IOException {
    ControlSocket fresh = new ControlSocket(Set.of(Files.getOwner(spool)));
    fresh.serve(spool, answers);
    return fresh;
  }

  @AfterEach
  void close() throws IOException {
    socket.leave(spool);
    for (SocketChannel client : clients) {
      client.close();
    }
    Await.until("no thread is left", () -> threads() == 0);
  }

  private long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("forebay-control") && !before.contains(thread))
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

  /** What a client hears that says this, until the socket closes. */
  private String answerTo(String text) throws IOException {
    SocketChannel client = connect();
    send(client, text);
    return answer(client);
  }

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
    assertThat(Files.getPosixFilePermissions(spool.resolve(Spool.CONTROL_SOCKET)))
        .as("only its user may even connect")
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    SocketChannel client = connect();
    send(client, NAME + " acc");
    send(client, "ount\nmore");
    assertThat(answer(client)).isEqualTo("heard account\n");
  }

  @Test
  void aClientThatSaysNothingOrHalfALineGetsNoAnswerAndIsLeft() throws Exception {
    SocketChannel silent = connect();
    SocketChannel half = connect();
    send(half, "acco");
    half.shutdownOutput();
    assertThat(answerTo(NAME + " account\n")).isEqualTo("heard account\n");
    assertThat(answer(half)).isEmpty();
    assertThat(answer(silent)).as("after a second").isEmpty();
  }

  @Test
  void anAnswerThatFailsTakesTheSocketFromNoOther() throws Exception {
    socket.leave(spool);
    socket.serve(
        spool,
        line -> {
          if (line.equals(" fail")) {
            throw new AssertionError("simulated");
          }
          return "heard" + line + "\n";
        });
    assertThat(answerTo(NAME + " fail\n")).isEmpty();
    assertThat(answerTo(NAME + " account\n")).isEqualTo("heard account\n");
  }

  @Test
  void oneSocketAnswersForAllSpoolsOfTheProcess() throws Exception {
    Path second = Files.createDirectories(directory.resolve("elsewhere").resolve("second"));
    Path third = Files.createDirectories(directory.resolve("third"));
    socket.serve(second, line -> "ok\nsecond" + line + "\n\n");
    socket.serve(third, line -> "ok\nthird" + line + "\n\n");
    assertThat(threads()).isEqualTo(1);
    assertThat(ControlClient.ask(second, "x", LONG_NS)).containsExactly("second x");
    assertThat(ControlClient.ask(third, "x", LONG_NS)).containsExactly("third x");
    socket.leave(second);
    assertThat(ControlClient.isPresent(second)).isFalse();
    socket.leave(spool); // where it lies
    assertThat(ControlClient.ask(third, "y", LONG_NS)).containsExactly("third y");
    Await.until("one thread", () -> threads() == 1);
    socket.leave(third);
  }

  @Test
  void aSpoolOnAnotherFileSystemIsServedBesideTheOthers() throws Exception {
    try (Scratch memory = new Scratch()) {
      assumeFalse(
          Files.getFileStore(memory.path()).equals(Files.getFileStore(spool)),
          "no second file system: mount a tmpfs at /dev/shm");
      Path elsewhere = memory.directory("elsewhere");
      Path beside = memory.directory("beside");
      socket.serve(elsewhere, line -> "ok\nelsewhere" + line + "\n\n");
      socket.serve(beside, line -> "ok\nbeside" + line + "\n\n");
      assertThat(threads()).as("one for each file system").isEqualTo(2);
      socket.leave(elsewhere);
      assertThat(ControlClient.ask(beside, "x", LONG_NS)).containsExactly("beside x");
      assertThat(answerTo(NAME + " x\n")).isEqualTo("heard x\n");
      socket.leave(beside);
      Await.until("one thread", () -> threads() == 1);
    }
  }

  @Test
  void aSpoolThatIsNotServedIsRefused() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other"));
    Files.createSymbolicLink(
        other.resolve(Spool.CONTROL_SOCKET), spool.resolve(Spool.CONTROL_SOCKET));
    assertThatThrownBy(() -> ControlClient.ask(other, "account", LONG_NS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("no spool here has the name \"other\"");
  }

  /** What a client of ours reads, if the socket answers this. */
  private List<String> asked(String text) throws IOException {
    socket.leave(spool);
    socket.serve(spool, line -> text);
    return ControlClient.ask(spool, "levels", LONG_NS);
  }

  @Test
  void anAnswerThatWasCutIsNone() throws Exception {
    for (String cut : List.of("", "ok", "ok\n", "ok\na.logger DEBUG\n", "error why\n")) {
      assertThatThrownBy(() -> asked(cut)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void aClientOfAnotherUserIsHungUpOn() throws Exception {
    socket.leave(spool);
    UserPrincipalLookupService users = directory.getFileSystem().getUserPrincipalLookupService();
    socket = new ControlSocket(Set.of(users.lookupPrincipalByName("4712")));
    socket.serve(spool, line -> "heard\n");
    SocketChannel client = connect();
    try {
      send(client, "account\n");
    } catch (IOException e) {
      // hung up on before it could speak
    }
    assertThat(answer(client)).isEmpty();
  }

  private static List<FileChannel> openOften(Path path) throws IOException {
    List<FileChannel> open = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      open.add(FileChannel.open(path, StandardOpenOption.READ));
    }
    return open;
  }

  private static void closeAll(List<FileChannel> channels) throws IOException {
    for (FileChannel channel : channels) {
      channel.close();
    }
  }

  @Test
  void aSocketIsWhereItBelongsThoughOthersOpenAndCloseTheSameDirectory() throws Exception {
    Path here = Files.createDirectory(directory.resolve("h".repeat(120)));
    Path other = Files.createDirectory(directory.resolve("o".repeat(120)));
    List<FileChannel> lower = openOften(here); // with lower numbers than ours, found before it
    List<FileChannel> later = new ArrayList<>();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      SocketAddresses.with(
          here,
          "s",
          address -> {
            closeAll(lower);
            later.addAll(openOften(other)); // with the numbers that were closed
            return server.bind(address);
          });
      assertThat(here.resolve("s")).exists();
      assertThat(other).isEmptyDirectory();
    } finally {
      closeAll(later);
    }
  }
}
