package dev.forebay.benchmarks.lab.jvm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The second log of a measured JVM: its safepoints, on tmpfs whatever the first one does. The lines
 * of both have the time of System.nanoTime.
 */
public final class SafepointLog {

  /** A pause that LinkedIn's users noticed. */
  public static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final Pattern LINE = Pattern.compile("\\[(\\d+)ns\\].*, Total: +(\\d+) ns");
  private static final Pattern TIME = Pattern.compile("^\\[(\\d+)ns\\]");
  private static final Pattern DROPPED =
      Pattern.compile("(\\d+) messages? dropped due to async logging");
  private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

  private record Safepoint(long endNs, long lengthNs) {}

  private SafepointLog() {}

  /** Option of the JVM that makes it. */
  public static String option(Path file) {
    return LogPlaces.output("safepoint=info", file);
  }

  /**
   * Adds the figures.
   *
   * @param originNs begin of the measured time
   * @param faultFromMs begin of the fault after that, -1 without one
   * @param faultToMs its end
   */
  public static void figures(
      Path file, long originNs, long faultFromMs, long faultToMs, Map<JvmFigure, Double> to)
      throws IOException {
    List<Safepoint> all = read(file).stream().filter(one -> one.endNs >= originNs).toList();
    long fromNs = originNs + faultFromMs * NS_PER_MS;
    long untilNs = originNs + faultToMs * NS_PER_MS;
    put(to, JvmFigure.SAFEPOINTS, all.size());
    put(to, JvmFigure.LONG_SAFEPOINTS, all.stream().filter(one -> one.lengthNs > LONG_NS).count());
    put(to, JvmFigure.SUM_NS, all.stream().mapToLong(Safepoint::lengthNs).sum());
    put(to, JvmFigure.LONGEST_NS, longest(all.stream()));
    if (!all.isEmpty()) {
      put(
          to,
          JvmFigure.MEDIAN_NS,
          all.stream().map(Safepoint::lengthNs).sorted().toList().get(all.size() / 2));
    }
    if (faultFromMs >= 0) {
      put(
          to,
          JvmFigure.LONGEST_IN_FAULT_NS,
          longest(
              all.stream()
                  .filter(one -> one.endNs >= fromNs && one.endNs - one.lengthNs <= untilNs)));
    }
  }

  private static List<Safepoint> read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines
          .map(LINE::matcher)
          .filter(Matcher::find)
          .map(line -> new Safepoint(Long.parseLong(line.group(1)), Long.parseLong(line.group(2))))
          .toList();
    }
  }

  private static long longest(Stream<Safepoint> safepoints) {
    return safepoints.mapToLong(Safepoint::lengthNs).max().orElse(0);
  }

  /**
   * Adds how many messages the JVM says in its log that it dropped, and how many lines the log has.
   *
   * @param originNs lines with an earlier time do not count
   */
  public static void dropped(Path log, long originNs, Map<JvmFigure, Double> to)
      throws IOException {
    long dropped = 0;
    long count = 0;
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher said = DROPPED.matcher(line);
        dropped += said.find() ? Long.parseLong(said.group(1)) : 0;
        Matcher time = TIME.matcher(line);
        count += !time.find() || Long.parseLong(time.group(1)) >= originNs ? 1 : 0;
      }
    }
    put(to, JvmFigure.DROPPED, dropped);
    put(to, JvmFigure.LINES, count);
  }

  private static void put(Map<JvmFigure, Double> to, JvmFigure figure, long value) {
    to.put(figure, (double) value);
  }
}
