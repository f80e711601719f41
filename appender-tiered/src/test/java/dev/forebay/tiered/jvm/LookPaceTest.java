package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Looks are rare while the JVM writes little, and never so rare that it deletes what is unread. */
class LookPaceTest {

  private static final long NS_PER_MS = 1_000_000;
  private static final long KB = 1024;

  /** Of the default memory. */
  private static final long FILE_BYTES = 1024 * KB;

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
