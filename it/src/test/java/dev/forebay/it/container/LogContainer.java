package dev.forebay.it.container;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Killable;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * A container whose first process is a {@link LoggingChild}, killed and started again as often as
 * wanted, each time for another {@link ChildReports task}. Log and spool are where it sees them: in
 * /log/app and, unless said otherwise, /spool.
 */
final class LogContainer implements Killable {

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

  private final Engine engine;
  private final Path reportsOfAll;

  /** What the container sees at {@link #LOGS}. */
  private final Path logs;

  /** Of {@code docker create}. */
  private final List<String> options = new ArrayList<>(Engine.thisMachine());

  /** Empty before its first life. */
  private String id = "";

  /** Of its process, in its present or last life, as this machine knows it. */
  private long pid;

  private ChildReports reports;

  private LogContainer(Engine engine, Path reportsOfAll, Path logs) throws Exception {
    this.engine = engine;
    this.reportsOfAll = reportsOfAll;
    this.logs = logs;
    Files.createDirectory(appDirectory());
    options.add("--network=none");
    options.add("--user=" + Files.getAttribute(reportsOfAll, "unix:uid") + ":0"); // sees the spool
    options.add(Engine.mount(reportsOfAll, Path.of(REPORTS)));
    options.add(Engine.mount(logs, LOGS));
  }

  /** One to be described and then started; its user is ours. */
  static LogContainer in(Engine engine, Places places) throws Exception {
    return in(engine, places, "reports", places.directory("logs"));
  }

  /**
   * As the other, beside more of them.
   *
   * @param reports name of a new directory
   * @param logs where the directory of the log is made
   */
  static LogContainer in(Engine engine, Places places, String reports, Path logs) throws Exception {
    return new LogContainer(engine, places.directory(reports), logs);
  }

  private Path appDirectory() {
    return logs.resolve("app");
  }

  /** A directory of this machine, at one of the container. */
  LogContainer bind(Path directory, Path at) {
    return with(Engine.mount(directory, at));
  }

  /** With more options of {@code docker create}. */
  LogContainer with(String... more) {
    options.addAll(List.of(more));
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
    if (id.isEmpty()) {
      List<String> create = new ArrayList<>(List.of("create"));
      create.addAll(this.options);
      create.addAll(List.of(Engine.IMAGE, Program.ofJdk("java"), "@" + REPORTS + "/command"));
      id = engine.run(create.toArray());
    }
    engine.run("start", id);
    pid = engine.pid(id);
    await("is up", () -> reports.progress().isUp());
    return reports;
  }

  /** A life that takes over, logs a little and stops. */
  ChildReports lastLife(String inner, String... options) throws Exception {
    ChildReports last = live(new Child.Task("last", 1, 10, 10, 0, "wait"), inner, options);
    await("acknowledged", () -> last.progress().acked(0) == 10);
    last.release();
    int code = awaitEnd();
    if (code != 0) {
      throw new AssertionError("ended with " + code + ": " + output());
    }
    return last;
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
    boolean unused = Await.within(PATIENCE, () -> condition.call() || !isAlive());
    if (!condition.call()) {
      throw new AssertionError("not in time, or dead: " + what + ": " + output());
    }
  }

  @Override
  public boolean isAlive() {
    return Engine.isAlive(pid);
  }

  @Override
  public void signal(String name) throws IOException {
    Command.run("kill", "-" + name, String.valueOf(pid));
  }

  @Override
  public String output() {
    return engine.run("logs", id);
  }

  /** Kills its process; waits until it is gone. */
  void kill() throws IOException {
    engine.run("kill", id);
    awaitEnd();
  }

  /** Asks it to end, and kills it when the time is over. */
  void stop(Duration grace) {
    engine.run("stop", "--time=" + grace.toSeconds(), id);
  }

  long pid() {
    return pid;
  }

  /** Waits for the end of this life, in which no log call took too long; the exit code. */
  @Override
  public int awaitEnd() throws IOException {
    if (!Await.within(PATIENCE, () -> !isAlive())) {
      throw new AssertionError("did not end: " + output());
    }
    reports.requireCeiling();
    return Integer.parseInt(engine.run("wait", id));
  }

  /** Takes it away, with all that is its own. */
  void remove() {
    engine.run("rm", "--force", id);
    id = "";
  }

  /** The lines of the log, also while it lives; none where there is no log. */
  List<String> lines() throws IOException {
    return LogFiles.of(appDirectory().resolve(LOG.getFileName())).lines();
  }

  @Override
  public void close() {
    if (!id.isEmpty()) {
      remove();
    }
  }
}
