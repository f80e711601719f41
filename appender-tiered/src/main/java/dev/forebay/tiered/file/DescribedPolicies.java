package dev.forebay.tiered.file;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.DefaultTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.SizeAndTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.ship.Described;
import java.io.IOException;
import java.lang.reflect.Field;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Logback's rolling and triggering policies as keys and values.
 *
 * <p>Exactly its classes: what extends them may do anything. Some properties have no getter and are
 * read from their fields. What depends on the process comes along: the default time zone is put
 * into the pattern; the locale, the library that compresses and what the version of Logback knows
 * are compared there, as they cannot be chosen for one log.
 */
final class DescribedPolicies {

  private static final String TIME = TimeBasedRollingPolicy.class.getSimpleName();
  private static final String SIZE_AND_TIME = SizeAndTimeBasedRollingPolicy.class.getSimpleName();
  private static final String WINDOW = FixedWindowRollingPolicy.class.getSimpleName();
  private static final String NAMING =
      SizeAndTimeBasedFileNamingAndTriggeringPolicy.class.getSimpleName();
  private static final String BY_SIZE = SizeBasedTriggeringPolicy.class.getSimpleName();

  /** Since Logback 1.5.16 again, another name of the one above. */
  private static final String OLD_NAMING = "ch.qos.logback.core.rolling.SizeAndTimeBasedFNATP";

  private static final String XZ = "XZ";

  private DescribedPolicies() {}

  /**
   * Describes started policies.
   *
   * @param directory what their paths are relative to
   * @throws IllegalArgumentException if they cannot be described; says why
   */
  static void put(
      RollingPolicy rolling,
      TriggeringPolicy<?> triggering,
      String directory,
      Map<String, String> to) {
    Class<?> type = rolling.getClass();
    if (!rolling.isStarted()) {
      throw new IllegalArgumentException(
          "<rollingPolicy> of %s is not started and cannot be described".formatted(type.getName()));
    }
    if (type == TimeBasedRollingPolicy.class) {
      TimeBasedRollingPolicy<?> timed = (TimeBasedRollingPolicy<?>) rolling;
      to.put("policy", TIME);
      putNaming(timed.getTimeBasedFileNamingAndTriggeringPolicy(), to);
      putHistory(timed, to);
    } else if (type == SizeAndTimeBasedRollingPolicy.class) {
      SizeAndTimeBasedRollingPolicy<?> both = (SizeAndTimeBasedRollingPolicy<?>) rolling;
      to.put("policy", SIZE_AND_TIME);
      to.put("maxFileSize", size(SizeAndTimeBasedRollingPolicy.class, "maxFileSize", both));
      putHistory(both, to);
    } else if (type == FixedWindowRollingPolicy.class) {
      FixedWindowRollingPolicy window = (FixedWindowRollingPolicy) rolling;
      to.put("policy", WINDOW);
      to.put("minIndex", String.valueOf(window.getMinIndex()));
      to.put("maxIndex", String.valueOf(window.getMaxIndex()));
    } else {
      throw undescribed("rollingPolicy", rolling);
    }
    putPattern((RollingPolicyBase) rolling, directory, to);
    if (triggering != rolling) {
      if (triggering.getClass() != SizeBasedTriggeringPolicy.class) {
        throw undescribed("triggeringPolicy", triggering);
      }
      SizeBasedTriggeringPolicy<?> bySize = (SizeBasedTriggeringPolicy<?>) triggering;
      to.put("triggeringPolicy", BY_SIZE);
      to.put("triggeringFileSize", String.valueOf(bySize.getMaxFileSize().getSize()));
      if (bySize.getCheckIncrement() != null) {
        to.put("checkIncrementMs", String.valueOf(bySize.getCheckIncrement().getMilliseconds()));
      }
    }
  }

  private static IllegalArgumentException undescribed(String element, Object policy) {
    return new IllegalArgumentException(
        "<%s> of %s cannot be described to another process: %s"
            .formatted(element, policy.getClass().getName(), DescribedFiles.INSIDE));
  }

  private static void putNaming(
      TimeBasedFileNamingAndTriggeringPolicy<?> naming, Map<String, String> to) {
    Class<?> bySize = SizeAndTimeBasedFileNamingAndTriggeringPolicy.class;
    if (naming.getClass() == bySize || naming.getClass().getName().equals(OLD_NAMING)) {
      to.put("naming", NAMING);
      to.put("maxFileSize", size(bySize, "maxFileSize", naming));
    } else if (naming.getClass() != DefaultTimeBasedFileNamingAndTriggeringPolicy.class) {
      throw undescribed("timeBasedFileNamingAndTriggeringPolicy", naming);
    }
  }

  private static void putHistory(TimeBasedRollingPolicy<?> policy, Map<String, String> to) {
    if (policy.getMaxHistory() == CoreConstants.UNBOUNDED_HISTORY) {
      return; // then the rest has no meaning
    }
    to.put("maxHistory", String.valueOf(policy.getMaxHistory()));
    to.put("totalSizeCap", size(TimeBasedRollingPolicy.class, "totalSizeCap", policy));
    to.put("cleanHistoryOnStart", String.valueOf(policy.isCleanHistoryOnStart()));
  }

