package dev.forebay.benchmarks.lab.jvm;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What a measured program says to the lab that started it, and what it leaves. */
final class Host {

  private static final String CARRIED = "lab.carried";
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private Host() {}

  /** Option of the JVM for {@link #awaitLog}. */
  static String carried(Path log) {
    return "-D" + CARRIED + "=" + log;
  }

  /** Where an agent carries the log, waits until it does. */
  static void awaitLog() throws IOException {
    String carried = System.getProperty(CARRIED);
    if (carried == null) {
      return;
    }
    Path log = Path.of(carried);
    long beginNs = System.nanoTime();
    while (Files.notExists(log) || Files.size(log) == 0) {
      if (System.nanoTime() - beginNs > PATIENCE_NS) {
        throw new IOException("nothing arrives in " + log);
      }
      System.gc(); // so that there is something to carry
      parkUntil(System.nanoTime() + LOOK_NS);
    }
  }

  static void ready() {
    tell("ready");
  }

  /** The measured time begins; the time is that of System.nanoTime. */
  static void measuring(long ns) {
    tell("measuring " + ns);
  }

  static void measured(long ns) {
    tell("measured " + ns);
  }

  static void done() {
    tell("done");
  }

  private static void tell(String line) {
    System.out.println("lab:" + line);
    System.out.flush();
  }

  /** Leaves figures in a file. */
  static void leave(Map<JvmFigure, Double> figures, Path file) throws IOException {
    Properties lines = new Properties();
    figures.forEach((figure, value) -> lines.setProperty(figure.name(), value.toString()));
    try (Writer writer = Files.newBufferedWriter(file)) {
      lines.store(writer, null);
    }
  }

  /** Parks the calling thread. */
  static void parkUntil(long ns) {
    for (long left = ns - System.nanoTime(); left > 0; left = ns - System.nanoTime()) {
      LockSupport.parkNanos(Host.class, left);
    }
  }
}
