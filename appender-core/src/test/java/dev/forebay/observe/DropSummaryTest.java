package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class DropSummaryTest {

  private static final long NOON_MS = 1_767_268_800_000L; // 2026-01-01T12:00:00Z

  @Test
  void namesNumberSpanReasonsAndLevels() {
    String text =
        DropSummary.text(
            List.of(
                drop(DropReason.RING_FULL, Level.WARN, 3, 500, 900),
                drop(DropReason.SHED, Level.DEBUG, 1200, 120, 3500),
                drop(DropReason.RING_FULL, Level.ERROR, 1, 700, 700)));

    assertThat(text)
        .isEqualTo(
            "1204 events dropped between 2026-01-01T12:00:00.120Z and 2026-01-01T12:00:03.500Z:"
                + " RING_FULL 4 (WARN 3, ERROR 1), SHED 1200 (DEBUG 1200)");
  }

  private static DropSummary drop(
      DropReason reason, Level level, long count, long firstMs, long lastMs) {
    return new DropSummary(
        reason, level, count, NOON_MS + firstMs, NOON_MS + lastMs, null, Map.of());
  }

  @Test
  void aLimitOnTheSizeOfAnEventIsNamedWithItsProperty() {
    assertThat(
            DropSummary.text(
                List.of(
                    drop(DropReason.TOO_LARGE, Level.INFO, 1, 0, 0),
                    drop(DropReason.BYTES_FULL, Level.WARN, 2, 0, 0))))
        .endsWith(
            ": BYTES_FULL 2 (WARN 2), TOO_LARGE 1 (INFO 1)"
                + "; BYTES_FULL: set a larger <ringBufferBytes>, half of which is for large events"
                + "; TOO_LARGE: set a larger <segmentSize>");
  }
}