  /** A size that has no getter, in bytes. */
  private static String size(Class<?> type, String property, Object policy) {
    try {
      Field field = type.getDeclaredField(property);
      field.setAccessible(true);
      return String.valueOf(((FileSize) field.get(policy)).getSize());
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          "<%s> of %s is hidden on the module path: start Java with --add-opens ch.qos.logback.core/ch.qos.logback.core.rolling=dev.forebay.tiered, or %s"
              .formatted(property, policy.getClass().getName(), DescribedFiles.INSIDE),
          e);
    }
  }

  private static void putPattern(
      RollingPolicyBase policy, String directory, Map<String, String> to) {
    ZoneId zone = ZoneId.systemDefault();
    Context context = new ContextBase(); // the user has seen what its own reports
    NamePattern pattern = NamePattern.of(policy.getFileNamePattern(), zone, directory, context);
    to.put("pattern", pattern.text());
    to.put("compression", policy.getCompressionMode().name());
    to.put("zone", zone.getId());
    if (pattern.hasLocale()) {
      to.put("locale", Locale.getDefault().toLanguageTag());
    }
  }

  /** The rolling policy that was described; not started. */
  static RollingPolicy rolling(Described from, FileAppender<?> parent, Context context)
      throws IOException {
    RollingPolicyBase policy;
    String name = from.text("policy");
    if (name.equals(TIME)) {
      policy = timed(from, context);
    } else if (name.equals(SIZE_AND_TIME)) {
      SizeAndTimeBasedRollingPolicy<Object> both = new SizeAndTimeBasedRollingPolicy<>();
      both.setContext(context); // first: setters report to it
      both.setMaxFileSize(new FileSize(from.number("maxFileSize")));
      setHistory(from, both);
      policy = both;
    } else if (name.equals(WINDOW)) {
      FixedWindowRollingPolicy window = new FixedWindowRollingPolicy();
      window.setContext(context);
      window.setMinIndex(from.index("minIndex"));
      window.setMaxIndex(from.index("maxIndex"));
      policy = window;
    } else {
      throw Described.unknown("policy", null);
    }
    policy.setParent(parent);
    policy.setFileNamePattern(pattern(from, context));
    return policy;
  }

  private static TimeBasedRollingPolicy<Object> timed(Described from, Context context)
      throws IOException {
    TimeBasedRollingPolicy<Object> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(context);
    String naming = from.textOrNull("naming");
    if (naming != null) {
      if (!naming.equals(NAMING)) {
        throw Described.unknown("naming", null);
      }
      SizeAndTimeBasedFileNamingAndTriggeringPolicy<Object> bySize =
          new SizeAndTimeBasedFileNamingAndTriggeringPolicy<>();
      bySize.setContext(context);
      bySize.setMaxFileSize(new FileSize(from.number("maxFileSize")));
      policy.setTimeBasedFileNamingAndTriggeringPolicy(bySize);
    }
    setHistory(from, policy);
    return policy;
  }

  private static void setHistory(Described from, TimeBasedRollingPolicy<?> policy)
      throws IOException {
    if (from.textOrNull("maxHistory") != null) {
      policy.setMaxHistory(from.index("maxHistory"));
      policy.setTotalSizeCap(new FileSize(from.number("totalSizeCap")));
      policy.setCleanHistoryOnStart(from.flag("cleanHistoryOnStart"));
    }
  }

  /** The triggering policy that was described, perhaps the rolling one itself; not started. */
  static TriggeringPolicy<?> triggering(Described from, RollingPolicy rolling, Context context)
      throws IOException {
    String name = from.textOrNull("triggeringPolicy");
    if (name == null && rolling instanceof TriggeringPolicy<?> both) {
      return both;
    }
    if (!BY_SIZE.equals(name)) {
      throw Described.unknown("triggeringPolicy", null);
    }
    SizeBasedTriggeringPolicy<Object> policy = new SizeBasedTriggeringPolicy<>();
    policy.setContext(context);
    policy.setMaxFileSize(new FileSize(from.number("triggeringFileSize")));
    if (from.textOrNull("checkIncrementMs") != null) {
      policy.setCheckIncrement(
          Duration.buildByMilliseconds((double) from.number("checkIncrementMs")));
    }
    return policy;
  }

  /** The pattern, if it means here what it means in the other process. */
  private static String pattern(Described from, Context context) throws IOException {
    String text = from.text("pattern");
    DescribedFiles.requireAbsolute(from, "pattern");
    NamePattern pattern;
    try {
      pattern = NamePattern.of(text, ZoneId.of(from.text("zone")), "", context);
    } catch (DateTimeException e) { // its tz database may be newer, or the file of a user's
      throw new IOException(
          "this process does not know the time zone in %s: %s; update its Java"
              .formatted(text, e.getMessage()),
          e);
    } catch (IllegalArgumentException e) {
      throw Described.unknown("pattern", e);
    }
    String locale = from.textOrNull("locale");
    if (locale != null && !pattern.isSameIn(Locale.forLanguageTag(locale), Locale.getDefault())) {
      throw new IOException(
          "%s names months, days or weeks as locale %s does, but this process has %s: start it with -Duser.language and -Duser.country of the former"
              .formatted(text, locale, Locale.getDefault().toLanguageTag()));
    }
    String packing = from.text("compression");
    if (!packing.equals(compression(text))) {
      throw new IOException(
          "%s is packed as %s there and would be as %s here: start this process with the same version of Logback%s"
              .formatted(
                  text,
                  packing,
                  compression(text),
                  packing.equals(XZ) ? ", and with the library org.tukaani:xz" : ""));
    }
    return text;
  }

  /** How this version of Logback packs files of this pattern. */
  private static String compression(String pattern) {
    String ending = pattern.substring(pattern.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT);
    boolean isKnown =
        pattern.endsWith("." + ending.toLowerCase(Locale.ROOT))
            && Stream.of(CompressionMode.values()).anyMatch(mode -> mode.name().equals(ending));
    boolean hasLibrary = !ending.equals(XZ) || Packing.hasXz();
    return isKnown && hasLibrary ? ending : CompressionMode.NONE.name();
  }
}
