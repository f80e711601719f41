package dev.forebay.it.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.attack.Scenario.End;
import dev.forebay.it.attack.Scenario.Roll;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

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

  /** A sample for each build: two attacks at once with a stop, one with a kill, no more spool. */
  static Stream<Scenario> sample() {
    return Stream.of(
        Scenario.plain(
            Roll.NONE,
            End.STOP,
            new Attack.Rotated(Attack.Rotated.How.MOVE, 3),
            new Attack.Interrupts()),
        Scenario.plain(Roll.NONE, End.KILL, new Attack.Blocked(500)),
        Scenario.plain(Roll.WINDOW, End.STOP, new Attack.SpoolGone(false)),
        Scenario.plain(Roll.GZIP, End.STOP, new Attack.SpoolGone(true)));
  }

  /** With these, each kind of attack once, and each way to roll and to end. */
  static Stream<Scenario> scenarios() {
    return Stream.of(
        Scenario.plain(Roll.NONE, End.TERM, new Attack.Frozen(500)),
        Scenario.plain(Roll.NONE, End.EXIT, new Attack.FullDisk(500)),
        Scenario.plain(Roll.NONE, End.STOP, new Attack.DirectoryMoved(300)),
        Scenario.plain(Roll.SIZE, End.KILL, new Attack.FilledTmpfs("size=4m", false, 500, 1)));
  }

  @ParameterizedTest
  @MethodSource("sample")
  void noAttackOfASampleBreaksAPromise(Scenario scenario) throws Exception {
    assertThat(Trial.play(scenario, "chosen")).isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("scenarios")
  void noAttackBreaksAPromise(Scenario scenario) throws Exception {
    assertThat(Trial.play(scenario, "chosen")).isEmpty();
  }

  @Tag("attack-only")
  @Test
  void noAttackDrawnAtRandomBreaksAPromise() throws Exception {
    Files.createDirectories(REPORT.toAbsolutePath().getParent());
    Long chosen = Long.getLong("forebay.attack.seed");
    Random seeds = new Random();
    long startNs = System.nanoTime();
    List<String> failed = new ArrayList<>();
    do {
      Scenario scenario = Scenario.drawn(chosen == null ? seeds.nextLong() >>> 1 : chosen);
      try {
        List<String> faults = Trial.play(scenario, "seed-" + scenario.seed());
        tell((faults.isEmpty() ? "ok " : "FAILED ") + scenario + " " + faults);
        faults.forEach(fault -> failed.add(scenario + ": " + fault));
      } catch (TestAbortedException e) {
        tell("skipped " + scenario + " " + e.getMessage());
      }
    } while (chosen == null && System.nanoTime() - startNs < TIME.toNanos());
    assertThat(failed).isEmpty();
  }

  private static void tell(String line) throws IOException {
    System.out.println(line);
    Files.writeString(REPORT, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
