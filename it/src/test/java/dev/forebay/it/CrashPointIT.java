package dev.forebay.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies before each call that changes a file in a short life with two rollovers, and
 * the start after it; and recoveries from each of those deaths that die themselves.
 *
 * <p>The build takes a sample. All of it:
 */
@Tag("soak")
class CrashPointIT {

  private static final String FIGURES = "crash-matrix.txt";

  /** Points of each life at which it is killed once. */
  private static final int POINTS = Integer.getInteger("forebay.crash.points", 3);

  /** Points of each life from which the recovery is killed too. */
  private static final int STATES = Integer.getInteger("forebay.crash.states", 1);

  /** How often the recovery from one of them is killed. */
  private static final int RECOVERIES = Integer.getInteger("forebay.crash.recoveries", 1);

  private static final String[] CALLS = {
    "pwrite64", "fdatasync", "fsync", "rename", "unlink", "rmdir", "mkdir", "openat"
  };

  @BeforeEach
  void requireStrace() throws Exception {
    assumeTrue(Strace.works(), "strace is missing or may not trace (ptrace)");
  }

  @ParameterizedTest
  @EnumSource
  void nothingSpooledIsMissingDoubledOrTornWhereverTheProcessDies(ShortLife life) throws Exception {
    long startNs = System.nanoTime();
    try (Places places = Places.create()) {
      CrashMatrix matrix = new CrashMatrix(life, places);
      List<Strace.Point> all = matrix.record();
      assertThat(all.stream().map(Strace.Point::call).distinct()).contains(CALLS);
      List<Strace.Point> points = Strace.sample(all, POINTS);
      for (Strace.Point point : points) {
        matrix.kill(point);
      }
      record("killed", life, matrix, points.size(), all.size(), startNs);
      assertThat(matrix.faults()).as("of " + points.size() + " points").isEmpty();
      // Threads share their work differently in every run, so a point may not be reached.
      assertThat(matrix.kills()).as("processes killed").isGreaterThan(points.size() / 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void norWhereverTheRecoveryDiesToo(ShortLife life) throws Exception {
    long startNs = System.nanoTime();
    try (Places places = Places.create()) {
      CrashMatrix matrix = new CrashMatrix(life, places);
      List<Strace.Point> all = matrix.record();
      List<Strace.Point> points = Strace.sample(all, STATES);
      for (int i = 0; i < points.size(); i++) {
        List<Strace.Point> inRecovery = matrix.killAndRecord(points.get(i));
        matrix.killAgain(points.get(i), share(inRecovery, i));
      }
      record("killed again", life, matrix, points.size(), all.size(), startNs);
      assertThat(matrix.faults()).as("of " + points.size() + " points").isEmpty();
      assertThat(matrix.killsInRecovery()).as("recoveries killed").isPositive();
    }
  }

  /** Evenly spread points of a recovery, others for each state, so that together all are taken. */
  private static List<Strace.Point> share(List<Strace.Point> all, int state) {
    int count = Math.min(RECOVERIES, all.size());
    List<Strace.Point> share = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int first = i * all.size() / count;
      int next = (i + 1) * all.size() / count;
      share.add(all.get(first + state % (next - first)));
    }
    return share;
  }

  private static void record(
      String how, ShortLife life, CrashMatrix matrix, int points, int all, long startNs)
      throws IOException {
    Figures.record(
        FIGURES,
        "%-12s %-8s %3d of %3d points: %4d lives killed, %4d recoveries killed (before %s), "
            + "%4d recoveries completed, %d violations, %.1f min",
        how,
        life,
        points,
        all,
        matrix.kills(),
        matrix.killsInRecovery(),
        matrix.recoveryCalls(),
        matrix.recoveries(),
        matrix.faults().size(),
        (System.nanoTime() - startNs) / 6e10);
  }
}
