package dev.forebay.it.demo;

/**
 * Finds, while the applications warm up, how many requests a second this machine can answer: the
 * rate grows as long as the median request of either application is short, and falls when it is
 * not. The rate that is chosen has shown for two steps that it can be kept.
 */
final class Calibration {

  static final int MOST = 150;
  static final int LEAST = 10;

  /** A median above this: requests wait for processors. */
  static final long MEDIAN_LIMIT_NS = 50_000_000;

  private static final int START = 30;
  private static final double GROWTH = 1.5;
  private static final double FALL = 0.5;

  /** Below the best rate, so that processors are left for a disk that comes back. */
  private static final double MARGIN = 0.7;

  /** Steps for growing; the virtual machines compile in them. */
  private static final int GROWING = 9;

  /** As many where no later step than {@link #COLD} was bad, so that the limit is not known. */
  private static final int LONG_GROWING = 17;

  private static final int COLD = 10;
  private static final int STEPS = 20;
  private static final int KEPT = 2;

  private int rate = START;
  private int steps;

  /** The highest rate that could be kept; falls with a step that could not. */
  private int best = LEAST;

  /** The last step that could not be kept. */
  private int lastBad;

  private boolean isGrowing = true;

  /** Good steps in a row at this rate. */
  private int kept;

  /** Requests a second, for each application, in the step that is now due. */
  int rate() {
    return rate;
  }

  /** Whether the rate is final. */
  boolean isSettled() {
    return steps >= STEPS || steps >= GROWING && kept >= KEPT;
  }

  /**
   * Reports one step of a second.
   *
   * @param medianNs of the requests answered in it, of the slower application
   * @param pending requests due but not answered, of the application that has more of them
   */
  void step(long medianNs, long pending) {
    steps++;
    boolean isKept = medianNs <= MEDIAN_LIMIT_NS && pending <= mayBePending();
    int tried = rate;
    boolean grew = isGrowing;
    lastBad = isKept ? lastBad : steps;
    isGrowing = grew && (steps < GROWING || steps < LONG_GROWING && lastBad <= COLD);
    best = isKept ? Math.max(best, tried) : Math.max(LEAST, Math.min(best, fallen(tried)));
    if (!isKept) {
      rate = fallen(tried);
    } else if (isGrowing) {
      rate = Math.min(MOST, (int) (tried * GROWTH));
    } else if (grew && tried < MOST) {
      rate = Math.max(LEAST, (int) (best * MARGIN));
    }
    kept = !isKept ? 0 : rate == tried ? kept + 1 : 0;
  }

  private static int fallen(int tried) {
    return Math.max(LEAST, (int) (tried * FALL));
  }

  /** Those of a tenth of a second, or a few. */
  private int mayBePending() {
    return Math.max(3, rate / 10);
  }
}
