package dev.forebay.it.support;

import dev.forebay.host.Await;
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
import java.util.stream.Collectors;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;

/** A {@link LoggingChild} seen from the parent. */
public final class Child implements AutoCloseable {

  /** In place of a number of messages between two flushes: a call that returns is acknowledged. */
  public static final int EACH_CALL = -1;

  /** What a child is to do; see {@link LoggingChild#main}. */
  public record Task(
      String name, int threads, long count, int flushEvery, int paceEvery, String atTheEnd) {}

  private final ChildReports reports;
  private final Program program;

  private Child(ChildReports reports, Program program) {
    this.reports = reports;
    this.program = program;
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
      throws IOException {
    Progress.at(reports.resolve("progress"));
    user.own(reports);
    List<String> options = List.of("-Xmx64m", "-Djava.io.tmpdir=" + reports, "-cp", classPath);
    return start(task, xml, reports, options, user.command(around));
  }

  /** As the other, with a heap of this size. */
  public static Child startSmall(Task task, String xml, Path reports, String heap, String... around)
      throws IOException {
    List<String> options = new ArrayList<>(archive());
    options.addAll(List.of("-Xmx" + heap, "-cp", classPath()));
    return start(task, xml, reports, options, around);
  }

  /** As the first, in a JVM with more options. */
  public static Child startWith(
      List<String> more, Task task, String xml, Path reports, String... around) throws IOException {
    List<String> options = new ArrayList<>(archive());
    options.addAll(List.of("-Xmx128m", "-cp", classPath()));
    options.addAll(more);
    return start(task, xml, reports, options, around);
  }

  private static Child start(
      Task task, String xml, Path directory, List<String> options, String[] around)
      throws IOException {
    ChildReports reports = ChildReports.in(directory, task, xml);
    List<String> command = new ArrayList<>(List.of(around));
    command.add(Program.ofJdk("java"));
    command.addAll(Program.QUICK);
    command.addAll(options);
    command.addAll(reports.mainAndArguments(directory));
    return new Child(reports, Program.start(directory, command));
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

  /** Messages that all its threads began to log. */
  public long offered() {
    return reports.offered();
  }

  public Progress progress() {
    return reports.progress();
  }

  public String producer(int thread) {
    return reports.producer(thread);
  }

  /** Waits until the child's main method runs. */
  public void awaitUp() {
    Await.until("child is up: " + output(), () -> progress().isUp() || !isAlive());
  }

  /** Waits until a thread of the child has begun to log so many messages. */
  public void awaitOffered(int thread, long messages) {
    Await.until(
        "child logged " + messages, () -> progress().offered(thread) >= messages || !isAlive());
  }

  /** Kills it like {@code kill -9} and waits until it is gone. */
  public void kill() throws IOException, InterruptedException {
    program.kill();
  }

  /** Sends it a signal, {@code STOP} for example. */
  public void signal(String name) throws IOException, InterruptedException {
    program.signal(name);
  }

  /** Lets a child that waits go on to its stop. */
  public void release() throws IOException {
    program.closeInput();
  }

  /** Waits for its end; the exit code. */
  public int awaitEnd() throws IOException, InterruptedException {
    return program.awaitEnd();
  }

  /** Its process id, or, under a command around it that stays, that command's. */
  public long pid() {
    return program.pid();
  }

  public boolean isAlive() {
    return program.isAlive();
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
    return program.output();
  }

  /** Ends it. None of its log calls took too long. */
  @Override
  public void close() throws IOException {
    program.close();
    reports.requireCeiling();
  }
}
