package dev.forebay.it.demo.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ToldTest {

  @Test
  void aLineHasAllOfIt() {
    Told told =
        new Told(
            17,
            new Figures(Map.of(Figures.DROPPED_BY + "SHED.INFO", 1L)),
            Map.of(Phase.DURING, new Latency(1, 2, 3, 4, 5)),
            new Longest.Slots(500, List.of(0L, 7L)),
            "cannot \"write\"\nit",
            true);
    assertThat(told.toLine()).doesNotContain("\n");
    assertThat(Told.parse(told.toLine())).isEqualTo(told);
  }
}
