package dev.forebay.boot;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.LimitOptions;
import dev.forebay.Misspellings;
import dev.forebay.RedactOptions;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;

/**
 * The properties {@code forebay.*} of an application, with the meaning of the appender's properties
 * of the same names in XML. The appender checks ranges when it starts.
 */
final class ForebayProperties {

  static final String PREFIX = "forebay.";

  /** Whether Boot's file appender is replaced; default true. */
  static final String ENABLED = PREFIX + "enabled";

  static final String OTLP = PREFIX + "otlp";

  /** Where Boot 3.5 and 4 have what its own exporter needs. */
  static final List<String> OTLP_OF_BOOT =
      List.of("management.otlp.logging", "management.opentelemetry.logging.export.otlp");

  private final Environment environment;

  /** Null to ask only which properties are set. */
  private final @Nullable TieredAppender to;

  /** All properties: those asked for, whether or not they are set. */
  private final List<String> names = new ArrayList<>();

  private final List<String> problems = new ArrayList<>();
  private @Nullable String first;
  private @Nullable FlightRecorderOptions flight;
  private @Nullable LimitOptions limit;
  private @Nullable RedactOptions redact;

  /** Of the last name, without the spaces around it. */
  private String value = "";

  private ForebayProperties(Environment environment, @Nullable TieredAppender to) {
    this.environment = environment;
    this.to = to;
    read();
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

  /** Whether log records are sent: Boot's own endpoint counts where forebay-otlp is there. */
  static boolean wantsOtlp(Environment environment) {
    return environment.containsProperty(OTLP + ".endpoint")
        || (OTLP_OF_BOOT.stream().anyMatch(each -> environment.containsProperty(each + ".endpoint"))
            && ClassUtils.isPresent("dev.forebay.otlp.OtlpDestination", null));
  }

  /** The first property that is set, apart from {@link #ENABLED}; null if there is none. */
  static @Nullable String firstIn(Environment environment) {
    return new ForebayProperties(environment, null).first;
  }

  /** Returns one message for each property that cannot be used, with what to write instead. */
  static List<String> apply(
      ConfigurableEnvironment environment, TieredAppender to, Consumer<String> warn) {
    ForebayProperties read = new ForebayProperties(environment, to);
    read.findUnknown(environment, warn);
    return read.problems;
  }

  /** In the order of the documentation. No table of lambdas: each is a class at the start. */
  private void read() {
    if (take("ring-buffer-size")) to().setRingBufferSize(number());
    if (take("ring-buffer-bytes")) to().setRingBufferBytes(size());
    if (take("discarding-threshold")) to().setDiscardingThreshold(number());
    if (take("never-block")) to().setNeverBlock(flag());
    if (take("append-timeout")) to().setAppendTimeout(value);
    if (take("max-flush-time")) to().setMaxFlushTime(value);
    if (take("report-interval")) to().setReportInterval(value);
    if (take("include-caller-data")) to().setIncludeCallerData(flag());
    if (take("urgent-level")) to().setUrgentLevel(value);
    if (take("thread-name-format")) to().setThreadNameFormat(value);
    if (take("spool-directory")) to().setSpoolDirectory(value);
    if (take("spool-size")) to().setSpoolSize(size());
    if (take("segment-size")) to().setSegmentSize(size());
    if (take("fsync")) to().setFsync(value);
    if (take("caller-encoding")) to().setCallerEncoding(value);
    if (take("durability")) to().setDurability(value);
    if (take("durability-timeout")) to().setDurabilityTimeout(value);
    if (take("control")) to().setControl(flag());
    if (take("file-permissions")) to().setFilePermissions(value);
    if (take("overflow-directory")) to().setOverflowDirectory(value);
    if (take("overflow-size")) to().setOverflowSize(size());
    if (take("shipping")) to().setShipping(value);
    if (take("shipping-fallback")) to().setShippingFallback(value);
    if (take("flight-recorder.level")) flight().setLevel(value);
    if (take("flight-recorder.size")) flight().setSize(size());
    if (take("flight-recorder.keep")) flight().setKeep(value);
    if (take("flight-recorder.dump-on")) flight().setDumpOn(value);
    if (take("flight-recorder.after")) flight().setAfter(value);
    if (take("flight-recorder.min-interval")) flight().setMinInterval(value);
    if (take("flight-recorder.max-dumps")) flight().setMaxDumps(number());
    if (take("flight-recorder.key")) flight().setKey(value);
    if (take("flight-recorder.dump-at-crash")) flight().setDumpAtCrash(flag());
    if (take("limit.logger")) limit().setLogger(value);
    if (take("limit.per-second")) limit().setPerSecond(number());
    if (take("limit.burst")) limit().setBurst(number());
    if (take("limit.duplicates")) limit().setDuplicates(number());
    if (take("limit.exempt")) limit().setExempt(value);
    for (String each : list("redact.key")) redact().addKey(each);
    for (String each : list("redact.pattern")) redact().addPattern(each);
    for (String each : list("redact.regex")) redact().addRegex(each);
  }

  /** Takes the value of a property, if values are wanted; whether there is one to hand on. */
  private boolean take(String name) {
    names.add(name);
    if (to == null) { // its value is not asked for, which a placeholder may prevent
      boolean isFirst = first == null && environment.containsProperty(PREFIX + name);
      first = isFirst ? PREFIX + name : first;
      return false;
    }
    String found = environment.getProperty(PREFIX + name);
    value = found == null ? "" : found.trim();
    return found != null;
  }

  private TieredAppender to() {
    return Objects.requireNonNull(to);
  }

  private FlightRecorderOptions flight() {
    if (flight == null) {
      flight = new FlightRecorderOptions();
      to().setFlightRecorder(flight);
    }
    return flight;
  }

  private LimitOptions limit() {
    if (limit == null) {
      limit = new LimitOptions();
      to().addLimit(limit);
    }
    return limit;
  }

  private RedactOptions redact() {
    if (redact == null) {
      redact = new RedactOptions();
      to().addRedact(redact);
    }
    return redact;
  }

  /** The values of a property that may be a list. */
  private List<String> list(String name) {
    List<String> found = new ArrayList<>();
    if (take(name)) {
      found.add(value);
    }
    while (take(name + "[" + found.size() + "]")) { // a list has no value besides
      found.add(value);
    }
    return found;
  }

  private int number() {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      return refused("a whole number", 0);
    }
  }

