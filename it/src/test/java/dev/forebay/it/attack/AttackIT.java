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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

/**
 * Scenarios that are chosen, short, and others drawn at random, one after the other. Of the latter
 * each line in {@code target/attack/report.txt} names its seed; {@code -Dforebay.attack.seed} plays
 * one of them again.
 */
class AttackIT {

  private static final Path REPORT = Path.of("target/attack/report.txt");
  private static final Duration TIME =
      Duration.ofSeconds(
          (long) (60 * Double.parseDouble(System.getProperty("forebay.attack.minutes", "5"))));

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

  @Tag("attack-only")
  @Test
  void noAttackDrawnAtRandomBreaksAPromise() throws Exception {
    Files.createDirectories(REPORT.toAbsolutePath().getParent());
    Long chosen = Long.getLong("forebay.attack.seed");
    Random seeds = new Random();
    long startNs = System.nanoTime();
    Map<String, Integer> verdicts = new TreeMap<>();
    List<String> failed = new ArrayList<>();
    do {
      long seed = chosen == null ? seeds.nextLong() >>> 1 : chosen;
      Trial.Outcome outcome = Trial.play(Scenario.drawn(seed), "seed-" + seed);
      verdicts.merge(outcome.verdict(), 1, Integer::sum);
      tell(outcome.line());
      if (outcome.failed()) {
        failed.add(outcome.line());
      }
    } while (chosen == null && System.nanoTime() - startNs < TIME.toNanos());
    tell("in all: " + verdicts);
    assertThat(failed).isEmpty();
  }

  private static void tell(String line) throws IOException {
    System.out.println(line);
    Files.writeString(REPORT, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
