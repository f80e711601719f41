package dev.forebay.it.attack;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Scenarios drawn at random, one after the other. Each line in {@code target/attack/report.txt}
 * names its seed; {@code -Dforebay.attack.seed} plays one of them again.
 */
@Tag("attack-only")
class RandomAttacksIT {

  private static final Path REPORT = Path.of("target/attack/report.txt");
  private static final Duration TIME =
      Duration.ofSeconds(
          (long) (60 * Double.parseDouble(System.getProperty("forebay.attack.minutes", "5"))));

  @Test
  void noAttackBreaksAPromise() throws Exception {
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
