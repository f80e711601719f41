package dev.forebay.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.encode.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLineTest {

  /** Lines are used again after a start with another format. */
  @Test
  void aTimestampIsThatOfItsZone() {
    JsonLine line = new JsonLine();
    line.time.put(Instant.EPOCH, EventTime.Form.FEWEST, ZoneOffset.ofHours(2), line);
    line.time.put(Instant.EPOCH, EventTime.Form.THREE, ZoneOffset.UTC, line);
    assertThat(new String(line.end(), StandardCharsets.US_ASCII))
        .isEqualTo("1970-01-01T02:00:00+02:001970-01-01T00:00:00.000Z");
  }

  /** They have years that no calendar has. */
  @Test
  void theFirstAndTheLastInstantAreWritten() {
    JsonLine line = new JsonLine();
    for (Instant instant : List.of(Instant.MIN, Instant.MAX)) {
      line.time.put(instant, EventTime.Form.THREE, ZoneOffset.ofHours(14), line);
    }
    assertThat(new String(line.end(), StandardCharsets.US_ASCII))
        .matches("-99999[0-9-]+T[0-9:]+[.]000[+]14:00[+]99999[0-9-]+T[0-9:]+[.]999[+]14:00");
  }

  @Test
  void aHugeLineIsForgottenAtItsEnd() {
    JsonLine line = new JsonLine();
    line.string("x".repeat(10_000_000));
    assertThat(line.end()).hasSize(10_000_002);
    assertThat(line.bytes()).hasSizeLessThan(100_000);
    assertThat(line.end()).isEmpty();
  }
}
