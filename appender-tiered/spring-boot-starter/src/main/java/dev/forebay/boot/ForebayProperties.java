package dev.forebay.boot;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.LimitOptions;
import dev.forebay.Misspellings;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

  /** Whether Boot's file appender is replaced; default true. */
  static final String ENABLED = PREFIX + "enabled";

  /** All properties, in the order of the documentation. */
  static final List<String> NAMES =
      List.of(
          "ring-buffer-size",
          "ring-buffer-bytes",
          "discarding-threshold",
          "never-block",
          "append-timeout",
          "max-flush-time",
          "report-interval",
          "include-caller-data",
          "urgent-level",
          "thread-name-format",
          "spool-directory",
          "spool-size",
          "segment-size",
          "fsync",
          "caller-encoding",
          "durability",
          "durability-timeout",
          "control",
          "file-permissions",
          "overflow-directory",
          "overflow-size",
          "flight-recorder.level",
          "flight-recorder.size",
          "flight-recorder.keep",
          "flight-recorder.dump-on",
          "flight-recorder.after",
          "flight-recorder.min-interval",
          "flight-recorder.max-dumps",
          "flight-recorder.key",
          "flight-recorder.dump-at-crash",
          "limit.logger",
          "limit.per-second",
          "limit.burst",
          "limit.duplicates",
          "limit.exempt");

  private final ConfigurableEnvironment environment;
  private final Consumer<String> warn;
  private @Nullable FlightRecorderOptions flight;
  private @Nullable LimitOptions limit;

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

  /** The first property that is set, apart from {@link #ENABLED}; null if there is none. */
  static @Nullable String firstIn(Environment environment) {
    return NAMES.stream()
        .map(name -> PREFIX + name)
        .filter(environment::containsProperty)
        .findFirst()
        .orElse(null);
  }

  /** Returns one message for each property that cannot be used, with what to write instead. */
  List<String> applyTo(TieredAppender to) {
    List<String> problems = new ArrayList<>();
    for (String name : NAMES) {
      String value = environment.getProperty(PREFIX + name);
      try {
        if (value != null) {
          set(to, name, value.trim());
        }
      } catch (IllegalArgumentException e) {
        problems.add("%s%s is \"%s\": must be %s".formatted(PREFIX, name, value, e.getMessage()));
      }
    }
    findUnknown(problems);
    return problems;
  }

  /** No table of lambdas, each of which is a class at the start. */
  private void set(TieredAppender to, String name, String v) {
    switch (name) {
      case "ring-buffer-size" -> to.setRingBufferSize(number(v));
      case "ring-buffer-bytes" -> to.setRingBufferBytes(size(v));
      case "discarding-threshold" -> to.setDiscardingThreshold(number(v));
      case "never-block" -> to.setNeverBlock(flag(v));
      case "append-timeout" -> to.setAppendTimeout(v);
      case "max-flush-time" -> to.setMaxFlushTime(v);
      case "report-interval" -> to.setReportInterval(v);
      case "include-caller-data" -> to.setIncludeCallerData(flag(v));
      case "urgent-level" -> to.setUrgentLevel(v);
      case "thread-name-format" -> to.setThreadNameFormat(v);
      case "spool-directory" -> to.setSpoolDirectory(v);
      case "spool-size" -> to.setSpoolSize(size(v));
      case "segment-size" -> to.setSegmentSize(size(v));
      case "fsync" -> to.setFsync(v);
      case "caller-encoding" -> to.setCallerEncoding(v);
      case "durability" -> to.setDurability(v);
      case "durability-timeout" -> to.setDurabilityTimeout(v);
      case "control" -> to.setControl(flag(v));
      case "file-permissions" -> to.setFilePermissions(v);
      case "overflow-directory" -> to.setOverflowDirectory(v);
      case "overflow-size" -> to.setOverflowSize(size(v));
      case "flight-recorder.level" -> flight(to).setLevel(v);
      case "flight-recorder.size" -> flight(to).setSize(size(v));
      case "flight-recorder.keep" -> flight(to).setKeep(v);
      case "flight-recorder.dump-on" -> flight(to).setDumpOn(v);
      case "flight-recorder.after" -> flight(to).setAfter(v);
      case "flight-recorder.min-interval" -> flight(to).setMinInterval(v);
      case "flight-recorder.max-dumps" -> flight(to).setMaxDumps(number(v));
      case "flight-recorder.key" -> flight(to).setKey(v);
      case "flight-recorder.dump-at-crash" -> flight(to).setDumpAtCrash(flag(v));
      case "limit.logger" -> limit(to).setLogger(v);
      case "limit.per-second" -> limit(to).setPerSecond(number(v));
      case "limit.burst" -> limit(to).setBurst(number(v));
      case "limit.duplicates" -> limit(to).setDuplicates(number(v));
      case "limit.exempt" -> limit(to).setExempt(v);
      default -> throw new IllegalStateException(name);
    }
  }

  private FlightRecorderOptions flight(TieredAppender of) {
    if (flight == null) {
      flight = new FlightRecorderOptions();
      of.setFlightRecorder(flight);
    }
    return flight;
  }

  private LimitOptions limit(TieredAppender of) {
    if (limit == null) {
      limit = new LimitOptions();
      of.addLimit(limit);
    }
    return limit;
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

  static boolean flag(String value) {
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
                    .formatted(name, PREFIX + nearest(name.substring(PREFIX.length()))));
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

  private static String nearest(String name) {
    return Misspellings.nearest(
        name, known().map(each -> each.substring(PREFIX.length())).toList());
  }

  private static Stream<String> known() {
    return Stream.concat(Stream.of(ENABLED), NAMES.stream().map(name -> PREFIX + name));
  }

  /** Boot takes spool-size, spoolSize, spool_size and SPOOLSIZE for the same. */
  private static String bare(String name, String separators) {
    return name.toLowerCase(Locale.ROOT).replaceAll(separators, "");
  }
}
