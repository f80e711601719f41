package dev.forebay.it.demo.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PhaseHistogramsTest {

  @Test
  void keepsThePhasesApart() {
    PhaseHistograms histograms = new PhaseHistograms();
    for (int value = 1; value <= 1000; value++) {
      histograms.record(Phase.BEFORE, value);
    }
    histograms.record(Phase.AFTER, 7);

    assertThat(histograms.latency(Phase.BEFORE)).isEqualTo(new Latency(1000, 500, 990, 999, 1000));
    assertThat(histograms.latency(Phase.DURING)).isEqualTo(Latency.NONE);
    assertThat(histograms.latency(Phase.AFTER)).isEqualTo(new Latency(1, 7, 7, 7, 7));
  }

  @Test
  void countsWhatIsLongerThanItCanTell() {
    PhaseHistograms histograms = new PhaseHistograms();
    histograms.record(Phase.DURING, TimeUnit.HOURS.toNanos(1));

    assertThat(histograms.latency(Phase.DURING).count()).isEqualTo(1);
    assertThat(histograms.latency(Phase.DURING).maxNs())
        .isGreaterThanOrEqualTo(TimeUnit.MINUTES.toNanos(2));
  }
}
