package dev.forebay.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class AwaitTest {

  @Test
  void looksUntilTheConditionHolds() {
    AtomicInteger looks = new AtomicInteger();

    Await.until("five looks", () -> looks.incrementAndGet() == 5);

    assertThat(looks).hasValue(5);
  }

  @Test
  void tellsThatItWaitedInVain() {
    assertThat(Await.within(Duration.ZERO, () -> false)).isFalse();
  }

  @Test
  void throwsWhatTheConditionThrows() {
    assertThatIOException()
        .isThrownBy(
            () ->
                Await.until(
                    "a file",
                    () -> {
                      throw new IOException("no such file");
                    }));
  }

  @Test
  void waitsForALatchThoughInterrupted() {
    CountDownLatch latch = new CountDownLatch(1);
    Thread.currentThread().interrupt();
    Thread opener = new Thread(latch::countDown);
    opener.start();

    Await.latch(latch);

    assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    Await.end(opener);
  }
}
