package dev.forebay.tool;

import dev.forebay.tiered.apart.ShippedLog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The line that {@code --verbose} prints at the start, each minute and at the end. */
final class ShipStatus {

  private static final double MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final Output output;
  private final boolean isWanted;
  private final Messages messages;
  private final InstantSource clock;

  /** By directory, at the last line. */
  private Map<Path, Long> before = new HashMap<>();

  ShipStatus(Output output, boolean isWanted, Messages messages, InstantSource clock) {
    this.output = output;
    this.isWanted = isWanted;
    this.messages = messages;
    this.clock = clock;
  }

  boolean isWanted() {
    return isWanted;
  }

  /** Prints it if it is wanted. */
  void print(Shipping shipping) {
    if (!isWanted) {
      return;
    }
    List<ShippedLog> logs = shipping.logs();
    long shipped = shipped(logs);
    long elsewhere = count(logs, ShippedLog.State.WAITING);
    long waiting = logs.stream().mapToLong(ShippedLog::waiting).sum();
    long longestMs = logs.stream().mapToLong(ShippedLog::longestWaitMillis).max().orElse(0);
    long lost = logs.stream().mapToLong(ShippedLog::lost).sum();
    List<String> faults =
        logs.stream()
            .filter(log -> !log.fault().isEmpty())
            .map(log -> log.log() + ": " + log.fault())
            .toList();
    String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    String text =
        "%s %d logs%s, %s lines shipped, %s waiting for %s, %s lost, %s"
            .formatted(
                time,
                logs.size(),
                elsewhere == 0 ? "" : " (another process ships " + elsewhere + ")",
                Text.count(shipped),
                Text.count(waiting),
                seconds(longestMs),
                Text.count(lost),
                faults.isEmpty() ? "no fault" : faults.size() + " faults: " + faults.get(0));
    Json json =
        new Json()
            .put("time", time)
            .put("logs", (long) logs.size())
            .put("elsewhere", elsewhere)
            .put("shipped", shipped)
            .put("waiting", waiting)
            .put("longestWaitMillis", longestMs)
            .put("lost", lost)
            .put("faults", faults);
    messages.print(() -> output.print(json, text));
  }

  /** Since the last line; what began again since counts from 0. */
  private long shipped(List<ShippedLog> logs) {
    Map<Path, Long> now = new HashMap<>();
    long shipped = 0;
    for (ShippedLog log : logs) {
      long earlier = before.getOrDefault(log.directory(), 0L);
      shipped += log.shipped() - (earlier > log.shipped() ? 0 : earlier);
      now.put(log.directory(), log.shipped());
    }
    before = now;
    return shipped;
  }

  private static long count(List<ShippedLog> logs, ShippedLog.State state) {
    return logs.stream().filter(log -> log.state() == state).count();
  }

  private static String seconds(long ms) {
    return ms < MILLIS * 10
        ? String.format(Locale.ROOT, "%.1f s", ms / MILLIS)
        : Text.age(Duration.ofMillis(ms));
  }
}
