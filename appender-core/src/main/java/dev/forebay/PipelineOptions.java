package dev.forebay;

import dev.forebay.observe.FailureListener;
import dev.forebay.observe.Levels;
import dev.forebay.observe.Printable;
import dev.forebay.pipeline.FillLimits;
import dev.forebay.pipeline.LimitSettings;
import dev.forebay.pipeline.PipelineSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IllegalFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The ring's options as configured. {@link #validate} turns them into {@link PipelineSettings}. For
 * the configuring thread.
 *
 * @hidden
 */
public final class PipelineOptions {

  static final int DEFAULT_RING_SIZE = 8192;
  static final int MAX_RING_SIZE = 1 << 24;
  static final long DEFAULT_RING_BYTES = 32L << 20;
  static final long MIN_RING_BYTES = 64L << 10;
  static final long MAX_RING_BYTES = 64L << 30;
  static final long DEFAULT_MAX_FLUSH_MS = 1000;

  /** A shorter time was probably meant in seconds: 5 means 5 milliseconds. */
  static final long HARDLY_MEANT_MS = 100;

  static final long MAX_TIME_MS = 3_600_000;
  static final String GRACE_PERIOD = "shutdownGracePeriod";
  static final long DEFAULT_REPORT_INTERVAL_MS = 1000;
  static final long MIN_REPORT_INTERVAL_MS = 10;

  /** Logback's value for a threshold that is not set. */
  private static final int UNDEFINED = -1;

  private static final long NS_PER_MS = 1_000_000;

  /** Counts the starts in this JVM. */
  private static final AtomicInteger STARTS = new AtomicInteger();

  int ringBufferSize = DEFAULT_RING_SIZE;
  String ringSizeElement = "ringBufferSize";
  long ringBufferBytes = DEFAULT_RING_BYTES;
  int discardingThreshold = UNDEFINED;
  @Nullable Boolean neverBlock;
  @Nullable String appendTimeout;
  @Nullable String maxFlush;
  String maxFlushElement = "maxFlushTime";
  @Nullable String reportInterval;
  boolean includeCallerData;
  @Nullable String urgentLevel;
  private String usualUrgentLevel = "ERROR";
  String threadNameFormat = PipelineSettings.DEFAULT_THREAD_NAMES;
  final List<FailureListener> listeners = new CopyOnWriteArrayList<>();

  /** Whether log events carry events of a server's access log. */
  boolean carriesOthers;

  /** Empty without a limit. */
  List<LimitOptions> limits = List.of();

  /** Null without {@code <redact>}. */
  @Nullable RedactOptions redact;

  private final Map<String, String> withoutMeaning = new LinkedHashMap<>();

  public PipelineOptions() {}

  /** Records a property without meaning here, for one warning at start. */
  public void setWithoutMeaning(String element, String reason) {
    withoutMeaning.put(element, reason);
  }

  /** A reader waits for every event, unless the configuration sets a level for this. */
  public void treatAllAsUrgent() {
    usualUrgentLevel = "TRACE";
  }

  /** For appenders of an access log: log events carry its events. */
  public void carryOthers() {
    carriesOthers = true;
  }

  void addLimit(LimitOptions limit) {
    if (limits.isEmpty()) {
      limits = new ArrayList<>();
    }
    limits.add(limit);
  }

  void addRedact(RedactOptions more) {
    if (redact == null) {
      redact = more;
    } else {
      redact.addAll(more);
    }
  }

  void setRingSize(String element, int size) {
    ringSizeElement = element;
    ringBufferSize = size;
  }

  void setMaxFlush(String element, String time) {
    maxFlushElement = element;
    maxFlush = time;
  }

  /** Takes over times, listeners and names of threads. */
  public void takeTimes(PipelineOptions from) {
    maxFlushElement = from.maxFlushElement;
    maxFlush = from.maxFlush;
    reportInterval = from.reportInterval;
    threadNameFormat = from.threadNameFormat;
    listeners.addAll(from.listeners);
  }

  /** The listeners in the order of the configuration, also those added from now on. */
  public List<FailureListener> listeners() {
    return listeners;
  }

