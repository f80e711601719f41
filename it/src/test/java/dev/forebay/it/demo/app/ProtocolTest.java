package dev.forebay.it.demo.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the application tells the demo arrives as it was meant. */
class ProtocolTest {

  @Test
  void figuresSurviveTheirLine() {
    Figures figures = new Figures(Map.of("offered", 5L, "dropped.RING_FULL.TRACE", 3L));

    assertThat(Figures.parse(figures.toLine())).isEqualTo(figures);
    assertThat(Figures.parse(Figures.NONE.toLine())).isEqualTo(Figures.NONE);
    assertThat(figures.get("absent")).isZero();
  }

  @Test
  void latenciesSurviveTheirLine() {
    Latency latency = new Latency(1, 2, 3, 4, 5);

    assertThat(Latency.parse(latency.toLine())).isEqualTo(latency);
  }

  @Test
  void phasesAreFoundByTitle() {
    for (Phase phase : Phase.values()) {
      assertThat(Phase.titled(phase.title())).isEqualTo(phase);
    }
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThatThrownBy(() -> Figures.parse("offered")).hasMessageContaining("\"offered\"");
    assertThatThrownBy(() -> Latency.parse("1 2 3")).hasMessageContaining("\"1 2 3\"");
    assertThatThrownBy(() -> Phase.titled("later")).hasMessageContaining("\"later\"");
  }
}
