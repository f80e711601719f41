package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Says what a measured JVM says and measures nothing. How it behaves is its first argument. */
public final class FakeChild {

  private static final long BETWEEN_LINES_NS = 1_000_000;

  private FakeChild() {}

  /** Behaviour, then the arguments of a child. */
  public static void main(String[] args) throws Exception {
    String behaviour = args[0];
    Scenario scenario = Scenario.valueOf(nameOf(args[1]));
    Peer peer = Peer.valueOf(nameOf(args[2]));
    Path logs = Path.of(args[4]);
    say("ready");
    if (behaviour.equals("fails")) {
      System.err.println("a stack trace");
      say("failed no such appender");
      System.exit(1);
    }
    if (behaviour.equals("dies")) {
      System.err.println("the last words");
      System.exit(3);
    }
    say("measuring " + System.nanoTime());
    if (behaviour.startsWith("writes for ")) {
      writeFor(Long.parseLong(behaviour.substring("writes for ".length())), logs);
    }
    say("measured " + System.nanoTime());
    Histogram calls = new Histogram(3);
    calls.recordValue(140);
    double lines = behaviour.equals("loses") ? 90 : 100;
    JsonLines.append(
        Path.of(args[6]),
        new Measurement(
            scenario,
            peer,
            Integer.parseInt(args[3]),
            Map.of(Figure.OFFERED, 100.0, Figure.LINES, lines, Figure.ELAPSED_NS, 1e9),
            calls,
            List.of(140L),
            -1,
            -1,
            null));
    say("done");
  }

  private static void writeFor(long ms, Path logs) throws Exception {
    long end = System.nanoTime() + ms * 1_000_000;
    while (System.nanoTime() < end) {
      Files.writeString(logs.resolve("log"), "a line\n");
      LockSupport.parkNanos(BETWEEN_LINES_NS);
    }
  }

  private static String nameOf(String id) {
    return id.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private static void say(String line) {
    System.out.println("lab:" + line);
    System.out.flush();
  }
}
