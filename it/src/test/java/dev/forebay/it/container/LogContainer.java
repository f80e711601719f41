package dev.forebay.it.container;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.LoggingChild;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * A container whose first process is a {@link LoggingChild}, killed and started again as often as
 * wanted, each time for another {@link ChildReports task}. Log and spool are where it sees them: in
 * /log/app and, unless said otherwise, /spool.
 */
final class LogContainer implements AutoCloseable {

  /** Where the directory with that of the log is mounted. */
  static final Path LOGS = Path.of("/log");

  /** The log as the container sees it. */
  static final Path LOG = LOGS.resolve("app/app.log");

  /** A place for the spool as the container sees it. */
  static final Path SPOOL = Path.of("/spool");

  private static final String REPORTS = "/reports";

  /** Made from nothing: an engine takes long to pack and unpack, so all there is is mounted. */
  private static final ImageFromDockerfile IMAGE =
      new ImageFromDockerfile()
          .withFileFromString("empty", "")
          .withFileFromString("Dockerfile", "FROM scratch\nADD empty /\n");

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(LogContainer::removeImage));
  }

  /**
   * The kernel may take long until it kills, since it first takes the pages of the program away.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  private final Path reportsOfAll;

  /** What the container sees at {@link #LOGS}. */
  private final Path logs;

  private final GenericContainer<?> container;
  private final List<Mount> mounts = new ArrayList<>();
  private ChildReports reports;

  private LogContainer(Path reportsOfAll, Path logs) throws Exception {
    this.reportsOfAll = reportsOfAll;
    this.logs = logs;
    Files.createDirectory(appDirectory());
    this.container = new GenericContainer<>(IMAGE);
    mountThisMachine();
    mounts.add(mount(reportsOfAll, Path.of(REPORTS)));
    mounts.add(mount(logs, LOGS));
    String user = Files.getAttribute(reportsOfAll, "unix:uid") + ":0"; // who can look at the spool
    container
        .withCommand(Program.ofJdk("java"), "@" + REPORTS + "/command")
        .withCreateContainerCmdModifier(
            command -> {
              host(command.getHostConfig()).withMounts(mounts);
              command.withUser(user);
            });
  }

  /** Its JDK, what that is linked to and configured by, and the classes, each in the same place. */
  private void mountThisMachine() throws Exception {
    Path java = Path.of(System.getProperty("java.home")).toRealPath();
    Path configuration = java.resolve("conf/net.properties").toRealPath().getParent();
    Set<Path> seen = new TreeSet<>(List.of(Path.of("/usr"), Path.of("/lib"), Path.of("/lib64")));
    seen.removeIf(path -> !Files.exists(path));
    seen.addAll(List.of(java, configuration, Path.of(System.getProperty("java.home"))));
    for (URI source : OtherUser.sources()) {
      seen.add(Path.of(source));
    }
    seen.removeIf(path -> path.startsWith("/usr") && path.getNameCount() > 1);
    seen.forEach(path -> mounts.add(mount(path, path).withReadOnly(true)));
  }

  /** When no container needs it any more: JUnit's own end comes with each class of a forked JVM. */
  private static void removeImage() {
    if (IMAGE.isDone()) {
      DockerClientFactory.instance().client().removeImageCmd(IMAGE.getDockerImageName()).exec();
    }
  }

  /** One to be described and then started; its user is ours. */
  static LogContainer in(Places places) throws Exception {
    return new LogContainer(places.directory("reports"), places.directory("logs"));
  }

  private static HostConfig host(HostConfig config) {
    return Objects.requireNonNull(config);
  }

  private Path appDirectory() {
    return logs.resolve("app");
  }

  private static Mount mount(Path source, Path target) {
    return new Mount()
        .withType(MountType.BIND)
        .withSource(source.toString())
        .withTarget(target.toString());
  }

  /** A directory of this machine, at one of the container. */
  LogContainer bind(Path directory, Path at) {
    mounts.add(mount(directory, at));
    return this;
  }

  /** A tmpfs of the container's own. */
  LogContainer tmpfs(Path at, String options) {
    container.withTmpFs(Map.of(at.toString(), options));
    return this;
  }

  LogContainer memory(long bytes) {
    container.withCreateContainerCmdModifier(
        command -> host(command.getHostConfig()).withMemory(bytes).withMemorySwap(bytes));
    return this;
  }

  /** Until {@link #unblockLog} there is a file where the directory of the log should be. */
  LogContainer blockLog() throws IOException {
    Files.delete(appDirectory());
    Files.writeString(appDirectory(), "in the way");
    return this;
  }

  /** Makes the directory of the log. */
  void unblockLog() throws IOException {
    Files.delete(appDirectory());
    Files.createDirectory(appDirectory());
  }

  /** The elements {@code file} and {@code spoolDirectory} for a container with both. */
  static String places() {
    return Xml.places(LOG, SPOOL);
  }

  /**
   * Begins a life; after a death it is the same container that starts again.
   *
   * @param inner the elements of the appender
   * @param options of the JVM
   */
  ChildReports live(Child.Task task, String inner, String... options) throws Exception {
    Path directory = Files.createDirectory(reportsOfAll.resolve(task.name()));
    reports = ChildReports.in(directory, task, Xml.configuration(inner)).hold();
    List<String> command = new ArrayList<>(Program.QUICK);
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath()));
    command.addAll(reports.mainAndArguments(Path.of(REPORTS, task.name())));
    Files.write(reportsOfAll.resolve("command"), command);
    if (container.getContainerId() == null) {
      container.start();
    } else {
      client().startContainerCmd(container.getContainerId()).exec();
    }
    await("is up", () -> reports.progress().isUp());
    return reports;
  }

  private static String classPath() throws URISyntaxException {
    return OtherUser.sources().stream()
        .map(source -> Path.of(source).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Waits until all threads of this life together have logged so much. */
  void awaitOffered(long messages) throws Exception {
    await("logged " + messages, () -> reports.offered() >= messages);
  }

  /** Waits for something that its process does; fails at once when that is dead. */
  void await(String what, Callable<Boolean> condition) throws Exception {
    boolean done =
        Await.within(
            PATIENCE,
            () -> {
              if (condition.call()) {
                return true;
              }
              requireAlive(what);
              Await.pass(LOOK_EVERY); // the engine has work enough
              return false;
            });
    if (!done) {
      throw new AssertionError("not in time: " + what + ": " + output());
    }
  }

  private void requireAlive(String what) {
    if (!Boolean.TRUE.equals(state().getRunning())) {
      throw new AssertionError(
          "ended with " + state().getExitCodeLong() + " before it " + what + ": " + output());
    }
  }

  /** What its processes wrote on the console. */
  String output() {
    return container.getLogs();
  }

  /** Kills its process; waits until it is gone. */
  void kill() {
    requireAlive("was killed");
    client().killContainerCmd(container.getContainerId()).withSignal("KILL").exec();
    awaitEnd();
  }

  /** Waits for the end of this life; the exit code. */
  long awaitEnd() {
    try (WaitContainerResultCallback end =
        client().waitContainerCmd(container.getContainerId()).start()) {
      return end.awaitStatusCode(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (DockerClientException | IOException e) {
      throw new AssertionError("did not end: " + output(), e);
    }
  }

  private InspectContainerResponse.ContainerState state() {
    return client().inspectContainerCmd(container.getContainerId()).exec().getState();
  }

  private DockerClient client() {
    return container.getDockerClient();
  }

  /** The lines of the log, also while it lives; none where there is no log. */
  List<String> lines() throws IOException {
    return LogFiles.of(appDirectory().resolve(LOG.getFileName())).lines();
  }

  @Override
  public void close() {
    container.stop(); // removes it too
  }
}
