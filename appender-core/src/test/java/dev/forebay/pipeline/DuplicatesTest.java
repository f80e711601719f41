package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.redact.NamedPattern;
import dev.forebay.redact.RedactRules;
import dev.forebay.redact.Redactor;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Threads;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DuplicatesTest {

  private static final long SECOND_NS = 1_000_000_000;
  private static final int MOST = 3;
  private static final int THREADS = 4;

  private final Duplicates duplicates = new Duplicates(MOST, null);

  private int refused(int events, String logger, @Nullable String message, long nowNs) {
    int refused = 0;
    for (int i = 0; i < events; i++) {
      refused += duplicates.nameOfSurplus(logger, message, nowNs) == null ? 0 : 1;
    }
    return refused;
  }

  @Test
  void whatIsTheSameTooOftenWithinASecondIsNamed() {
    assertThat(refused(MOST, "a.B", "lost {}", 0)).isZero();
    assertThat(duplicates.nameOfSurplus("a.B", new String("lost {}"), SECOND_NS - 1))
        .isEqualTo("a.B \"lost {}\"");
    assertThat(refused(10, "a.C", "lost {}", 1)).as("of another logger").isEqualTo(10 - MOST);
    assertThat(refused(MOST, "a.B", "found {}", 1)).as("another message").isZero();
    assertThat(refused(10, "a.B", "lost {}", SECOND_NS)).as("a second later").isEqualTo(10 - MOST);
  }

  /** The time that a slow thread has read. */
  @Test
  void anOldTimeBeginsNoSecond() {
    assertThat(refused(10, "a", "m", SECOND_NS)).isEqualTo(10 - MOST);
    assertThat(refused(10, "a", "m", 0)).isEqualTo(10);
  }

  /** Their hash codes are the same. */
  @Test
  void twoInOneSlotAreNotTakenForEachOther() {
    for (int i = 0; i < 100; i++) {
      assertThat(refused(1, "a", i % 2 == 0 ? "Aa" : "BB", 0)).isZero();
    }
  }

  /** Else a part of it would be in reports, which no pattern finds. */
  @Test
  void aSecretIsReplacedBeforeItsMessageIsCut() {
    RedactRules rules = new RedactRules(List.of(), EnumSet.allOf(NamedPattern.class), List.of());
    Duplicates redacted = new Duplicates(0, new Redactor(rules));
    String message = Events.text(45) + " 4111111111111111";
    assertThat(redacted.nameOfSurplus("a", message, 0)).isNull();
    assertThat(redacted.nameOfSurplus("a", message, 0))
        .isEqualTo("a \"" + Events.text(45) + " ***\"");
  }

  @Test
  void aLongMessageOrNoneIsNoDuplicateAndAReportShowsTheBeginning() {
    assertThat(refused(10, "a", Events.text(1001), 0)).isZero();
    assertThat(refused(10, "a", null, 0)).isZero();
    assertThat(refused(MOST, "a", Events.text(61), 0)).isZero();
    assertThat(duplicates.nameOfSurplus("a", Events.text(61), 0))
        .isEqualTo("a \"" + Events.text(60) + "…\"");
  }

  @Test
  void ofManyThreadsExactlySoManyPass() {
    for (int round = 1; round <= 200; round++) {
      AtomicInteger refused = new AtomicInteger();
      long nowNs = round * SECOND_NS;
      Threads.run(THREADS, i -> refused.addAndGet(refused(50, "a", "m", nowNs)));
      assertThat(refused).hasValue(THREADS * 50 - MOST);
    }
  }
}
