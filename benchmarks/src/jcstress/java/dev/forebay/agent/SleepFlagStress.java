package dev.forebay.agent;

import dev.forebay.shaded.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Work is handed to an agent that is about to sleep without a timer. */
public final class SleepFlagStress {

  private static final int SLOTS = 4;

  private SleepFlagStress() {}

  /** The flag, the signal, and the queue of the ring: its claim of a slot is the full fence. */
  static class Shared {
    final SleepFlag flag = new SleepFlag();
    final WakeSignal signal = new WakeSignal();
    final MpscVarHandleArrayQueue<Object> queue = new MpscVarHandleArrayQueue<>(SLOTS);

    /** Whether the caller unparks the agent. */
    boolean offer() {
      boolean unused = queue.offerIfBelowThreshold(this, SLOTS);
      long sleep = flag.number();
      if (sleep == 0) {
        return false;
      }
      signal.raise();
      flag.lower(sleep);
      return true;
    }

    /** Whether the agent parks. */
    boolean fallAsleep() {
      signal.beginTurn();
      flag.raise();
      boolean parks = queue.size() == 0 && signal.beginPark();
      if (!parks) {
        flag.lower();
      }
      return parks;
    }
  }

  /** An event against an agent that falls asleep. The results: the caller unparks, it parks. */
  @JCStressTest
  @State
  @Outcome(
      id = "false, true",
      expect = Expect.FORBIDDEN,
      desc = "Sleeps on the event, and nobody wakes it.")
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Looked too early, and is woken.")
  @Outcome(
      id = "false, false",
      expect = Expect.ACCEPTABLE,
      desc = "Saw the event; the caller pays nothing.")
  @Outcome(
      id = "true, false",
      expect = Expect.ACCEPTABLE,
      desc = "Both saw each other: one unpark for nothing.")
  public static class OfferAgainstSleep extends Shared {

    @Actor
    public void caller(ZZ_Result result) {
      result.r1 = offer();
    }

    @Actor
    public void agent(ZZ_Result result) {
      result.r2 = fallAsleep();
    }
  }

  /** Two events meet one sleep: if none of the callers unparks, no one may sleep. */
  @JCStressTest
  @State
  @Outcome(
      id = {"true, false", "false, true", "true, true"},
      expect = Expect.ACCEPTABLE,
      desc = "One of them wakes the agent, at times both.")
  @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Each relied on the other.")
  public static class TwoOffers extends Shared {

    public TwoOffers() {
      flag.raise();
      signal.beginPark();
    }

    @Actor
    public void first(ZZ_Result result) {
      result.r1 = offer();
    }

    @Actor
    public void second(ZZ_Result result) {
      result.r2 = offer();
    }
  }

  /** A caller that woke the agent from one sleep is suspended until the next. */
  @JCStressTest
  @State
  @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The flag of the next sleep is up.")
  @Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "The agent sleeps, and nobody knows.")
  public static class LateWaker {

    private final SleepFlag flag = new SleepFlag();
    private final long first;

    public LateWaker() {
      flag.raise();
      first = flag.number();
    }

    @Actor
    public void waker() {
      flag.lower(first);
    }

    @Actor
    public void agent() {
      flag.lower();
      flag.raise();
    }

    @Arbiter
    public void look(Z_Result result) {
      result.r1 = flag.isUp();
    }
  }

  /** Two sleepers: whoever has news wakes the first, which wakes the second when it awakes. */
  static class Relay {
    final SleepFlag first = new SleepFlag();
    final SleepFlag second = new SleepFlag();
    volatile boolean news;

    /** Whether the second one sleeps until it is woken. */
    boolean secondSleeps() {
      second.raise();
      boolean sleeps = first.isUp() && !news;
      if (!sleeps) {
        second.lower();
      }
      return sleeps;
    }
  }

  /** The first awakes while the second falls asleep. The results: it wakes it, that one sleeps. */
  @JCStressTest
  @State
  @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Sleeps while the other is awake.")
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Looked too early, and is woken.")
  @Outcome(
      id = {"false, false", "true, false"},
      expect = Expect.ACCEPTABLE,
      desc = "Saw it awake, and polls.")
  public static class AwakeAgainstSleep extends Relay {

    public AwakeAgainstSleep() {
      first.raise();
    }

    @Actor
    public void first(ZZ_Result result) {
      first.lower();
      result.r1 = second.isUp();
    }

    @Actor
    public void second(ZZ_Result result) {
      result.r2 = secondSleeps();
    }
  }

  /** News while both fall asleep. The results: the first is woken, the second sleeps. */
  @JCStressTest
  @State
  @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Sleeps on news; nobody tells it.")
  @Outcome(
      id = {"true, true", "true, false", "false, false"},
      expect = Expect.ACCEPTABLE,
      desc = "Polls, or the first is woken and wakes it.")
  public static class NewsAgainstBoth extends Relay {

    @Actor
    public void whoHasNews(ZZ_Result result) {
      news = true;
      result.r1 = first.isUp();
    }

    @Actor
    public void first() {
      first.raise();
    }

    @Actor
    public void second(ZZ_Result result) {
      result.r2 = secondSleeps();
    }
  }

  /** A thread hands its agent over to the one that waits for all that sleep. */
  static class HandOver {
    final WakeSignal signal = new WakeSignal();

    /** Whether who wakes the agent unparks the one that waits. */
    volatile boolean isReplaced;

    HandOver() {
      signal.beginPark();
    }

    /** Whether the one that waits leaves it asleep. */
    boolean sleeps() {
      isReplaced = true;
      return !signal.isRaised();
    }
  }

  /** A wake meets that. The results: the one that waits is unparked; it leaves the agent asleep. */
  @JCStressTest
  @State
  @Outcome(
      id = "false, true",
      expect = Expect.FORBIDDEN,
      desc = "Only the thread that is gone was unparked.")
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Looked too early; looks again.")
  @Outcome(
      id = {"false, false", "true, false"},
      expect = Expect.ACCEPTABLE,
      desc = "Saw the signal.")
  public static class WakeAgainstHandOver extends HandOver {

    @Actor
    public void waker(ZZ_Result result) {
      signal.raise();
      result.r1 = isReplaced;
    }

    @Actor
    public void agent(ZZ_Result result) {
      result.r2 = sleeps();
    }
  }

  /** The same with a wake that makes no request. */
  @JCStressTest
  @State
  @Outcome(
      id = "false, true",
      expect = Expect.FORBIDDEN,
      desc = "Only the thread that is gone was unparked.")
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Looked too early; looks again.")
  @Outcome(
      id = {"false, false", "true, false"},
      expect = Expect.ACCEPTABLE,
      desc = "Saw that it is not parked.")
  public static class WakeIfParkedAgainstHandOver extends HandOver {

    @Actor
    public void waker(ZZ_Result result) {
      result.r1 = signal.raiseIfParked() && isReplaced;
    }

    @Actor
    public void agent(ZZ_Result result) {
      result.r2 = sleeps();
    }
  }
}
