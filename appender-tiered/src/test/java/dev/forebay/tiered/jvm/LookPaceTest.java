package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looks are rare while the JVM writes little, and never so rare that it deletes what is unread. */
class LookPaceTest {

  private static final long NS_PER_MS = 1_000_000;
  private static final long KB = 1024;

  /** Of the default memory. */
  private static final long FILE_BYTES = 1024 * KB;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // last, elapsed ms | bytes   | file KB | next ms
        "    1 |    1       | 0       | 1024    |    2  | nothing: twice as long",
        "  500 |  500       | 0       | 1024    | 1000  | up to a second",
        " 1000 | 1000       | 65536   | 1024    | 1000  | half of what a look may find",
        " 1000 | 1000       | 262144  | 1024    |  500  | twice that",
        "  500 |  500       | 131072  | 1024    |  500  | as wanted",
        "   10 |   10       | 1048575 | 1024    |    1  | nearly a file",
        " 1000 | 1000       | 1048576 | 1024    |    0  | a file",
        "    0 |    1       | 100     | 1024    |    2  | the storm is over",
        "    8 |    1       | 100     | 1024    |   16  | woken early, which says nothing",
        " 1000 | 1000       | 100     | 8       |    7  | small files: it may begin at once",
        " 1000 | 1000       | 1048576 | 1048576 |  125  | large files: not too much at once",
        " 1000 | 1000       | 100     | 0       | 1000  | never another file",
      })
  void theNextLookFollowsFromWhatTheLastOneFound(
      long lastMs, long elapsedMs, long bytes, long fileKb, long nextMs) {
    long nextNs = LookPace.nextNs(lastMs * NS_PER_MS, elapsedMs * NS_PER_MS, bytes, fileKb * KB);
    assertThat(nextNs / NS_PER_MS).isEqualTo(nextMs);
  }

  /** Each rate, in KB a millisecond, for a second. */
  @Property
  void aJvmThatBeginsAndEndsAtAnyTimeOvertakesNoReader(
      @ForAll @Size(max = 40) List<@IntRange(max = 7) Integer> rates,
      @ForAll @IntRange(max = 999) int phaseMs) {
    LookPace pace = new LookPace();
    long writtenBytes = 0;
    long seenBytes = 0;
    long nextMs = phaseMs;
    for (int ms = 0; ms < 1000 * rates.size(); ms++) {
      writtenBytes += rates.get(ms / 1000) * KB;
      if (ms >= nextMs) {
        assertThat(writtenBytes - seenBytes).isLessThan(JvmSettings.FILE_COUNT * FILE_BYTES);
        seenBytes = writtenBytes;
        nextMs = ms + Math.max(1, pace.next(ms * NS_PER_MS, writtenBytes, FILE_BYTES) / NS_PER_MS);
      }
    }
  }
}