  /**
   * Checks the options and returns the resulting settings.
   *
   * @param findings receives the problems; if it has errors, the settings must not be used
   */
  public PipelineSettings validate(String appender, ConfigFindings findings) {
    for (Map.Entry<String, String> each : withoutMeaning.entrySet()) {
      findings.warn("<" + each.getKey() + "> has no meaning here: " + each.getValue());
    }
    findings.requireRange(ringSizeElement, ringBufferSize, 1, MAX_RING_SIZE, "");
    findings.requireRange(
        "ringBufferBytes", ringBufferBytes, MIN_RING_BYTES, MAX_RING_BYTES, " bytes");
    findings.requireRange(
        "discardingThreshold", discardingThreshold, UNDEFINED, Math.max(0, ringBufferSize), "");
    long appendTimeoutMs = findings.timeMs("appendTimeout", appendTimeout, 0);
    findings.requireRange("appendTimeout", appendTimeoutMs, 0, MAX_TIME_MS, " ms");
    long reportIntervalMs =
        findings.timeMs("reportInterval", reportInterval, DEFAULT_REPORT_INTERVAL_MS);
    findings.requireRange(
        "reportInterval", reportIntervalMs, MIN_REPORT_INTERVAL_MS, MAX_TIME_MS, " ms");
    long maxFlushMs = checkedMaxFlushMs(findings);
    checkThreadNameFormat(findings);
    int capacity = powerOfTwo(Math.max(1, Math.min(MAX_RING_SIZE, ringBufferSize)));
    long waitMs = checkedWaitMs(appendTimeoutMs, findings);
    return new PipelineSettings(
        Printable.text(appender), // for messages and names of threads
        capacity,
        ringBufferBytes,
        fillLimits(capacity, waitMs > 0),
        urgentIndex(findings),
        waitMs * NS_PER_MS,
        maxFlushMs * NS_PER_MS,
        reportIntervalMs * NS_PER_MS,
        includeCallerData,
        limits.isEmpty() ? List.of() : checkedLimits(findings),
        redact == null ? null : redact.validate(carriesOthers, findings),
        threadNameFormat,
        STARTS.incrementAndGet());
  }

  private long checkedMaxFlushMs(ConfigFindings findings) {
    long maxFlushMs = findings.timeMs(maxFlushElement, maxFlush, DEFAULT_MAX_FLUSH_MS);
    if (maxFlushMs > 0 && maxFlushMs < HARDLY_MEANT_MS) {
      findings.warn(
          "<%s> is %d ms: stop() drops what it cannot deliver in that time; a number alone is"
                  .formatted(maxFlushElement, maxFlushMs)
              + " milliseconds, write \"5 seconds\" or \"5s\"");
    }
    if (maxFlushMs == 0 && maxFlushElement.equals(GRACE_PERIOD)) {
      return 1; // with the disruptor appender: do not wait
    }
    if (maxFlushMs == 0) {
      findings.warn(
          "<%s> 0 would wait without limit in stop(); using %d ms"
              .formatted(maxFlushElement, MAX_TIME_MS / 60));
      return MAX_TIME_MS / 60;
    }
    findings.requireRange(maxFlushElement, maxFlushMs, 1, MAX_TIME_MS, " ms");
    return maxFlushMs;
  }

  private void checkThreadNameFormat(ConfigFindings findings) {
    if (threadNameFormat.equals(PipelineSettings.DEFAULT_THREAD_NAMES)) {
      return;
    }
    try {
      String unused = threadNameFormat.formatted("appender", 1, "role");
    } catch (IllegalFormatException e) {
      findings.error(
          "<threadNameFormat> is \"%s\": must be a format of appender name (%%1$s), number (%%2$d)"
                  .formatted(threadNameFormat)
              + " and role (%3$s); "
              + e.getMessage());
    }
  }

  private long checkedWaitMs(long appendTimeoutMs, ConfigFindings findings) {
    if (Boolean.FALSE.equals(neverBlock) && appendTimeoutMs == 0) {
      findings.warn(
          "<neverBlock> false has no meaning here: a log call does not wait without a limit; set"
              + " <appendTimeout> to let it wait that long for a full ring");
    }
    if (Boolean.TRUE.equals(neverBlock) && appendTimeoutMs > 0) {
      findings.warn(
          "<appendTimeout> is %d ms and <neverBlock> is true: not waiting"
              .formatted(appendTimeoutMs));
      return 0;
    }
    return appendTimeoutMs;
  }

  private List<LimitSettings> checkedLimits(ConfigFindings findings) {
    List<LimitSettings> checked = new ArrayList<>();
    Set<String> loggers = new HashSet<>();
    for (LimitOptions each : limits) {
      LimitSettings limit = each.validate(findings);
      checked.add(limit);
      if (!loggers.add(limit.logger())) {
        findings.error(
            "two <limit> for logger \"%s\": remove one"
                .formatted(limit.logger().isEmpty() ? "ROOT" : limit.logger()));
      }
    }
    return List.copyOf(checked);
  }

  private FillLimits fillLimits(int capacity, boolean waits) {
    if (discardingThreshold != UNDEFINED) {
      return FillLimits.discardingBelow(Math.min(discardingThreshold, capacity), capacity);
    }
    return waits ? FillLimits.none(capacity) : FillLimits.byLevel(capacity);
  }

  private int urgentIndex(ConfigFindings findings) {
    String level = urgentLevel == null ? usualUrgentLevel : urgentLevel;
    int index = Levels.indexOf(level);
    boolean isOff = level.trim().equalsIgnoreCase("OFF");
    if (index < 0 && !isOff) {
      findings.error(
          "<urgentLevel> is \"%s\": must be TRACE, DEBUG, INFO, WARN, ERROR or OFF"
              .formatted(level));
    }
    return index < 0 ? Levels.COUNT : index;
  }

  private static int powerOfTwo(int atLeast) {
    return atLeast <= 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
  }
}
