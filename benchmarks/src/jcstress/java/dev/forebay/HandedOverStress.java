package dev.forebay;

import ch.qos.logback.core.BasicStatusManager;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.TimeLimit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Messages come while the thread that says them ends. */
public final class HandedOverStress {

  private HandedOverStress() {}

  /** Two threads have one each. The result: how many are said. */
  @JCStressTest
  @State
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both are said, by one thread or two.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One relied on a thread that had ended.")
  public static class TwoMessages {
    private final AtomicInteger said = new AtomicInteger();
    private final HandedOver handed =
        new HandedOver(new BasicStatusManager(), new NonBlockingAppender());

    @Actor
    public void first() {
      handed.say(said::incrementAndGet);
    }

    @Actor
    public void second() {
      handed.say(said::incrementAndGet);
    }

    @Arbiter
    public void end(I_Result result) {
      handed.await(new TimeLimit(NanoClock.SYSTEM, TimeUnit.SECONDS.toNanos(10)));
      result.r1 = said.get();
    }
  }
}
