package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.identity.InstanceId;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptPositionTest {

  private static final InstanceId SPOOL = new InstanceId(1, 2);

  @Test
  void whatBrokersKeepIsThePositionWithItsCounts() {
    SpoolPosition position = new SpoolPosition(SPOOL, 0x1_0000_0000L, 12, 3);
    OffsetAndMetadata kept = KeptPosition.of(position);

    assertThat(kept.offset()).isEqualTo(0x1_0000_0000L);
    assertThat(kept.metadata()).isEqualTo("lost=12 refused=3"); // as other versions write it
    assertThat(KeptPosition.of(SPOOL, kept)).isEqualTo(position);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "by hand",
        "lost=-1 refused=0",
        "lost=1 refused=2",
        "lost=8 refused=0",
        "lost=99999999999999999999 refused=0"
      })
  void othersMaySetAnOffsetWithoutCounts(String metadata) {
    OffsetAndMetadata kept = new OffsetAndMetadata(7, Optional.empty(), metadata);

    assertThat(KeptPosition.of(SPOOL, kept)).isEqualTo(new SpoolPosition(SPOOL, 7, 0, 0));
  }
}
