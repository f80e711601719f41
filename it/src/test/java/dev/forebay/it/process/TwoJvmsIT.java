package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two processes on one log: one ships, the other spools until the first has gone. */
class TwoJvmsIT {

  private static final int FIRSTS = 200;

  @AutoClose private final Places places = Places.create();

  private String inner() {
    return places.xml() + Xml.FAST + Xml.MESSAGES;
  }

  /** How the first process goes. */
  private interface End {
    void of(Child first) throws Exception;
  }

  private void requireTakeOver(String fault, End end) throws Exception {
    Oracle oracle;
    try (Child first = startFirst();
        Tiered second = Tiered.with(inner());
        Load load = Load.on(second)) {
      requireSpoolingOnly(second, load);
      end.of(first);
      load.requireGoingOn();
      Await.until("taken over", () -> places.lines().size() > FIRSTS);
      second.calls().record(fault);
      load.requireGoingOn().stop();
      second.log("fresh", 0, 10).flush();
      assertThat(second.errors()).isEmpty();
      assertThat(second.warnings()).as("told once").hasSize(1);
      oracle = load.oracle().producer("fresh", 10, 10);
      first.tell(oracle);
    }
    oracle.complete(0).requireSound(places.lines());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  private Child startFirst() throws Exception {
    Child.Task task = new Child.Task("first", 1, FIRSTS, 100, 0, "wait");
    Child first = Child.start(task, Xml.configuration(inner()), places.directory("first"));
    Await.until("first has shipped", () -> first.progress().acked(0) == FIRSTS);
    return first;
  }

  private void requireSpoolingOnly(Tiered second, Load load) throws Exception {
    second.awaitWarning("Another appender ships to " + places.log() + "; spooling only");
    load.requireGoingOn();
    assertThat(places.lines()).hasSize(FIRSTS).allMatch(line -> line.startsWith("first"));
    assertThat(second.snapshot().dropped()).isZero();
  }

  @Test
  void theSecondSpoolsAndTakesOverFromOneThatStops() throws Exception {
    requireTakeOver(
        "another process ships, then stops",
        first -> {
          first.release();
          assertThat(first.awaitEnd()).as(first.output()).isZero();
          assertThat(first.account()).endsWith("in flight 0");
        });
  }

  /**
   * A stopped process (docker pause, a debugger) may go on at any time, in the midst of a write.
   */
  @Test
  void theSecondTakesOverFromOneThatIsKilledAndNotWhileThatIsOnlyStopped() throws Exception {
    Duration longerThanBetweenTwoLooks = Duration.ofMillis(900);
    requireTakeOver(
        "another process ships, is stopped (SIGSTOP) and killed",
        first -> {
          first.signal("STOP");
          Await.pass(longerThanBetweenTwoLooks);
          assertThat(places.lines()).as("nobody ships").hasSize(FIRSTS);
          first.kill();
        });
  }
}
