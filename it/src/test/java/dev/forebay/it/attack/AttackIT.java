package dev.forebay.it.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.forebay.it.attack.LifeAttacks.InterruptedAgents;
import dev.forebay.it.attack.LifeAttacks.Interrupts;
import dev.forebay.it.attack.LifeAttacks.Reconfigurations;
import dev.forebay.it.attack.LifeAttacks.Restarts;
import dev.forebay.it.attack.LifeAttacks.SecondAppender;
import dev.forebay.it.attack.LogAttacks.Blocked;
import dev.forebay.it.attack.LogAttacks.DirectoryMoved;
import dev.forebay.it.attack.LogAttacks.Frozen;
import dev.forebay.it.attack.LogAttacks.Rotated;
import dev.forebay.it.attack.MemoryAttacks.DirectMemory;
import dev.forebay.it.attack.Scenario.End;
import dev.forebay.it.attack.SpoolAttacks.FilledTmpfs;
import dev.forebay.it.attack.SpoolAttacks.SpoolGone;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

/** Chosen scenarios, short; {@link RandomAttacksIT} draws others. */
class AttackIT {

  /** A sample for each build: an attack from outside with a stop, one from inside with a kill. */
  static Stream<Scenario> sample() {
    return Stream.of(
        Scenario.plain(End.STOP, new Rotated(Rotated.How.MOVE, 3), new InterruptedAgents(1)),
        Scenario.plain(End.KILL, new Blocked(500)));
  }

  /** With these, each kind of attack once, and each way to roll and to end. */
  static Stream<Scenario> scenarios() {
    return Stream.of(
        Scenario.plain(End.STOP, new Junk(-267726811742203163L, true)).with(Roll.ZIP),
        Scenario.plain(End.TERM, new SecondAppender()),
        Scenario.plain(End.STOP, new Frozen(500)),
        Scenario.plain(End.STOP, new DirectoryMoved(300), new InterruptedAgents(1)),
        Scenario.plain(End.EXIT, new SpoolGone(SpoolGone.How.REMOVED, "")).with(Roll.GZIP),
        Scenario.plain(End.STOP, new Reconfigurations(3, 50), new Interrupts(1)),
        Scenario.plain(End.STOP, new Restarts(2, 20)),
        Scenario.plain(End.STOP, new Recursion(200, 4, 8, 10, true, false, Level.INFO))
            .with(Roll.WINDOW),
        Scenario.plain(End.STOP, new DirectMemory(3, 300)),
        Scenario.plain(End.KILL, full("size=4m", false)));
  }

  @ParameterizedTest
  @MethodSource("sample")
  void noAttackOfASampleBreaksAPromise(Scenario scenario) throws Exception {
    requireUnbroken(scenario);
  }

  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("scenarios")
  void noAttackBreaksAPromise(Scenario scenario) throws Exception {
    requireUnbroken(scenario);
  }

  private static void requireUnbroken(Scenario scenario) throws Exception {
    Trial.Outcome outcome = Trial.play(scenario, "chosen");
    System.out.println(outcome.line());
    assumeFalse(outcome.verdict().equals("skipped"), outcome.counts());
    assertThat(outcome.failed()).as(outcome.line()).isFalse();
  }

  /** A tmpfs that another user has filled, before the start or while events are logged. */
  private static FilledTmpfs full(String options, boolean before) {
    return new FilledTmpfs(options, "cat /dev/zero > $1/filler", before, 500, 1);
  }
}
