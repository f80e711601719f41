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

/** A {@link LoggingChild} seen from the parent, with what it reports. */
public final class Child extends ChildReports implements Killable {

  /** In place of a number of messages between two flushes: a call that returns is acknowledged. */
  public static final int EACH_CALL = -1;

  /** What a child is to do; see {@link LoggingChild#main}. */
  public record Task(
      String name, int threads, long count, int flushEvery, int paceEvery, String atTheEnd) {}

  private final Program program;

  private Child(Task task, String xml, Path directory, List<String> options, String... around)
      throws IOException {
    super(directory, task, xml);
    List<String> command = new ArrayList<>(List.of(around));
    command.add(Program.ofJdk("java"));
    command.addAll(Program.QUICK);
    command.addAll(options);
    command.addAll(mainAndArguments(directory));
    program = Program.start(directory, command);
  }

  /**
   * Starts one.
   *
   * @param reports an existing directory of this child's own
   * @param around a command that takes the child's command as its arguments, or nothing
   */
  public static Child start(Task task, String xml, Path reports, String... around)
      throws IOException {
    return startWith(List.of(), task, xml, reports, around);
  }

  /** As another user, who can read this class path; gets the directory for the reports. */
  public static Child startAs(
      OtherUser user, String classPath, Task task, String xml, Path reports, String... around)
      throws IOException {
    Progress.at(reports.resolve("progress"));
    user.own(reports);
    List<String> options = List.of("-Xmx64m", "-Djava.io.tmpdir=" + reports, "-cp", classPath);
    return new Child(task, xml, reports, options, user.command(around));
  }

  /** As the first, in a JVM with more options. */
  public static Child startWith(
      List<String> more, Task task, String xml, Path reports, String... around) throws IOException {
    List<String> options = new ArrayList<>(archive());
    options.addAll(List.of("-Xmx128m", "-cp", classPath()));
    options.addAll(more);
    return new Child(task, xml, reports, options, around);
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

  /** Waits until the child's main method runs. */
  public void awaitUp() {
    Await.process("child is up: " + output(), () -> progress().isUp() || !isAlive());
  }

  /** Waits until a thread of the child has begun to log so many messages. */
  public void awaitOffered(int thread, long messages) {
    Await.process(
        "child logged " + messages, () -> progress().offered(thread) >= messages || !isAlive());
  }

  /** Kills it like {@code kill -9} and waits until it is gone. */
  public void kill() throws IOException, InterruptedException {
    program.kill();
  }

  @Override
  public void signal(String name) throws IOException, InterruptedException {
    program.signal(name);
  }

  @Override
  public void release() throws IOException {
    program.closeInput();
  }

  @Override
  public int awaitEnd() throws IOException, InterruptedException {
    return program.awaitEnd();
  }

  /** Its process id, or, under a command around it that stays, that command's. */
  public long pid() {
    return program.pid();
  }

  @Override
  public boolean isAlive() {
    return program.isAlive();
  }

  /** Ends it. None of its log calls took too long. */
  @Override
  public void close() throws IOException {
    program.close();
    requireCeiling();
  }
}
