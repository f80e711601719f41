package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.testkit.Threads;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoggerCountsTest {

  private static final int THREADS = 4;
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
  void manyThreadsThatBringNewNamesAtOnceLoseNone() {
    for (int round = 0; round < 50; round++) {
      LoggerCounts fresh = new LoggerCounts();
      Threads.start(THREADS, i -> addAll(fresh)).forEach(Await::end);
      Map<String, Long> seen = fresh.advance(0);
      assertThat(sum(seen)).isEqualTo(THREADS * 1000);
      assertThat(seen.get("logger 0")).as("the first has one slot").isEqualTo(THREADS * 100);
    }
  }

  private static void addAll(LoggerCounts to) {
    for (int i = 0; i < 1000; i++) {
      to.add("logger " + i % 10);
    }
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(events -> events).sum();
  }
}
