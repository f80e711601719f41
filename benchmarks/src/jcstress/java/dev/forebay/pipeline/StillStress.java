package dev.forebay.pipeline;

import dev.forebay.agent.TimeLimit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two calls that look at once how long nothing has been written. The result: how many looks, a
 * second apart, are left until calls give up.
 */
public final class StillStress {

  private static final long GAP_NS = TimeLimit.MAX_GAP_NS;

  /** Without any gap before. */
  private static final int LOOKS = (int) (CallTurns.STILL_NS / GAP_NS) - 1;

  private StillStress() {}

  /** Turns whose clock stands while two look, a minute after the last look. */
  private static class Turns {
    private long nowNs = GAP_NS;
    private final CallTurns turns = TurnStress.turns(() -> nowNs);

    /**
     * @param stillLooks after the look at new progress
     */
    Turns(int stillLooks) {
      boolean unused = turns.lookForMoves(0);
      for (int i = 0; i < stillLooks; i++) {
        nowNs += GAP_NS;
        unused = turns.lookForMoves(0);
      }
      nowNs += 60 * GAP_NS;
    }

    void look(long progress) {
      boolean unused = turns.lookForMoves(progress);
    }

    int looksLeft(long progress) {
      int looks = -1;
      boolean isMoving;
      do {
        nowNs += GAP_NS;
        looks++;
        isMoving = turns.lookForMoves(progress);
      } while (isMoving);
      return looks;
    }
  }

  /** Nothing is written meanwhile. */
  @JCStressTest
  @State
  @Outcome(id = "13", expect = Expect.ACCEPTABLE, desc = "The gap counts once.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "It counts twice, or not at all.")
  public static class OneGap extends Turns {
    public OneGap() {
      super(0);
    }

    @Actor
    public void first() {
      look(0);
    }

    @Actor
    public void second() {
      look(0);
    }

    @Arbiter
    public void end(I_Result result) {
      result.r1 = looksLeft(0);
    }
  }

  /** One of them sees what has been written since the other looked at the count. */
  @JCStressTest
  @State
  @Outcome(id = "1[345]", expect = Expect.ACCEPTABLE, desc = "It begins anew, with a gap at most.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The time before is still counted.")
  public static class Progress extends Turns {
    public Progress() {
      super(LOOKS);
    }

    @Actor
    public void before() {
      look(0);
    }

    @Actor
    public void after() {
      look(1);
    }

    @Arbiter
    public void end(I_Result result) {
      result.r1 = looksLeft(1);
    }
  }
}
