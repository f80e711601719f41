package dev.forebay.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Somebody puts work where the agent looks for it and rings, while the agent ends a turn and parks.
 * The results: the ringer unparks; the agent saw the work; the agent parks.
 */
public final class WakeSignalStress {

  private WakeSignalStress() {}

  /** As the ring's queue publishes an element, and as its consumer reads it. */
  private static final VarHandle WORK;

  static {
    try {
      WORK = MethodHandles.lookup().findVarHandle(Shared.class, "work", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The signal and the work. */
  static class Shared {
    final WakeSignal wakeSignal = new WakeSignal();

    @SuppressWarnings("unused") // through WORK
    boolean work;

    boolean putWorkAndRing() {
      WORK.setRelease(this, true);
      return wakeSignal.raise();
    }

    void turnAndPark(ZZZ_Result result) {
      wakeSignal.beginTurn();
      result.r2 = (boolean) WORK.getAcquire(this);
      result.r3 = wakeSignal.beginPark();
    }
  }

  /** Nobody has rung before. */
  @JCStressTest
  @State
  @Outcome(
      id = "false, false, true",
      expect = Expect.FORBIDDEN,
      desc = "Parks without having seen the work, and nobody unparks it: the signal is lost.")
  @Outcome(
      id = "true, false, true",
      expect = Expect.ACCEPTABLE,
      desc = "Parks without having seen the work; the ringer saw that and ends the park.")
  @Outcome(
      id = "false, true, true",
      expect = Expect.ACCEPTABLE,
      desc = "The agent saw the work and took the request, so it may park.")
  @Outcome(
      id = "true, true, true",
      expect = Expect.ACCEPTABLE,
      desc = "Parks after the work, and is unparked once for nothing.")
  @Outcome(
      id = "false, false, false",
      expect = Expect.ACCEPTABLE,
      desc = "Too early for the work, but sees the request and takes another turn.")
  @Outcome(
      id = "false, true, false",
      expect = Expect.ACCEPTABLE,
      desc = "Saw the work, sees the request as well and takes another turn.")
  @Outcome(
      id = "true, false, false",
      expect = Expect.ACCEPTABLE,
      desc = "Both saw each other: another turn, and one unpark for nothing.")
  @Outcome(
      id = "true, true, false",
      expect = Expect.ACCEPTABLE,
      desc = "As before, with the work seen already.")
  public static class FirstAlarm extends Shared {

    @Actor
    public void ringer(ZZZ_Result result) {
      result.r1 = putWorkAndRing();
    }

    @Actor
    public void agent(ZZZ_Result result) {
      turnAndPark(result);
    }
  }

  /** An earlier request is still up when the work comes: the ringer must not rely on it. */
  @JCStressTest
  @State
  @Outcome(
      id = "false, false, true",
      expect = Expect.FORBIDDEN,
      desc = "The agent took the earlier request only, and parks on the new work.")
  @Outcome(
      id = {"true, false, true", "false, false, false", "true, false, false"},
      expect = Expect.ACCEPTABLE,
      desc = "Too early for the work, and told so by the request, the unpark or both.")
  @Outcome(
      id = {"false, true, true", "true, true, true", "false, true, false", "true, true, false"},
      expect = Expect.ACCEPTABLE,
      desc = "Saw the work; whatever the signal does costs a turn at most.")
  public static class SecondAlarm extends Shared {

    public SecondAlarm() {
      wakeSignal.raise();
    }

    @Actor
    public void ringer(ZZZ_Result result) {
      result.r1 = putWorkAndRing();
    }

    @Actor
    public void agent(ZZZ_Result result) {
      turnAndPark(result);
    }
  }

  /** Two ring during one park. */
  @JCStressTest
  @State
  @Outcome(
      id = {"true, false, false", "false, true, false"},
      expect = Expect.ACCEPTABLE,
      desc = "One of them unparks, and the park is over.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Nobody unparks, or both do and pay for it.")
  public static class TwoRingers {

    private final WakeSignal wakeSignal = new WakeSignal();

    public TwoRingers() {
      wakeSignal.beginPark();
    }

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = wakeSignal.raise();
    }

    @Actor
    public void second(ZZZ_Result result) {
      result.r2 = wakeSignal.raiseIfParked();
    }
  }
}
