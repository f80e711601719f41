package dev.forebay.tiered.file;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.NioDisk;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The shipper asks for clean-ups while the archivist looks for one. */
public final class CleanUpStress {

  private CleanUpStress() {}

  /** The result: which is the last that began, and how many did. */
  @JCStressTest
  @State
  @Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "The latest replaced the other.")
  @Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "Each began.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The latest is lost, or one began twice.")
  public static class TwoRolls {
    private final Archivist archivist =
        new Archivist(NioDisk.current(), NanoClock.SYSTEM, text -> {});
    private int last;
    private int begun;

    private Future<?> begin(int number) {
      last = number;
      begun++;
      return CompletableFuture.completedFuture(null);
    }

    @Actor
    public void shipper() {
      archivist.clean(() -> begin(1));
      archivist.clean(() -> begin(2));
    }

    @Actor
    public void archivist() {
      int unused = archivist.look(false);
    }

    @Arbiter
    public void end(II_Result result) {
      int unused = archivist.look(true);
      result.r1 = last;
      result.r2 = begun;
    }
  }
}
