package dev.forebay.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same log through many lives of its process, each ended by kill -9 at a random moment. */
@Tag("soak")
class KillIT {

  private static final int LIVES = Integer.getInteger("forebay.kill.lives", 20);
  private static final int THREADS = 2;

  /** Every so many lives one may end before it has logged anything. */
  private static final int STARTING = 4;

  private static final int LONGEST_LIFE_MS = 600;

  @Test
  void nothingSpooledIsMissingDoubledOrTornAfterManyKills() throws Exception {
    long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
    Random random = new Random(seed);
    Oracle oracle = new Oracle();
    long spooled = 0;
    try (Places places = Places.create()) {
      String inner =
          places.xml()
              + "<fsync>100 milliseconds</fsync><segmentSize>64KB</segmentSize>"
              + "<appendTimeout>30 seconds</appendTimeout>"
              + Xml.rollBySize(places.logDirectory(), "40KB")
              + Xml.MESSAGES;
      for (int life = 0; life < LIVES; life++) {
        Child.Task task = new Child.Task("life" + life, THREADS, Long.MAX_VALUE, 150, 10, "exit");
        try (Child child =
            Child.start(task, Xml.configuration(inner), places.directory("life" + life))) {
          if (life % STARTING == 0) {
            child.awaitUp(); // dies while it starts and recovers
          } else {
            child.awaitOffered(0, 1);
          }
          Await.pass(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MS)));
          assertThat(child.isAlive()).as(child.output()).isTrue();
          child.kill();
          child.tell(oracle);
        }
        List<String> left = SpoolPeek.lines(places.spool(), places.log());
        spooled += left.size();
        oracle.seen(left).seen(places.lines());
      }
      List<String> warnings;
      try (Tiered last = Tiered.with(inner)) {
        last.log("last", 0, 10).flush();
        warnings = new ArrayList<>(last.warnings());
      }
      oracle.producer("last", 10, 10);

      Oracle.Verdict verdict;
      try {
        verdict = oracle.requireSound(places.lines());
      } catch (AssertionError e) {
        throw new AssertionError("-Dforebay.kill.seed=" + seed + " " + warnings, e);
      }
      assertThat(verdict.lineCount()).isGreaterThan(1000);
      assertThat(spooled).as("records found in spools after kills").isPositive();
      assertThat(warnings).isEmpty();
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    }
  }
}
