package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ProducersTest {

  private static final Extent EXTENT = new Extent(0, 0, 0, 0);

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
