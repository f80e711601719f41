package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ProducersTest {

  private static final Extent EXTENT = new Extent(0, 0, 0, 0);

  @Test
  void allGoOnWhenTheyAreReleased() throws InterruptedException {
    AtomicInteger released = new AtomicInteger();
    Producers producers =
        new Producers(
            3,
            EXTENT,
            (producer, release) -> {
              if (release.getAsLong() != 0) {
                released.incrementAndGet();
              }
            });
    producers.start();
    producers.awaitWarm();
    assertThat(released).hasValue(0);

    producers.release();
    producers.awaitLastCall();

    assertThat(released).hasValue(3);
    assertThat(producers.threadIds()).hasSize(3);
    producers.dismiss();
  }

  @Test
  void aLogCallThatThrowsEndsTheRun() throws InterruptedException {
    Producers producers =
        new Producers(
            2,
            EXTENT,
            (producer, release) -> {
              throw new InternalError("mapped file without a disk");
            });
    producers.start();

    assertThatIllegalStateException()
        .isThrownBy(producers::awaitLastCall)
        .withMessageContaining("mapped file without a disk");
    assertThatIllegalStateException().isThrownBy(producers::awaitWarm);
    producers.dismiss();
  }
}
