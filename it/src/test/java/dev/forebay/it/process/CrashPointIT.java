package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Strace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies before each call that changes a file in a short life with two rollovers, and
 * the start after it; and recoveries from each of these deaths that die themselves, one after the
 * other, each a little later.
 *
 * <p>The build takes a sample. The whole matrix has about 250 points in four lives; from each, one
 * recovery completes and three are killed, at other points for each, so that together all points of
 * a recovery are hit. That is 500 killed lives and 750 killed recoveries: 35 minutes on two
 * processors that others keep busy too.
 */
@Tag("soak")
@Tag("nightly")
class CrashPointIT {

  private static final long SEED = 17;

  /** Points of each life at which it is killed, spread evenly. */
  private static final int POINTS = Integer.getInteger("forebay.crash.points", 2);

  /** From one in so many of these points the recovery is killed too. */
  private static final int AGAIN = Integer.getInteger("forebay.crash.again", 2);

  /** How often in succession. */
  private static final int RECOVERIES = Integer.getInteger("forebay.crash.recoveries", 1);

  @BeforeEach
  void requireStrace() throws Exception {
    assumeTrue(Strace.works(), Strace.MISSING);
  }

  @ParameterizedTest
  @EnumSource
  void nothingSpooledIsMissingDoubledOrTornWhereverTheProcessAndItsRecoveriesDie(ShortLife life)
      throws Exception {
    long startNs = System.nanoTime();
    try (Places places = Places.create()) {
      CrashMatrix matrix = new CrashMatrix(life, places);
      List<Strace.Point> all = matrix.record();
      assertThat(all.stream().map(Strace.Point::call).distinct())
          .contains(
              "pwrite64", "fdatasync", "fsync", "rename", "unlink", "rmdir", "mkdir", "openat");
      List<Strace.Point> points = Strace.sample(all, POINTS);
      for (int i = 0; i < points.size(); i++) {
        if (i % AGAIN == AGAIN / 2) {
          List<Strace.Point> inRecovery = matrix.killAndRecord(points.get(i));
          matrix.killAgain(points.get(i), share(inRecovery, i));
        } else {
          matrix.kill(points.get(i));
        }
      }
      takeOthersForPointsNotReached(matrix, all, points);
      double minutes = (System.nanoTime() - startNs) / 6e10;
      Figures.record(
          "crash-matrix.txt",
          "%-8s %3d of %3d points: %s, %.1f min",
          life,
          points.size(),
          all.size(),
          matrix,
          minutes);
      assertThat(matrix.faults()).as("of " + points.size() + " points").isEmpty();
      assertThat(matrix.kills()).as("lives killed").isGreaterThanOrEqualTo(points.size());
    }
  }

  /**
   * Threads share their work differently in every run, so a point of the recorded life may not be
   * reached in the next one. Others take its place until as many lives were killed as intended.
   */
  private static void takeOthersForPointsNotReached(
      CrashMatrix matrix, List<Strace.Point> all, List<Strace.Point> taken) throws Exception {
    List<Strace.Point> others = new ArrayList<>(all);
    others.removeAll(taken);
    Collections.shuffle(others, new Random(SEED));
    for (Strace.Point point : others) {
      if (matrix.kills() >= taken.size()) {
        return;
      }
      matrix.kill(point);
    }
  }

  /** Evenly spread points of a recovery, others for each state, so that together all are taken. */
  private static List<Strace.Point> share(List<Strace.Point> all, int state) {
    int count = Math.min(RECOVERIES, all.size());
    List<Strace.Point> share = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int first = i * all.size() / count;
      int length = (i + 1) * all.size() / count - first;
      share.add(all.get(first + (state + length / 2) % length));
    }
    return share;
  }
}
