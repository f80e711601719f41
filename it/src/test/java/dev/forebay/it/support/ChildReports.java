package dev.forebay.it.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory in which a {@link LoggingChild} finds what it is to do and leaves what it did,
 * wherever it runs.
 */
public class ChildReports {

  /** While this file stands, the parent holds the child; without it, while the pipe is open. */
  static final String HELD = "held";

  private final Path directory;
  private final Child.Task task;
  private final Progress progress;

  ChildReports(Path directory, Child.Task task, String xml) throws IOException {
    this.directory = directory;
    this.task = task;
    Files.writeString(directory.resolve("logback.xml"), xml);
    this.progress = Progress.at(directory.resolve("progress"));
  }

  /** Prepares an existing directory of this child's own. */
  public static ChildReports in(Path directory, Child.Task task, String xml) throws IOException {
    return new ChildReports(directory, task, xml);
  }

  /**
   * The end of the command line.
   *
   * @param seen where the child sees this directory
   */
  public List<String> mainAndArguments(Path seen) {
    return List.of(
        LoggingChild.class.getName(),
        seen.resolve("logback.xml").toString(),
        seen.toString(),
        task.name(),
        String.valueOf(task.threads()),
        String.valueOf(task.count()),
        String.valueOf(task.flushEvery()),
        String.valueOf(task.paceEvery()),
        task.atTheEnd());
  }

  /** Holds a child that has no pipe to its parent, until {@link #release}. */
  public ChildReports hold() throws IOException {
    Files.createFile(directory.resolve(HELD));
    return this;
  }

  /** Lets a child that is held, or waits, go on to its end. */
  public void release() throws IOException {
    Files.delete(directory.resolve(HELD));
  }

  public Progress progress() {
    return progress;
  }

  public String producer(int thread) {
    return task.name() + "-" + thread;
  }

  /** Messages that all its threads began to log. */
  public long offered() {
    long offered = 0;
    for (int thread = 0; thread < task.threads(); thread++) {
      offered += progress.offered(thread);
    }
    return offered;
  }

  /** Tells the oracle what this child says it did. */
  public void tell(Oracle oracle) {
    for (int thread = 0; thread < task.threads(); thread++) {
      oracle.producer(producer(thread), progress.acked(thread), progress.offered(thread));
    }
  }

  /** Messages that it began to log and that are not in the log. */
  public long lost(Oracle.Verdict verdict) {
    long lines = 0;
    for (int thread = 0; thread < task.threads(); thread++) {
      lines += verdict.lines().getOrDefault(producer(thread), 0L);
    }
    return offered() - lines;
  }

  /** Fails if one of its log calls took too long. */
  public void requireCeiling() throws IOException {
    CallTimes.requireCeiling(progress.longestOwnCallNs(), text("logback.xml"));
  }

  /** The account at its end; "" when there was none. */
  public String account() throws IOException {
    return text("account");
  }

  /** How many events its account says were dropped. */
  public long dropped() throws IOException {
    Matcher matcher = Pattern.compile(" dropped (\\d+) ").matcher(account());
    if (!matcher.find()) {
      throw new AssertionError("no account: " + output());
    }
    return Long.parseLong(matcher.group(1));
  }

  /** Its warnings so far. */
  public String status() throws IOException {
    return text("status");
  }

  /** What it wrote on its console, where that is kept here. */
  public String output() {
    try {
      return Files.readString(directory.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private String text(String name) throws IOException {
    Path file = directory.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "";
  }
}
