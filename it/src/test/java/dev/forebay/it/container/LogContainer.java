package dev.forebay.it.container;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.LoggingChild;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

  /**
   * The kernel may take long until it kills, since it first takes the pages of the program away.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  private final Path reportsOfAll;

  /** What the container sees at {@link #LOGS}. */
  private final Path logs;

  private final DockerClient client;
  private final String image;
  private final HostConfig host = new HostConfig().withNetworkMode("none");
  private final List<Mount> mounts = new ArrayList<>(Engine.thisMachine());

  /** Null before its first life. */
  private @Nullable String id;

  private ChildReports reports;

  private LogContainer(Engine engine, Path reportsOfAll, Path logs) throws Exception {
    this.client = engine.client();
    this.image = engine.image;
    this.reportsOfAll = reportsOfAll;
    this.logs = logs;
    Files.createDirectory(appDirectory());
    mounts.add(Engine.mount(reportsOfAll, Path.of(REPORTS)));
    mounts.add(Engine.mount(logs, LOGS));
  }

  /** One to be described and then started; its user is ours. */
  static LogContainer in(Engine engine, Places places) throws Exception {
    return new LogContainer(engine, places.directory("reports"), places.directory("logs"));
  }

  private Path appDirectory() {
    return logs.resolve("app");
  }

  /** A directory of this machine, at one of the container. */
  LogContainer bind(Path directory, Path at) {
    mounts.add(Engine.mount(directory, at));
    return this;
  }

  /** A tmpfs of the container's own. */
  LogContainer tmpfs(Path at, String options) {
    host.withTmpFs(Map.of(at.toString(), options));
    return this;
  }

  LogContainer memory(long bytes) {
    host.withMemory(bytes).withMemorySwap(bytes);
    return this;
  }

  /** The driver that reads its standard output, with its options. */
  LogContainer logDriver(LogConfig.LoggingType driver, Map<String, String> options) {
    host.withLogConfig(new LogConfig(driver, options));
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
    if (id == null) {
      id = create();
    }
    client.startContainerCmd(id).exec();
    await("is up", () -> reports.progress().isUp());
    return reports;
  }

  private String create() throws IOException {
    String user = Files.getAttribute(reportsOfAll, "unix:uid") + ":0"; // who can look at the spool
    return client
        .createContainerCmd(image)
        .withCmd(Program.ofJdk("java"), "@" + REPORTS + "/command")
        .withUser(user)
        .withHostConfig(host.withMounts(mounts))
        .exec()
        .getId();
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

  /** What its processes wrote on the console, as {@code docker logs} shows it. */
  String output() {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (var frames =
        new ResultCallback.Adapter<Frame>() {
          @Override
          public void onNext(Frame frame) {
            output.writeBytes(frame.getPayload());
          }
        }) {
      client
          .logContainerCmd(Objects.requireNonNull(id))
          .withStdOut(true)
          .withStdErr(true)
          .exec(frames)
          .awaitCompletion();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    return output.toString(StandardCharsets.UTF_8);
  }

  /** Kills its process; waits until it is gone. */
  void kill() {
    requireAlive("was killed");
    client.killContainerCmd(Objects.requireNonNull(id)).withSignal("KILL").exec();
    awaitEnd();
  }

  /** As {@code docker stop} does: asks it to end, and kills it when the time is over. */
  void stop(Duration grace) {
    client.stopContainerCmd(Objects.requireNonNull(id)).withTimeout((int) grace.toSeconds()).exec();
  }

  /** The process id that this machine knows its process by. */
  long pid() {
    return Objects.requireNonNull(state().getPidLong());
  }

  /** Waits for the end of this life, in which no log call took too long; the exit code. */
  long awaitEnd() {
    try (WaitContainerResultCallback end =
        client.waitContainerCmd(Objects.requireNonNull(id)).start()) {
      long code = end.awaitStatusCode(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      reports.requireCeiling();
      return code;
    } catch (DockerClientException | IOException e) {
      throw new AssertionError("did not end: " + output(), e);
    }
  }

  private InspectContainerResponse.ContainerState state() {
    return client.inspectContainerCmd(Objects.requireNonNull(id)).exec().getState();
  }

  /** The lines of the log, also while it lives; none where there is no log. */
  List<String> lines() throws IOException {
    return LogFiles.of(appDirectory().resolve(LOG.getFileName())).lines();
  }

  @Override
  public void close() {
    if (id != null) {
      client.removeContainerCmd(id).withForce(true).exec();
    }
  }
}
