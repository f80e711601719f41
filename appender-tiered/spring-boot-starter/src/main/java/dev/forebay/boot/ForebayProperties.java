package dev.forebay.boot;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The properties {@code forebay.*} of an application, with the meaning of the appender's properties
 * of the same names in XML. The appender checks ranges when it starts.
 */
final class ForebayProperties {

  static final String PREFIX = "forebay.";

  /** Default true. */
  static final String ENABLED = PREFIX + "enabled";

  private static final String RECORDER = "flight-recorder.";

  /** By name, in the order of the documentation. */
  private static final Map<String, Setter> SETTERS = setters();

  static final List<String> NAMES = List.copyOf(SETTERS.keySet());

  private final ConfigurableEnvironment environment;
  private final Consumer<String> warn;

  ForebayProperties(ConfigurableEnvironment environment, Consumer<String> warn) {
    this.environment = environment;
    this.warn = warn;
  }

  /** Whether Boot's file appender is a TieredAppender. */
  static boolean isEnabled(Environment environment) {
    try {
      return environment.getProperty(ENABLED, Boolean.class, true);
    } catch (ConversionFailedException e) {
      throw new IllegalArgumentException(
          "%s is \"%s\": must be true or false".formatted(ENABLED, e.getValue()), e);
    }
  }

  /** Returns one message for each property that cannot be used, with what to write instead. */
  List<String> applyTo(TieredAppender to) {
    List<String> problems = new ArrayList<>();
    FlightRecorderOptions recorder = new FlightRecorderOptions();
    boolean records = false;
    for (Map.Entry<String, Setter> each : SETTERS.entrySet()) {
      String name = each.getKey();
      String value = environment.getProperty(PREFIX + name);
      if (value != null) {
        records |= name.startsWith(RECORDER);
        try {
          each.getValue().set(to, recorder, value.trim());
        } catch (IllegalArgumentException e) {
          problems.add("%s%s is \"%s\": must be %s".formatted(PREFIX, name, value, e.getMessage()));
        }
      }
    }
    if (records) {
      to.setFlightRecorder(recorder);
    }
    findUnknown(problems);
    return problems;
  }

  private static Map<String, Setter> setters() {
    Map<String, Setter> all = new LinkedHashMap<>();
    all.put("ring-buffer-size", (to, flight, v) -> to.setRingBufferSize(number(v)));
    all.put("ring-buffer-bytes", (to, flight, v) -> to.setRingBufferBytes(size(v)));
    all.put("discarding-threshold", (to, flight, v) -> to.setDiscardingThreshold(number(v)));
    all.put("never-block", (to, flight, v) -> to.setNeverBlock(flag(v)));
    all.put("append-timeout", (to, flight, v) -> to.setAppendTimeout(v));
    all.put("max-flush-time", (to, flight, v) -> to.setMaxFlushTime(v));
    all.put("report-interval", (to, flight, v) -> to.setReportInterval(v));
    all.put("include-caller-data", (to, flight, v) -> to.setIncludeCallerData(flag(v)));
    all.put("urgent-level", (to, flight, v) -> to.setUrgentLevel(v));
    all.put("thread-name-format", (to, flight, v) -> to.setThreadNameFormat(v));
    all.put("spool-directory", (to, flight, v) -> to.setSpoolDirectory(v));
    all.put("spool-size", (to, flight, v) -> to.setSpoolSize(size(v)));
    all.put("segment-size", (to, flight, v) -> to.setSegmentSize(size(v)));
    all.put("fsync", (to, flight, v) -> to.setFsync(v));
    all.put("caller-encoding", (to, flight, v) -> to.setCallerEncoding(flag(v)));
    all.put("durability", (to, flight, v) -> to.setDurability(v));
    all.put("durability-timeout", (to, flight, v) -> to.setDurabilityTimeout(v));
    all.put("control", (to, flight, v) -> to.setControl(flag(v)));
    all.put("flight-recorder.level", (to, flight, v) -> flight.setLevel(v));
    all.put("flight-recorder.size", (to, flight, v) -> flight.setSize(size(v)));
    all.put("flight-recorder.keep", (to, flight, v) -> flight.setKeep(v));
    all.put("flight-recorder.dump-on", (to, flight, v) -> flight.setDumpOn(v));
    all.put("flight-recorder.after", (to, flight, v) -> flight.setAfter(v));
    all.put("flight-recorder.min-interval", (to, flight, v) -> flight.setMinInterval(v));
    all.put("flight-recorder.max-dumps", (to, flight, v) -> flight.setMaxDumps(number(v)));
    all.put("flight-recorder.key", (to, flight, v) -> flight.setKey(v));
    all.put("flight-recorder.dump-at-crash", (to, flight, v) -> flight.setDumpAtCrash(flag(v)));
    return all;
  }

  private static int number(String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a whole number", e);
    }
  }

  private static FileSize size(String value) {
    try {
      return FileSize.valueOf(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a size such as 64MB", e);
    }
  }

  private static boolean flag(String value) {
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return Boolean.parseBoolean(value);
    }
    throw new IllegalArgumentException("true or false");
  }

  /** An environment variable may have such a name for another reason, so it is only a warning. */
  private void findUnknown(List<String> problems) {
    for (PropertySource<?> source : environment.getPropertySources()) {
      boolean isVariable =
          source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
      if (source instanceof EnumerablePropertySource<?> listed) {
        for (String name : listed.getPropertyNames()) {
          if (isUnknown(name, isVariable)) {
            Consumer<String> tell = isVariable ? warn : problems::add;
            tell.accept(
                "%s is no property of Forebay; the nearest one is %s"
                    .formatted(name, nearest(name)));
          }
        }
      }
    }
  }

  private static boolean isUnknown(String name, boolean isVariable) {
    if (!name.regionMatches(true, 0, PREFIX, 0, PREFIX.length() - 1)) {
      return false; // nearly all, without a regular expression
    }
    String separators = isVariable ? "[._-]" : "[_-]"; // a dot is one only in a variable
    String bare = bare(name, separators);
    return name.toLowerCase(Locale.ROOT).matches(isVariable ? "forebay[._-].*" : "forebay\\..*")
        && known().noneMatch(each -> bare(each, separators).equals(bare));
  }

  private static Stream<String> known() {
    return Stream.concat(Stream.of(ENABLED), NAMES.stream().map(name -> PREFIX + name));
  }

  private static String bare(String name) {
    return bare(name, "[._-]");
  }

  /** Boot takes spool-size, spoolSize, spool_size and SPOOLSIZE for the same. */
  private static String bare(String name, String separators) {
    return name.toLowerCase(Locale.ROOT).replaceAll(separators, "");
  }

  /** A property with the same end, as of the flight recorder; otherwise the longest same start. */
  private static String nearest(String name) {
    String end = bare(name.substring(PREFIX.length()));
    return known()
        .filter(each -> bare(each).endsWith(end))
        .findFirst()
        .or(() -> known().reduce((a, b) -> commonLength(b, name) > commonLength(a, name) ? b : a))
        .orElseThrow();
  }

  private static int commonLength(String known, String name) {
    String a = bare(known);
    String b = bare(name);
    int length = 0;
    while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return length;
  }

  private interface Setter {
    /** Throws IllegalArgumentException with what the value must be. */
    void set(TieredAppender to, FlightRecorderOptions flight, String value);
  }
}
