package dev.forebay.it.container;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A Docker engine of a test's own: it can be frozen, and nothing that an engine of the machine left
 * or does can disturb it. Where none can be started, the tests are skipped.
 */
final class Engine implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(1);

  /** Of an image that is empty. */
  static final String IMAGE = "forebay-it-" + ProcessHandle.current().pid();

  private final String host;
  private final Program daemon;

  private Engine(String host, Program daemon) {
    this.host = host;
    this.daemon = daemon;
  }

  /** Starts one; its containers have no network. */
  static Engine start(Places places) throws Exception {
    require(
        Command.isRoot() && Command.exists("dockerd") && Command.exists("docker"),
        "install docker.io and run the build as root",
        "one of its own cannot be started");
    Path home = places.directory("engine");
    Path socket = home.resolve("socket");
    String host = "unix://" + socket;
    List<String> command = new ArrayList<>(List.of("dockerd", "--host", host));
    command.addAll(List.of("--data-root", home.resolve("data").toString()));
    command.addAll(List.of("--exec-root", home.resolve("exec").toString()));
    command.addAll(List.of("--pidfile", home.resolve("pid").toString()));
    // Where containerd is a service of the machine, this engine uses it too.
    command.addAll(List.of("--containerd-namespace", home.getParent().getFileName().toString()));
    command.addAll(List.of("--bridge=none", "--iptables=false", "--ip6tables=false"));
    Engine engine = new Engine(host, Program.start(home, command));
    try {
      boolean answers =
          Await.within(START, () -> answersAt(socket) || !engine.daemon.isAlive())
              && engine.daemon.isAlive();
      require(answers, "one of the test's own does not start", engine.daemon.output());
      // Engines take long to pack and unpack, so all there is is mounted.
      Path content = Files.createFile(home.resolve("empty"));
      Path packed = home.resolve("empty.tar");
      Command.run(
          "tar", "-C", home.toString(), "-cf", packed.toString(), "" + content.getFileName());
      engine.run("import", packed, IMAGE);
      return engine;
    } catch (Exception e) {
      engine.close();
      throw e;
    }
  }

  private static void require(boolean isFulfilled, String wanted, String problem) {
    assumeTrue(isFulfilled, "no Docker engine: %s (%s)".formatted(wanted, problem));
  }

  private static boolean answersAt(Path socket) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      return false;
    }
  }

  /** A command of the client, which must succeed; what it prints. */
  String run(Object... words) {
    List<String> command = new ArrayList<>(List.of("docker", "--host", host));
    for (Object word : words) {
      command.add(word.toString());
    }
    try {
      return Command.run(command.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process id by which this machine knows the first process of a container; 0 for none. */
  long pid(String container) {
    return Long.parseLong(run("inspect", "--format={{.State.Pid}}", container));
  }

  /** Whether there is a process with such an id. */
  static boolean isAlive(long pid) {
    return pid != 0 && Files.exists(Path.of("/proc/" + pid));
  }

  /** Stops the daemon with all that it reads, as SIGSTOP does. */
  void freeze() throws Exception {
    daemon.signal("STOP");
  }

  void thaw() throws Exception {
    daemon.signal("CONT");
  }

  /** Options: the JDK, what that is linked to and configured by, and the classes. */
  static List<String> thisMachine() throws Exception {
    Path java = Path.of(System.getProperty("java.home")).toRealPath();
    Path configuration = java.resolve("conf/net.properties").toRealPath().getParent();
    Set<Path> seen = new TreeSet<>(List.of(Path.of("/usr"), Path.of("/lib"), Path.of("/lib64")));
    seen.removeIf(path -> !Files.exists(path));
    seen.addAll(List.of(java, configuration, Path.of(System.getProperty("java.home"))));
    for (URI source : OtherUser.sources()) {
      seen.add(Path.of(source));
    }
    seen.removeIf(path -> path.startsWith("/usr") && path.getNameCount() > 1);
    return seen.stream().map(path -> mount(path, path) + ",readonly").toList();
  }

  /** An option. */
  static String mount(Path source, Path target) {
    return "--mount=type=bind,source=%s,target=%s".formatted(source, target);
  }

  @Override
  public void close() throws IOException {
    try (daemon) {
      Command.run("kill", "-TERM", String.valueOf(daemon.pid()));
      Await.until("the daemon ends", () -> !daemon.isAlive());
    }
  }
}
