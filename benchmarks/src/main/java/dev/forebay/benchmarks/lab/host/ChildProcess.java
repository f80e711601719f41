package dev.forebay.benchmarks.lab.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A measured JVM. What it says to the lab (lines that begin with {@code lab:}) drives the fault,
 * everything else goes into a file. Closing kills it.
 */
final class ChildProcess implements AutoCloseable {

  private static final String TO_LAB = "lab:";
  private static final long KILL_SECONDS = 30;
  private static final long LAST_WORDS_MS = 5_000;

  private final Process process;
  private final Path log;
  private final Disturbance disturbance;
  private final Thread reader;

  /** These are written by the reader. */
  private volatile boolean isDone;

  private volatile @Nullable String failure;
  private volatile String lastWords = "";

  private ChildProcess(Process process, Path log, Disturbance disturbance) {
    this.process = process;
    this.log = log;
    this.disturbance = disturbance;
    this.reader = new Thread(this::read, "lab-child");
  }

  static ChildProcess start(List<String> command, Path log, Disturbance disturbance)
      throws IOException {
    ChildProcess child =
        new ChildProcess(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start(),
            log,
            disturbance);
    child.reader.setDaemon(true);
    child.reader.start();
    return child;
  }

  private void read() {
    try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Writer other = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(TO_LAB)) {
          obey(line.substring(TO_LAB.length()));
        } else {
          other.write(line + "\n");
          other.flush();
          if (!line.isBlank()) {
            lastWords = line.strip();
          }
        }
      }
    } catch (IOException e) {
      failure = "its output could not be read: " + e.getMessage();
      process.destroyForcibly();
    }
  }

  private void obey(String line) {
    String[] words = line.split(" ", 2);
    String rest = words.length > 1 ? words[1] : "";
    try {
      switch (words[0]) {
        case "ready" -> disturbance.ready();
        case "measuring" -> disturbance.measuring(Long.parseLong(rest));
        case "measured" -> disturbance.measured(Long.parseLong(rest));
        case "done" -> isDone = true;
        case "failed" -> failure = "failed: " + rest;
        default -> failure = "said what nobody understands: " + line;
      }
    } catch (IOException | NumberFormatException e) {
      failure = "after " + TO_LAB + line + ": " + e;
      process.destroyForcibly();
    }
  }

  /** Waits for its end, at most so long. True when it has ended. */
  boolean hasEndedWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why there is no result, once it has ended; null when there is one. */
  @Nullable String failure() throws InterruptedException {
    reader.join(LAST_WORDS_MS);
    String said = failure;
    if (said != null) {
      return said;
    }
    if (process.exitValue() != 0) {
      return "ended with exit code "
          + process.exitValue()
          + (lastWords.isEmpty() ? "" : ": " + lastWords);
    }
    return isDone ? null : "ended without a result";
  }

  /** Kills it without waiting: on a frozen disk it cannot die. */
  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Waits until it is dead, for as long as that is of use. */
  void bury() throws InterruptedException {
    process.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
    reader.join(LAST_WORDS_MS);
  }
}
