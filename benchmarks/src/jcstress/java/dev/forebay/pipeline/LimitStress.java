package dev.forebay.pipeline;

import dev.forebay.observe.DropCursor;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The bucket of a rate limit, and the counts of what it refuses. */
public final class LimitStress {

  private static final long TOKEN_NS = 1_000_000_000;

  private LimitStress() {}

  private static RateLimit limit(int burst) {
    return new RateLimit(new LimitSettings("", 1, burst, 0, Levels.COUNT), 0, null);
  }

  private static int take(RateLimit from, long nowNs) {
    return from.take(nowNs) ? 1 : 0;
  }

  /** Two log calls and one token. */
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One passed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "More passed than the bucket held, or fewer.")
  public static class TwoCallsOneToken {

    private final RateLimit limit = limit(1);

    @Actor
    public void first(II_Result result) {
      result.r1 = take(limit, 0);
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = take(limit, 0);
    }
  }

  /** Two log calls and two tokens. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 0, 1", expect = Expect.ACCEPTABLE, desc = "Both passed; one comes later.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One was refused, or took none.")
  public static class TwoCallsTwoTokens {

    private final RateLimit limit = limit(2);

    @Actor
    public void first(IIII_Result result) {
      result.r1 = take(limit, 0);
    }

    @Actor
    public void second(IIII_Result result) {
      result.r2 = take(limit, 0);
    }

    @Arbiter
    public void later(IIII_Result result) {
      result.r3 = take(limit, TOKEN_NS - 1);
      result.r4 = take(limit, TOKEN_NS);
    }
  }

  /** A call that read the clock before the other one's token came. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Each took its token.")
  @Outcome(
      id = "0, 1",
      expect = Expect.ACCEPTABLE,
      desc = "The slow call found none: the newer time had passed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A token is gone that nobody took.")
  public static class AnOldTimeBesideANewOne {

    private final RateLimit limit = limit(1);

    @Actor
    public void slow(II_Result result) {
      result.r1 = take(limit, 0);
    }

    @Actor
    public void fast(II_Result result) {
      result.r2 = take(limit, TOKEN_NS);
    }
  }

  /** The same message twice, where one may pass, as the second since the last one ends. */
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One passed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Both began a second of their own, or none passed.")
  public static class TwoOfOneMessage {

    private final Duplicates duplicates = new Duplicates(1, null);

    public TwoOfOneMessage() {
      log(0);
    }

    private int log(long nowNs) {
      return duplicates.nameOfSurplus("a", "m", nowNs) == null ? 1 : 0;
    }

    @Actor
    public void first(II_Result result) {
      result.r1 = log(TOKEN_NS);
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = log(TOKEN_NS);
    }
  }

  /** Two loggers that want the same slot, as their hash codes are the same, and a report. */
  @JCStressTest
  @State
  @Outcome(id = "2, 2, 1, 1", expect = Expect.ACCEPTABLE, desc = "Each event has its logger.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "An event, or its logger, is lost or there twice.")
  public static class TwoNewLoggers {

    private final Ledger ledger = new Ledger();
    private final DropCursor cursor = ledger.dropsInLog();

    public TwoNewLoggers() {
      ledger.countLimitedByLogger();
    }

    @Actor
    public void first() {
      ledger.limit(Levels.INFO, "Aa", 1);
    }

    @Actor
    public void second() {
      ledger.limit(Levels.INFO, "BB", 1);
    }

    @Arbiter
    public void report(IIII_Result result) {
      List<DropSummary> drops = cursor.advance();
      result.r1 = (int) ledger.snapshot().offered();
      result.r2 = (int) drops.get(0).count();
      result.r3 = drops.get(0).loggers().getOrDefault("Aa", 0L).intValue();
      result.r4 = drops.get(0).loggers().getOrDefault("BB", 0L).intValue();
    }
  }

  /** A report while an event is refused, and the next report. */
  @JCStressTest
  @State
  @Outcome(id = "0, 0, 1, 1", expect = Expect.ACCEPTABLE, desc = "It is in the next report.")
  @Outcome(id = "1, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "It is in the first one.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A report has the event without its logger.")
  public static class ReportAgainstRefusal {

    private final Ledger ledger = new Ledger();
    private final DropCursor cursor = ledger.dropsInLog();

    public ReportAgainstRefusal() {
      ledger.countLimitedByLogger();
    }

    @Actor
    public void call() {
      ledger.limit(Levels.INFO, "a", 1);
    }

    @Actor
    public void reporter(IIII_Result result) {
      List<DropSummary> drops = cursor.advance();
      result.r1 = events(drops);
      result.r2 = ofLogger(drops);
    }

    @Arbiter
    public void next(IIII_Result result) {
      List<DropSummary> drops = cursor.advance();
      result.r3 = events(drops);
      result.r4 = ofLogger(drops);
    }

    private static int events(List<DropSummary> drops) {
      return drops.isEmpty() ? 0 : (int) drops.get(0).count();
    }

    private static int ofLogger(List<DropSummary> drops) {
      return drops.isEmpty() ? 0 : drops.get(0).loggers().getOrDefault("a", 0L).intValue();
    }
  }
}
