package dev.forebay.it.support;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;

/** A {@link LoggingChild} seen from the parent. */
public final class Child implements AutoCloseable {

  /** In place of a number of messages between two flushes: a call that returns is acknowledged. */
  public static final int EACH_CALL = -1;

  private static final int PATIENCE_S = 60;

  /** What a child is to do; see {@link LoggingChild#main}. */
  public record Task(
      String name, int threads, long count, int flushEvery, int paceEvery, String atTheEnd) {}

  private final ChildReports reports;
  private final Process process;

  private Child(ChildReports reports, Process process) {
    this.reports = reports;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param reports an existing directory of this child's own
   * @param around a command that takes the child's command as its arguments, or nothing
   */
  public static Child start(Task task, String xml, Path reports, String... around)
      throws IOException {
    return startSmall(task, xml, reports, "128m", around);
  }

  /** As another user, who can read this class path; gets the directory for the reports. */
  public static Child startAs(
      OtherUser user, String classPath, Task task, String xml, Path reports, String... around)
      throws IOException, InterruptedException {
    Progress.at(reports.resolve("progress"));
    user.own(reports);
    List<String> command = new ArrayList<>(List.of(user.command(around)));
    List<String> options = List.of("-Xmx64m", "-Djava.io.tmpdir=" + reports);
    return start(task, xml, reports, classPath, options, command.toArray(new String[0]));
  }

  /** As the other, with a heap of this size. */
  public static Child startSmall(Task task, String xml, Path reports, String heap, String... around)
      throws IOException {
    List<String> options = new ArrayList<>(archive());
    options.add("-Xmx" + heap);
    return start(task, xml, reports, classPath(), options, around);
  }

  private static Child start(
      Task task,
      String xml,
      Path directory,
      String classPath,
      List<String> options,
      String[] around)
      throws IOException {
    ChildReports reports = ChildReports.in(directory, task, xml);
    List<String> command = new ArrayList<>(List.of(around));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ChildReports.QUICK);
    command.addAll(options);
    command.addAll(List.of("-cp", classPath));
    command.addAll(reports.mainAndArguments(directory));
    File output = directory.resolve("output").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    return new Child(reports, process);
  }

  /**
   * What a process that logs needs, with the library of a peer, and not all that tests need: a JVM
   * opens every jar when it looks for services. Jars come first, as {@link ClassArchive} wants it.
   */
  public static String classPath() {
    try {
      Set<URI> sources = OtherUser.sources();
      sources.add(
          LoggingEventAsyncDisruptorAppender.class
              .getProtectionDomain()
              .getCodeSource()
              .getLocation()
              .toURI());
      return sources.stream()
          .map(Path::of)
          .sorted(Comparator.comparing(Files::isDirectory))
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** An option with which a JVM with this class path starts in two thirds of the time. */
  public static List<String> archive() throws IOException {
    return ClassArchive.options(classPath());
  }

  public Progress progress() {
    return reports.progress();
  }

  public String producer(int thread) {
    return reports.producer(thread);
  }

  /** Waits until the child's main method runs. */
  public void awaitUp() throws Exception {
    Await.until("child is up: " + output(), () -> progress().isUp() || !process.isAlive());
  }

  /** Waits until a thread of the child has begun to log so many messages. */
  public void awaitOffered(int thread, long messages) throws Exception {
    Await.until(
        "child logged " + messages,
        () -> progress().offered(thread) >= messages || !process.isAlive());
  }

  /** Kills it like {@code kill -9} and waits until it is gone. */
  public void kill() throws Exception {
    List<ProcessHandle> within = process.descendants().toList();
    close();
    awaitEnd();
    Await.until("all are gone", () -> within.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Sends it a signal, {@code STOP} for example. */
  public void signal(String name) throws IOException, InterruptedException {
    Command.run("kill", "-" + name, String.valueOf(process.pid()));
  }

  /** The process that logs, which a command around it replaces itself by. */
  public long javaPid() {
    return process.pid();
  }

  /** Lets a child that waits go on to its stop. */
  public void release() throws IOException {
    process.getOutputStream().close();
  }

  /** Waits for its end; the exit code. */
  public int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("child did not end: " + output());
    }
    return process.exitValue();
  }

  /** Its process id, or, under a command around it, that command's. */
  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Tells the oracle what this child says it did. */
  public void tell(Oracle oracle) {
    reports.tell(oracle);
  }

  /** The account at its end; "" when there was none. */
  public String account() throws IOException {
    return reports.account();
  }

  /** How many events its account says were dropped. */
  public long dropped() throws IOException {
    return reports.dropped();
  }

  public String status() throws IOException {
    return reports.status();
  }

  public String output() {
    return reports.output();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly); // of a tracer
    process.destroyForcibly();
  }
}
