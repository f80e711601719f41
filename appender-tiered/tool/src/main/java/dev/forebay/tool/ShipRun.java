package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.ShippedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of the verb {@code ship}, from start to end, on the main thread. */
final class ShipRun {

  /** When a run ends by itself. */
  enum Until {
    STOPPED,
    ONCE,
    DRAINED
  }

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Of the time, for looks at what is left: they read spools. */
  private static final int LOOKING_PART = 5;

  /** After which a log that another process ships is left to it: ours needs a turn for its lock. */
  private static final long UNDECIDED_NS = TimeUnit.SECONDS.toNanos(2);

  private static final long STATUS_NS = TimeUnit.MINUTES.toNanos(1);

  /**
   * How a run ends.
   *
   * @param grace from the request to stop to the end
   * @param isChild whether a parent has waited before its request, and reports what is left
   */
  record Ending(Until until, Duration grace, boolean isChild) {

    // Of the grace time. A child ends before the parent, which waits for it.
    private static final int DRAINING_PERCENT = 80;
    private static final int CHILD_PERCENT = 15;
    private static final int WHOLE_PERCENT = 100;

    /** For what waits in spools. */
    Duration draining() {
      return isChild ? Duration.ZERO : part(DRAINING_PERCENT);
    }

    /** For the last commit, after that. */
    Duration closing() {
      return part(isChild ? CHILD_PERCENT : WHOLE_PERCENT - DRAINING_PERCENT);
    }

    private Duration part(int percent) {
      return grace.multipliedBy(percent).dividedBy(WHOLE_PERCENT);
    }
  }

  /** Of the time for the end, so that it is not left for a moment. */
  private static final int CLOSING_PERCENT = 80;

  /** Logs that are named at the end; of many, there is a common cause. */
  private static final int NAMED = 10;

  private final Shipping shipping;
  private final Ending ending;
  private final ShipStatus status;
  private final Messages messages;
  private final Pauses pauses;
  private final NanoClock clock;

  ShipRun(
      Shipping shipping,
      Ending ending,
      ShipStatus status,
      Messages messages,
      Pauses pauses,
      NanoClock clock) {
    this.shipping = shipping;
    this.ending = ending;
    this.status = status;
    this.messages = messages;
    this.pauses = pauses;
    this.clock = clock;
  }

  /** Returns the exit code. */
  int run() throws InterruptedException {
    shipping.start();
    status.print(shipping);
    Remaining remaining = untilItsEnd();
    List<ShippedLog> logs = shipping.logs();
    boolean isComplete = shipping.missing() == 0;
    close();
    status.print(shipping);
    List<ShippedLog> after = shipping.logs(); // the last commit may have come since
    List<ShippedLog> left = remaining.left(after.isEmpty() ? logs : after);
    if (!ending.isChild) {
      report(remaining, left);
    }
    return left.isEmpty() && isComplete ? Main.OK : Main.FINDINGS;
  }

  /** Returns what was to be shipped before the end. */
  private Remaining untilItsEnd() throws InterruptedException {
    Until until = ending.until;
    Remaining first = null; // of what was there at the start
    long startNs = clock.nanoTime();
    long statusNs = startNs;
    long progress = -1;
    long progressNs = startNs;
    while (true) {
      long nowNs = clock.nanoTime();
      if (until == Until.DRAINED && shipping.hasLooked() && shipping.isDrained()) {
        return new Remaining(shipping.logs());
      }
      if (until == Until.ONCE) {
        List<ShippedLog> logs = shipping.logs();
        long done = Remaining.progress(logs);
        progressNs = done == progress ? progressNs : nowNs;
        progress = done;
        boolean hasLooked = shipping.hasLooked();
        first = first == null && hasLooked ? new Remaining(logs) : first;
        boolean isUndecided = nowNs - startNs < UNDECIDED_NS && Remaining.isUndecided(logs);
        boolean isStuck = nowNs - progressNs >= ending.grace.toNanos();
        if (first != null && (isStuck || !(isUndecided || first.isPending(logs)))) {
          return first;
        }
      }
      if (nowNs - statusNs >= STATUS_NS) {
        statusNs = nowNs;
        status.print(shipping);
      }
      long statusInNs = STATUS_NS - (nowNs - statusNs);
      long idleNs = status.isWanted() ? statusInNs : Long.MAX_VALUE;
      if (pauses.isStopped(until == Until.STOPPED ? idleNs : Math.min(LOOK_NS, idleNs))) {
        return drain();
      }
    }
  }

  /** Ships what waits now; what is added meanwhile is for the next process. */
  private Remaining drain() {
    long startNs = clock.nanoTime();
    long beginNs = startNs;
    List<ShippedLog> logs = shipping.logs();
    Remaining remaining = new Remaining(logs);
    long limitNs = ending.draining().toNanos();
    while (remaining.isPending(logs) && clock.nanoTime() - startNs < limitNs) {
      long lookedNs = clock.nanoTime() - beginNs;
      pauses.pause(Math.max(LOOK_NS, (LOOKING_PART - 1) * lookedNs));
      beginNs = clock.nanoTime();
      logs = shipping.logs();
    }
    return remaining;
  }

  /** A disk that stands still does not keep the process: what is copied is compared later. */
  private void close() throws InterruptedException {
    long limitNs = ending.closing().toNanos();
    Thread closing =
        new Thread(() -> shipping.close(limitNs / 100 * CLOSING_PERCENT), "forebay-close");
    closing.setDaemon(true);
    closing.start();
    closing.join(Math.max(1, ending.closing().toMillis()));
    if (closing.isAlive()) {
      messages.warn(
          "a disk did not answer within %s: the process ends without a last commit, and the next one that ships compares"
              .formatted(Text.age(ending.closing())));
    }
  }

  private void report(Remaining remaining, List<ShippedLog> left) {
    for (ShippedLog log : left.subList(0, Math.min(left.size(), NAMED))) {
      messages.warn(
          "%s lines of %s are left in %s%s; the next start of its application or of forebay ship writes them"
              .formatted(
                  Text.count(remaining.of(log)),
                  log.log().isEmpty() ? "an unknown log" : log.log(),
                  log.directory(),
                  log.fault().isEmpty() ? "" : ", since " + log.fault()));
    }
    if (left.size() > NAMED) {
      messages.warn(
          "%s lines of %d more logs are left; forebay ls lists them"
              .formatted(
                  Text.count(
                      left.subList(NAMED, left.size()).stream().mapToLong(remaining::of).sum()),
                  left.size() - NAMED));
    }
  }
}
