package dev.forebay.observe;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Drops in one line of text, for the report in the log and the listeners. */
public final class DropText {

  private DropText() {}

  /**
   * For example {@code 1204 events dropped between 2026-01-01T12:00:00.120Z and
   * 2026-01-01T12:00:03.500Z: SHED 1200 (DEBUG 1200), RING_FULL 4 (WARN 3, ERROR 1)}. Advice on
   * limits follows: {@code ; TOO_LARGE: set a larger <segmentSize>}.
   */
  public static String of(List<DropSummary> drops) {
    long total = 0;
    long firstMs = Long.MAX_VALUE;
    long lastMs = Long.MIN_VALUE;
    Map<DropReason, StringBuilder> levels = new TreeMap<>();
    Map<DropReason, Long> counts = new TreeMap<>();
    for (DropSummary drop : drops) {
      total += drop.count();
      firstMs = Math.min(firstMs, drop.firstMs());
      lastMs = Math.max(lastMs, drop.lastMs());
      counts.merge(drop.reason(), drop.count(), Long::sum);
      StringBuilder list = levels.computeIfAbsent(drop.reason(), r -> new StringBuilder());
      list.append(list.isEmpty() ? "" : ", ").append(drop.level()).append(' ').append(drop.count());
    }
    StringBuilder text =
        new StringBuilder()
            .append(total)
            .append(total == 1 ? " event" : " events")
            .append(" dropped between ")
            .append(Instant.ofEpochMilli(firstMs))
            .append(" and ")
            .append(Instant.ofEpochMilli(lastMs));
    String separator = ": ";
    for (Map.Entry<DropReason, Long> entry : counts.entrySet()) {
      text.append(separator).append(entry.getKey()).append(' ').append(entry.getValue());
      text.append(" (").append(levels.get(entry.getKey())).append(')');
      separator = ", ";
    }
    for (DropReason reason : counts.keySet()) {
      if (!reason.remedy().isEmpty()) {
        text.append("; ").append(reason).append(": ").append(reason.remedy());
      }
    }
    return text.toString();
  }
}
