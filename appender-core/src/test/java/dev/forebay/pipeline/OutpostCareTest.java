package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OutpostCareTest {

  private static final long PAUSE_NS = 1000;

  private final RecordingOutpost outpost = new RecordingOutpost();

  /** For example a bean for which the heap was full, or a server that is not the platform's. */
  @Test
  void anOutpostThatStaysDueIsTendedEverLessOften() {
    OutpostCare care = new OutpostCare(() -> outpost, 0, PAUSE_NS);
    outpost.staysDue = true;
    assertThat(tends(care, PAUSE_NS)).isTrue();
    assertThat(tends(care, PAUSE_NS)).as("not at once").isFalse();
    assertThat(tends(care, 2 * PAUSE_NS)).as("a pause later").isTrue();
    assertThat(tends(care, 3 * PAUSE_NS)).isFalse();
    outpost.thrown = new OutOfMemoryError("simulated");
    assertThatThrownBy(() -> tends(care, 4 * PAUSE_NS)).isInstanceOf(OutOfMemoryError.class);
    outpost.thrown = null;
    assertThat(tends(care, 4 * PAUSE_NS)).as("not at once after an Error").isFalse();
    assertThat(tends(care, Watcher.QUIET_WATCH_NS + 4 * PAUSE_NS)).as("each minute").isTrue();
  }

  private static boolean tends(OutpostCare care, long nowNs) {
    boolean isDue = care.isDue(nowNs);
    if (isDue) {
      care.tend(nowNs);
    }
    return isDue;
  }

  /** For example in a runtime without java.management. */
  @Test
  void anOutpostThatCannotBeLoadedIsTriedOnce() {
    OutpostCare care =
        new OutpostCare(
            () -> {
              throw new NoClassDefFoundError("simulated");
            },
            0,
            PAUSE_NS);
    assertThatThrownBy(() -> care.isDue(PAUSE_NS)).isInstanceOf(NoClassDefFoundError.class);

    assertThat(care.isDue(2 * PAUSE_NS)).isFalse();
    assertThat(care.leave()).isFalse();
  }
}
