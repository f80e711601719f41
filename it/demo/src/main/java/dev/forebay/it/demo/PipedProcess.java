package dev.forebay.it.demo;

import dev.forebay.host.ChildJvm;
import dev.forebay.host.PipeReader;
import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.PipedApp;
import dev.forebay.it.demo.app.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JVM of a {@link PipedApp}, the reader of its log and the reader of what it says of itself.
 */
final class PipedProcess implements AutoCloseable {

  private static final long END_SECONDS = 60;
  private static final Pattern LINE = Pattern.compile(".* worker (\\d+) served request (\\d+)");

  private final String title;
  private final Process process;
  private final PipeReader log;
  private final PipeReader words;

  /** Written by the reader of the log, read by the main thread. */
  private final AtomicLong lines = new AtomicLong();

  private final AtomicLong invalid = new AtomicLong();
  private volatile String firstInvalid = "";

  /** For the reader of the log: which request of each worker comes next. */
  private final long[] next = new long[PipedApp.THREADS];

  /** Written by the reader of the figures. */
  private volatile Figures figures = Figures.NONE;

  private PipedProcess(String title, Process process) {
    this.title = title;
    this.process = process;
    this.log = PipeReader.of(process.getInputStream(), this::count);
    this.words = PipeReader.of(process.getErrorStream(), this::understand);
  }

  /** Starts one that logs through this class. */
  static PipedProcess start(Class<?> appender, Path work) throws IOException {
    List<String> command = ChildJvm.command(List.of("-Xmx64m"), PipedApp.class, appender.getName());
    Process process = new ProcessBuilder(command).directory(work.toFile()).start();
    return new PipedProcess(appender.getSimpleName(), process);
  }

  private void count(String line) {
    lines.incrementAndGet();
    Matcher matcher = LINE.matcher(line);
    int worker = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    boolean isNext = worker >= 0 && Long.parseLong(matcher.group(2)) == next[worker]++;
    if (!isNext && invalid.getAndIncrement() == 0) {
      firstInvalid = line;
    }
  }

  private void understand(String line) {
    if (line.startsWith("{")) {
      figures = Told.parse(line).figures();
    } else {
      System.err.println(title + ": " + line);
    }
  }

  String title() {
    return title;
  }

  /** Lets the collector of its log read, or not. */
  void read(boolean isWanted) {
    log.read(isWanted ? PipeReader.FAST : PipeReader.STALLED);
  }

  /** Whether it logs and tells its figures. */
  boolean isUp() {
    return lines() > 0 && figures.get(Figures.COUNTED) > 0;
  }

  /** Lines that the collector has got. */
  long lines() {
    return lines.get();
  }

  /** The newest figures it told. */
  Figures figures() {
    return figures;
  }

  /** Lets it end, and reads to the last line. */
  void end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(title + " does not end");
    }
    log.awaitEnd();
    words.awaitEnd();
  }

  /** Where its events went; known at its end. A line out of order counts as invalid. */
  Account account() {
    return new Account(figures, new LogFiles(1, lines.get(), invalid.get(), firstInvalid));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
