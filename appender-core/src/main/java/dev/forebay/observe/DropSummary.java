package dev.forebay.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The drops of one reason and level since the last report.
 *
 * @param reason why they were dropped
 * @param level their level
 * @param count how many, at least 1
 * @param firstMs about when the first was dropped, milliseconds since the epoch
 * @param lastMs about when the last was dropped, milliseconds since the epoch
 * @param sample one of them; null if none was kept, for example because the ring was full before
 *     the event was formatted
 * @param loggers how many by logger, of those that a {@code <limit>} refused, or by logger and
 *     message of those that repeat it; those beyond some dozens are together, as {@value
 *     LoggerCounts#OTHERS}. While events are refused, the sum may run ahead of the count. Empty for
 *     other reasons
 */
public record DropSummary(
    DropReason reason,
    Level level,
    long count,
    long firstMs,
    long lastMs,
    @Nullable ILoggingEvent sample,
    Map<String, Long> loggers) {

  private static final int NAMED_LOGGERS = 5;

  /** The sum with a later summary of the same reason and level. */
  public DropSummary and(DropSummary later) {
    Map<String, Long> sum = new HashMap<>(loggers);
    later.loggers.forEach((logger, events) -> sum.merge(logger, events, Long::sum));
    return new DropSummary(
        reason, level, count + later.count, firstMs, later.lastMs, later.sample, Map.copyOf(sum));
  }

  /**
   * Drops in one line, for the report in the log and the listeners: {@code 1204 events dropped
   * between 2026-01-01T12:00:00.120Z and 2026-01-01T12:00:03.500Z: SHED 1200 (DEBUG 1200),
   * RING_FULL 4 (WARN 3, ERROR 1)}. Advice on limits follows: {@code ; TOO_LARGE: set a larger
   * <segmentSize>}, and the loggers that have most of {@code LIMITED}: {@code ; LIMITED:
   * com.acme.Db 1200, others 4}.
   */
  public static String text(List<DropSummary> drops) {
    long total = 0;
    long firstMs = Long.MAX_VALUE;
    long lastMs = Long.MIN_VALUE;
    Map<DropReason, Long> counts = new TreeMap<>();
    Map<DropReason, String> levels = new TreeMap<>();
    Map<String, Long> loggers = new HashMap<>();
    for (DropSummary drop : drops) {
      total += drop.count;
      firstMs = Math.min(firstMs, drop.firstMs);
      lastMs = Math.max(lastMs, drop.lastMs);
      counts.merge(drop.reason, drop.count, Long::sum);
      levels.merge(drop.reason, drop.level + " " + drop.count, (all, one) -> all + ", " + one);
      drop.loggers.forEach((logger, events) -> loggers.merge(logger, events, Long::sum));
    }
    List<String> parts = new ArrayList<>();
    counts.forEach(
        (reason, count) -> parts.add(reason + " " + count + " (" + levels.get(reason) + ")"));
    StringBuilder text =
        new StringBuilder(
            "%s %s dropped between %s and %s: %s"
                .formatted(
                    total,
                    total == 1 ? "event" : "events",
                    Instant.ofEpochMilli(firstMs),
                    Instant.ofEpochMilli(lastMs),
                    String.join(", ", parts)));
    for (DropReason reason : counts.keySet()) {
      if (!reason.remedy().isEmpty()) {
        text.append("; ").append(reason).append(": ").append(reason.remedy());
      }
    }
    if (!loggers.isEmpty()) {
      text.append("; ").append(DropReason.LIMITED).append(": ").append(most(loggers));
    }
    return text.toString();
  }

  private static String most(Map<String, Long> loggers) {
    long others = Objects.requireNonNullElse(loggers.remove(LoggerCounts.OTHERS), 0L);
    List<String> parts = new ArrayList<>();
    List<Map.Entry<String, Long>> byCount = new ArrayList<>(loggers.entrySet());
    byCount.sort(
        Map.Entry.<String, Long>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey()));
    for (Map.Entry<String, Long> logger : byCount) {
      if (parts.size() < NAMED_LOGGERS) {
        parts.add(Printable.text(logger.getKey()) + ' ' + logger.getValue());
      } else {
        others += logger.getValue();
      }
    }
    if (others > 0) {
      parts.add(LoggerCounts.OTHERS + ' ' + others);
    }
    return String.join(", ", parts);
  }
}
