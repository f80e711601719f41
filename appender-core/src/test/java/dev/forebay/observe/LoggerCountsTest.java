package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.testkit.Threads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoggerCountsTest {

  private static final int THREADS = 2;
  private static final int ROUNDS = 2_000;
  private static final int EVENTS = 20_000;

  private final LoggerCounts counts = new LoggerCounts();

  @Test
  void eachReaderSeesWhatIsNewToIt() {
    counts.add("a");
    counts.add("a");
    counts.add("b");
    assertThat(counts.advance(0)).isEqualTo(Map.of("a", 2L, "b", 1L));
    counts.add("b");
    assertThat(counts.advance(0)).isEqualTo(Map.of("b", 1L));
    assertThat(counts.advance(0)).isEmpty();
    assertThat(counts.advance(1)).isEqualTo(Map.of("a", 2L, "b", 2L));
  }

  /** For example names made of requests. */
  @Test
  void anyNumberOfNamesTakesNoMoreMemoryAndEachEventIsCounted() {
    counts.add("first");
    for (int i = 0; i < EVENTS; i++) {
      counts.add("logger " + i);
    }
    counts.add("first");
    Map<String, Long> seen = counts.advance(0);
    assertThat(seen).hasSizeBetween(33, 65).containsEntry("first", 2L);
    assertThat(seen.get(LoggerCounts.OTHERS)).isGreaterThan(EVENTS - 64);
    assertThat(sum(seen)).isEqualTo(EVENTS + 2);
  }

  @Test
  void threadsThatBringANewNameAtOnceShareItsPlace() {
    List<LoggerCounts> rounds =
        IntStream.range(0, ROUNDS).mapToObj(round -> new LoggerCounts()).toList();
    AtomicInteger arrived = new AtomicInteger();
    Threads.run(
        THREADS,
        thread -> {
          for (int round = 0; round < ROUNDS; round++) {
            arrived.incrementAndGet();
            while (arrived.get() < (round + 1) * THREADS) {
              Thread.onSpinWait();
            }
            rounds.get(round).add("new");
          }
        });
    assertThat(rounds)
        .allSatisfy(round -> assertThat(round.advance(0)).isEqualTo(Map.of("new", 2L)));
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(events -> events).sum();
  }
}
