package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.PipePeer;
import org.junit.jupiter.api.Test;

class PipeLabTest {

  @Test
  void aRowTellsWhatIsNeitherReadNorCountedNorLeft() {
    PipeLab.Row row = PipeLab.Row.of("figures 1000 20 3 4500000 7000000", 970);
    assertThat(row.missing()).isEqualTo(7);
    assertThat(row.text(PipePeer.FOREBAY, "stops"))
        .isEqualTo("| stops | `TieredAppender` | 1,000 | 4.500 ms | 970 | 20 | 3 | 7 | 7.0 µs |");
  }
}
