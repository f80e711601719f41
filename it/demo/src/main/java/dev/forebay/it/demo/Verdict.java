package dev.forebay.it.demo;

import dev.forebay.it.demo.Report.Side;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Which of the two applications was better off, by their figures alone.
 *
 * @param outcome "met" where Forebay was better and nowhere worse, "missed" where it was worse and
 *     nowhere better, else ""
 * @param sentence what it was better and worse in
 */
record Verdict(String outcome, String sentence) {

  /** Two longest latencies differ when one is so many times the other. */
  private static final long TIMES = 2;

  /** Shorter ones are all alike. */
  private static final long SHORT_NS = 1_000_000;

  /**
   * One thing that is compared.
   *
   * @param sign positive where Forebay was better, negative where it was worse
   */
  private record Point(int sign, String text) {}

  /** Compares both while the disk did not answer, and what became of their events and requests. */
  static Verdict of(Side forebay, Side async, double stalledSeconds) {
    List<Point> points =
        List.of(
            latency("the longest log call", forebay.calls(), async.calls()),
            latency("the longest request", forebay.http(), async.http()),
            count("failed requests", Side::failedRequests, forebay, async),
            count("events not in the log", side -> lost(side.account()), forebay, async));
    List<String> parts = new ArrayList<>();
    add(parts, "better than " + async.title() + " in ", points, 1);
    add(parts, "worse than " + async.title() + " in ", points, -1);
    add(parts, "no better and no worse in ", points, 0);
    boolean isSound = forebay.account().disagreements().isEmpty();
    String unsound = isSound ? "" : "; its account does NOT agree with its files";
    return new Verdict(
        outcome(points, isSound),
        String.format(
            Locale.ROOT,
            "While the disk did not answer for %.1f s, %s was %s%s.",
            stalledSeconds,
            forebay.title(),
            String.join(", ", parts),
            unsound));
  }

  private static String outcome(List<Point> points, boolean isSound) {
    boolean isBetter = points.stream().anyMatch(point -> point.sign > 0);
    boolean isWorse = !isSound || points.stream().anyMatch(point -> point.sign < 0);
    return isBetter == isWorse ? "" : isBetter ? "met" : "missed";
  }

  private static void add(List<String> parts, String begin, List<Point> points, int sign) {
    List<String> texts =
        points.stream().filter(point -> point.sign == sign).map(Point::text).toList();
    if (!texts.isEmpty()) {
      int last = texts.size() - 1;
      String all = String.join(", ", texts.subList(0, last));
      parts.add(begin + all + (last == 0 ? "" : " and ") + texts.get(last));
    }
  }

  private static Point latency(
      String what, Map<Phase, Latency> forebay, Map<Phase, Latency> async) {
    Latency ours = forebay.getOrDefault(Phase.DURING, Latency.NONE);
    Latency theirs = async.getOrDefault(Phase.DURING, Latency.NONE);
    if (ours.count() == 0 || theirs.count() == 0) {
      return new Point(0, what + " (not measured)");
    }
    long least = Math.max(SHORT_NS, Math.min(ours.maxNs(), theirs.maxNs()));
    boolean differs = Math.max(ours.maxNs(), theirs.maxNs()) >= TIMES * least;
    return new Point(
        differs ? Long.signum(theirs.maxNs() - ours.maxNs()) : 0,
        against(what, Report.duration(ours.maxNs()), Report.duration(theirs.maxNs())));
  }

  private static Point count(String what, ToLongFunction<Side> count, Side forebay, Side async) {
    long ours = count.applyAsLong(forebay);
    long theirs = count.applyAsLong(async);
    String text = against(what, String.format("%,d", ours), String.format("%,d", theirs));
    return new Point(Long.compare(theirs, ours), text);
  }

  /** Events that are not in the files, whether or not they are counted. */
  private static long lost(Account account) {
    return Math.max(0, account.offered() - account.files().lines());
  }

  private static String against(String what, String ours, String theirs) {
    return what + " (" + ours + " against " + theirs + ")";
  }
}
