package dev.forebay.it.container;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.IOException;
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
import org.slf4j.LoggerFactory;
import org.testcontainers.shaded.com.github.dockerjava.core.DefaultDockerClientConfig;
import org.testcontainers.shaded.com.github.dockerjava.core.DockerClientConfig;
import org.testcontainers.shaded.com.github.dockerjava.core.DockerClientImpl;

/**
 * A Docker engine of a test's own: it can be frozen, and nothing that an engine of the machine left
 * or does can disturb it. Where none can be started, the tests are skipped.
 */
public final class Engine implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(1);

  static {
    for (String talker : List.of("org.testcontainers", "com.github.dockerjava")) {
      ((Logger) LoggerFactory.getLogger(talker)).setLevel(Level.ERROR);
    }
  }

  private final DockerClient client;
  private final Program daemon;
  private final Cleanup cleanup = Cleanup.open();

  /** Of an image that is empty. */
  public final String image = "forebay-it-" + ProcessHandle.current().pid();

  private Engine(String host, Program daemon) {
    DockerClientConfig config =
        DefaultDockerClientConfig.createDefaultConfigBuilder().withDockerHost(host).build();
    this.client =
        DockerClientImpl.getInstance(
            config,
            new ZerodepDockerHttpClient.Builder().dockerHost(config.getDockerHost()).build());
    this.daemon = daemon;
    cleanup.own(() -> client);
    cleanup.own(() -> this::end);
  }

  private static boolean answersAt(Path socket) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts one; its containers have no network. */
  public static Engine start(Places places) throws Exception {
    require(
        Command.isRoot() && Command.exists("dockerd"),
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
    Program daemon = Program.start(home, command);
    Engine engine = new Engine(host, daemon);
    boolean answers =
        Await.within(START, () -> answersAt(socket) || !daemon.isAlive()) && daemon.isAlive();
    if (!answers) {
      engine.close();
      require(false, "one of the test's own does not start", daemon.output());
    }
    return engine.withImage();
  }

  private static void require(boolean isFulfilled, String wanted, String problem) {
    assumeTrue(isFulfilled, "no Docker engine: %s (%s)".formatted(wanted, problem));
  }

  /** Of nothing: engines take long to pack and unpack, so all there is is mounted. */
  private Engine withImage() throws Exception {
    Path context = Files.createTempDirectory("forebay-it-image-");
    try {
      Files.createFile(context.resolve("empty"));
      Path description = context.resolve("Dockerfile");
      Files.writeString(description, "FROM scratch\nADD empty /\n");
      client.buildImageCmd(description.toFile()).withTags(Set.of(image)).start().awaitImageId();
      cleanup.own(() -> () -> client.removeImageCmd(image).withForce(true).exec());
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    } finally {
      FileTree.delete(context);
    }
  }

  public DockerClient client() {
    return client;
  }

  /** Stops the daemon with all that it reads, as SIGSTOP does. */
  void freeze() throws Exception {
    daemon.signal("STOP");
  }

  /** Lets it go on; does nothing to one that is not frozen. */
  void thaw() throws Exception {
    daemon.signal("CONT");
  }

  private void end() throws Exception {
    try (daemon) {
      thaw();
      int unused = daemon.terminate();
    }
  }

  /** The JDK, what that is linked to and configured by, and the classes, each in the same place. */
  public static List<Mount> thisMachine() throws Exception {
    Path java = Path.of(System.getProperty("java.home")).toRealPath();
    Path configuration = java.resolve("conf/net.properties").toRealPath().getParent();
    Set<Path> seen = new TreeSet<>(List.of(Path.of("/usr"), Path.of("/lib"), Path.of("/lib64")));
    seen.removeIf(path -> !Files.exists(path));
    seen.addAll(List.of(java, configuration, Path.of(System.getProperty("java.home"))));
    for (URI source : OtherUser.sources()) {
      seen.add(Path.of(source));
    }
    seen.removeIf(path -> path.startsWith("/usr") && path.getNameCount() > 1);
    return seen.stream().map(path -> mount(path, path).withReadOnly(true)).toList();
  }

  public static Mount mount(Path source, Path target) {
    return new Mount()
        .withType(MountType.BIND)
        .withSource(source.toString())
        .withTarget(target.toString());
  }

  @Override
  public void close() throws IOException {
    cleanup.close();
  }
}