  private FileSize size() {
    try {
      return FileSize.valueOf(value);
    } catch (IllegalArgumentException e) {
      return refused("a size such as 64MB", new FileSize(0));
    }
  }

  private boolean flag() {
    try {
      return flag(value);
    } catch (IllegalArgumentException e) {
      return refused("true or false", false);
    }
  }

  static boolean flag(String value) {
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return Boolean.parseBoolean(value);
    }
    throw new IllegalArgumentException(value);
  }

  private <T> T refused(String must, T instead) {
    String name = PREFIX + names.get(names.size() - 1);
    problems.add("%s is \"%s\": must be %s".formatted(name, environment.getProperty(name), must));
    return instead;
  }

  /** An environment variable may have such a name for another reason, so it is only a warning. */
  private void findUnknown(ConfigurableEnvironment in, Consumer<String> warn) {
    names.add(0, ENABLED.substring(PREFIX.length()));
    names.addAll(List.of("otlp.endpoint", "otlp.compression", "otlp.timeout"));
    for (PropertySource<?> source : in.getPropertySources()) {
      boolean isVariable =
          source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
      if (source instanceof EnumerablePropertySource<?> listed) {
        for (String name : listed.getPropertyNames()) {
          if (isUnknown(name, isVariable)) {
            Consumer<String> tell = isVariable ? warn : problems::add;
            String nearest = Misspellings.nearest(name.substring(PREFIX.length()), names);
            tell.accept(
                "%s is no property of Forebay; the nearest one is %s"
                    .formatted(name, PREFIX + nearest));
          }
        }
      }
    }
  }

  private boolean isUnknown(String name, boolean isVariable) {
    if (!name.regionMatches(true, 0, PREFIX, 0, PREFIX.length() - 1)) {
      return false; // nearly all, without a regular expression
    }
    String separators = isVariable ? "[._-]" : "[_-]"; // a dot is one only in a variable
    String bare = bare(name, separators);
    return name.toLowerCase(Locale.ROOT).matches(isVariable ? "forebay[._-].*" : "forebay\\..*")
        && !bare.startsWith(bare(OTLP + ".headers.", separators))
        && !bare.startsWith(bare(OTLP + ".resource.", separators))
        && names.stream().noneMatch(each -> bare(PREFIX + each, separators).equals(bare));
  }

  /** Boot takes spool-size, spoolSize, spool_size and SPOOLSIZE for the same. */
  private static String bare(String name, String separators) {
    return name.toLowerCase(Locale.ROOT).replaceAll(separators, "");
  }
}
