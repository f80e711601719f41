package dev.forebay.tiered;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.CallDurability;
import dev.forebay.tiered.flight.FlightSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The element {@code <flightRecorder>} of a {@link TieredAppender}: it records every event for a
 * while on tmpfs and dumps what it holds when something goes wrong. For the configuring thread.
 */
public final class FlightRecorderOptions {

  static final long DEFAULT_SIZE = 64L << 20;
  static final long MAX_SIZE = 1L << 40;
  static final long MAX_KEEP_MS = 86_400_000;
  static final long MAX_AFTER_MS = 60_000;
  static final long MAX_INTERVAL_MS = 86_400_000;
  static final int MAX_DUMPS = 10_000;
  private static final long NS_PER_MS = 1_000_000;
  private static final String OFF = "OFF";

  private String level = Level.INFO.name();
  private @Nullable FileSize size;
  private String keep = "60 seconds";
  private String dumpOn = Level.ERROR.name();
  private String after = "1 second";
  private String minInterval = "30 seconds";
  private int maxDumps = 20;
  private @Nullable String key;
  private boolean dumpAtCrash = true;

  public FlightRecorderOptions() {}

  /** Events from this level up go to the log as always; default INFO. All events are recorded. */
  public void setLevel(String text) {
    level = text;
  }

  /** Most bytes of tmpfs that the recorder takes, at least two segments; default 64 MB. */
  public void setSize(FileSize bytes) {
    size = bytes;
  }

  /** Age at which events are overwritten even if there is room; default 60 seconds. */
  public void setKeep(String time) {
    keep = time;
  }

  /**
   * Which events cause a dump: those from a level up (default ERROR), those with a marker, such as
   * {@code marker:ALARM}, or none: {@code OFF}.
   */
  public void setDumpOn(String trigger) {
    dumpOn = trigger;
  }

  /** How long after its trigger a dump ends; default 1 second, at most a minute. */
  public void setAfter(String time) {
    after = time;
  }

  /**
   * Shortest time between two events that cause a dump, with a key for each of its values; default
   * 30 seconds.
   */
  public void setMinInterval(String time) {
    minInterval = time;
  }

  /** How many dump files of each kind are kept; default 20. */
  public void setMaxDumps(int count) {
    maxDumps = count;
  }

  /** An MDC key; a dump then has only the events with the trigger's value. Default: none. */
  public void setKey(String mdcKey) {
    key = mdcKey;
  }

  /** Whether a start dumps what a dead process has recorded; default true. */
  public void setDumpAtCrash(boolean dumps) {
    dumpAtCrash = dumps;
  }

  /** Checks the options; if there are errors, the result must not be used. */
  FlightSettings validate(long segmentBytes, ConfigFindings findings) {
    long bytes = sizeBytes(segmentBytes, findings);
    int logFrom = level("level", level, "", findings);
    String trigger = dumpOn.trim();
    String marker = CallDurability.markerOf(trigger);
    int dumpFrom =
        marker != null || trigger.equalsIgnoreCase(OFF)
            ? Levels.COUNT
            : level("dumpOn", dumpOn, ", marker:NAME or OFF", findings);
    if (logFrom > dumpFrom) {
      findings.error(
          "<level> of <flightRecorder> is %s and <dumpOn> is %s: the event that causes a dump must be in the log; write a <level> of at most %s"
              .formatted(level.trim(), trigger, trigger));
    }
    findings.requireRange("maxDumps> of <flightRecorder", maxDumps, 1, MAX_DUMPS, "");
    return new FlightSettings(
        logFrom,
        bytes,
        timeNs("keep", keep, 1, MAX_KEEP_MS, findings),
        dumpFrom,
        marker,
        timeNs("after", after, 0, MAX_AFTER_MS, findings),
        timeNs("minInterval", minInterval, 0, MAX_INTERVAL_MS, findings),
        maxDumps,
        checkedKey(findings),
        dumpAtCrash);
  }

  private long sizeBytes(long segmentBytes, ConfigFindings findings) {
    FileSize configured = size;
    long bytes =
        configured == null ? Math.max(DEFAULT_SIZE, 2 * segmentBytes) : configured.getSize();
    if (bytes < 2 * segmentBytes || bytes > MAX_SIZE) {
      findings.error(
          "<size> of <flightRecorder> is %d bytes: must be between two segments, %d bytes, and %d bytes; write a larger <size> or a smaller <segmentSize>"
              .formatted(bytes, 2 * segmentBytes, MAX_SIZE));
    }
    return bytes;
  }

  private static int level(String element, String text, String more, ConfigFindings findings) {
    int index = Levels.indexOf(text);
    if (index < 0) {
      findings.error(
          "<%s> of <flightRecorder> is \"%s\": must be a level (TRACE, DEBUG, INFO, WARN or ERROR)%s"
              .formatted(element, text, more));
      return Levels.INFO;
    }
    return index;
  }

  private static long timeNs(
      String element, String text, long minMs, long maxMs, ConfigFindings findings) {
    String named = element + "> of <flightRecorder"; // as it stands in the message
    long ms = findings.timeMs(named, text, minMs);
    findings.requireRange(named, ms, minMs, maxMs, " ms");
    return ms * NS_PER_MS;
  }

  private @Nullable String checkedKey(ConfigFindings findings) {
    String name = key == null ? null : key.trim();
    if (name != null && name.isEmpty()) {
      findings.error(
          "<key> of <flightRecorder> is empty: write the MDC key that selects the events of a dump,"
              + " or remove <key>");
    }
    return name;
  }
}
