package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Strace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The JVM's log over many lives of its process, each ended by kill -9, or beside another one: what
 * is left is shipped by the next start, once.
 */
@Tag("soak")
@Tag("jdk")
class JvmKillIT {

  private static final int LIVES = Integer.getInteger("forebay.jvm.lives", 3);

  /** Lives are too short to fill the archives of this: no line may be missing. */
  private static final String MEMORY = "2 MB";

  private static final int LONGEST_LIFE_MS = 400;

  /** One life in so many may end while it starts. */
  private static final int STARTING = 4;

  /** Of so many calls of a kind, a process is killed before one. */
  private static final int STEP = Integer.getInteger("forebay.jvm.step", 16);

  /** The calls with which lines are linked, spooled, taken over and released, and their number. */
  private static final Map<String, Integer> CALLS =
      Map.of("link", 8, "rename", 8, "unlink", 8, "pwrite64", 16, "rmdir", 2);

  private final long seed = Long.getLong("forebay.jvm.seed", System.nanoTime());
  private final Random random = new Random(seed);
  @AutoClose private final JvmLives lives = new JvmLives();

  @BeforeEach
  void tellSeed() {
    System.out.println("-Dforebay.jvm.seed=" + seed);
  }

  @Test
  void whatAKilledJvmWroteIsInTheLogOnce() throws Exception {
    for (int life = 0; life < LIVES; life++) {
      try (Program killed = lives.start("life" + life, MEMORY, 1_000_000, 1, "stop")) {
        if (life % STARTING != 0) {
          lives.awaitOpen("life" + life, killed);
        }
        Await.pass(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MS)));
        assertThat(killed.isAlive()).as(killed.output()).isTrue();
        killed.kill();
      }
    }
    lives.last();
    assertThat(lives.requireAll()).isGreaterThan(LIVES / 2);
  }

  /** The second one ships when the first has stopped. */
  @Test
  void twoJvmsWithOneLogWriteEachOfTheirLinesOnce() throws Exception {
    try (Program one = lives.start("one", "4 MB", 30, 20, "stop");
        Program other = lives.start("other", "4 MB", 30, 20, "stop")) {
      assertThat(one.awaitEnd()).as(one.output()).isZero();
      assertThat(other.awaitEnd()).as(other.output()).isZero();
    }
    lives.last();
    for (String name : List.of("one", "other")) {
      List<String> lines = lives.linesOf(name);
      assertThat(lines).doesNotHaveDuplicates().hasSizeGreaterThan(1000);
      assertThat(JvmLives.askedFor(lines))
          .isNotEmpty()
          .isEqualTo(JvmLives.askedFor(lives.truth(name)));
    }
  }

  @Test
  void whereverAJvmDiesItsLinesAreInTheLogOnce() throws Exception {
    assumeTrue(Strace.works(), Strace.MISSING);
    for (Map.Entry<String, Integer> call : CALLS.entrySet()) {
      int died = 0;
      for (int number = 1; number <= call.getValue(); number += STEP) {
        died += dies(call.getKey(), number) ? 1 : 0;
      }
      assertThat(died).as("killed before " + call.getKey()).isPositive();
    }
    lives.last();
    assertThat(lives.requireAll()).isGreaterThanOrEqualTo(CALLS.size());
  }

  /** Whether it does, taking over what another life has left. */
  private boolean dies(String call, int number) throws Exception {
    try (Program left = lives.start("left " + call + number, MEMORY, 40, 0, "exit")) {
      assertThat(left.awaitEnd()).as(left.output()).isZero();
    }
    String[] killing = Strace.killing(new Strace.Point(call, number, ""));
    try (Program killed = lives.start("killed " + call + number, MEMORY, 40, 0, "stop", killing)) {
      return killed.awaitEnd() != 0;
    }
  }
}
