package dev.forebay.pipeline;

import dev.forebay.redact.Redactor;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The validated settings of one start. Times in nanoseconds, sizes in bytes.
 *
 * @param appender name of the appender, for threads and messages
 * @param ringCapacity slots of the ring, a power of two
 * @param ringBytes limit on the total weight of the events in the ring
 * @param urgentIndex events of this level and above wake the flusher at once; above ERROR: none
 * @param appendTimeoutNs how long a caller waits for room in a full ring; 0: only while it helps
 *     the flusher, as {@link Admission} says
 * @param maxFlushNs limit of {@code stop()} and of the drain at JVM shutdown
 * @param reportIntervalNs shortest time between two reports of drops
 * @param includeCallerData whether log calls determine their class, method and line
 * @param limits how many events a second are taken of a logger; no name is there twice
 * @param redactor replaces secrets before an event is written; null: none does
 * @param threadNameFormat a {@link Formatter} pattern of appender name, number and role
 * @param number of this start in the JVM
 */
public record PipelineSettings(
    String appender,
    int ringCapacity,
    long ringBytes,
    FillLimits fillLimits,
    int urgentIndex,
    long appendTimeoutNs,
    long maxFlushNs,
    long reportIntervalNs,
    boolean includeCallerData,
    List<LimitSettings> limits,
    @Nullable Redactor redactor,
    String threadNameFormat,
    int number) {

  /** The default: for example {@code forebay-flusher-FILE-1}. */
  public static final String DEFAULT_THREAD_NAMES = "forebay-%3$s-%1$s-%2$d";

  /** The name of the thread that plays a role, such as {@code flusher}. */
  public String threadName(String role) {
    return threadNameFormat.equals(DEFAULT_THREAD_NAMES)
        ? "forebay-" + role + "-" + appender + "-" + number // the Formatter costs a start
        : String.format(Locale.ROOT, threadNameFormat, appender, number, role);
  }
}
