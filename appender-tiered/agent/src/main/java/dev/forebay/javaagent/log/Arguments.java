package dev.forebay.javaagent.log;

import dev.forebay.ConfigFindings;
import dev.forebay.tiered.jvm.JvmOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent's arguments: {@code name=value}, separated by commas. Several values of one name are
 * separated by colons, because the comma is taken: {@code what=gc*:safepoint}. Read before the
 * program starts, so without Logback, lambdas and patterns. {@code src/docs/jvm-log.md} explains
 * each; lists are as in {@code -Xlog}, sizes in bytes, {@code maxHistory} in days.
 */
record Arguments(
    String file,
    @Nullable String what,
    String decorators,
    long memory,
    String spoolDirectory,
    long maxFileSize,
    int maxHistory,
    long totalSizeCap,
    String shipping,
    @Nullable String shippingFallback) {

  private static final String SHIPPING = "inside";
  private static final String SPOOL_DIRECTORY = "/dev/shm";

  /** What HotSpot keeps of a log by default: five files of 20 MB. */
  private static final long MAX_FILE_SIZE = 20 << 20;

  private static final long TOTAL_SIZE_CAP = 100 << 20;
  private static final int MAX_HISTORY_DAYS = 30;
  private static final int BITS_PER_UNIT = 10;

  static final List<String> NAMES =
      List.of(
          "file",
          "what",
          "decorators",
          "memory",
          "spoolDirectory",
          "maxFileSize",
          "maxHistory",
          "totalSizeCap",
          "shipping",
          "shippingFallback");

  /** Values by name, and what is wrong with them. */
  private record Given(Map<String, String> values, ConfigFindings findings) {

    /** A size as Logback has it, or the JVM's options. */
    long size(String name, long instead) {
      return number(name, instead, 0, Long.MAX_VALUE, "a size, such as 20MB");
    }

    /** A number within these limits, perhaps with a unit. */
    long number(String name, long instead, long least, long most, String expected) {
      String value = values.get(name);
      if (value == null) {
        return instead;
      }
      int end = value.length() - (value.toUpperCase(Locale.ROOT).endsWith("B") ? 1 : 0);
      int unit = end == 0 ? 0 : " KMG".indexOf(Character.toUpperCase(value.charAt(end - 1)));
      String digits = value.substring(0, unit > 0 ? end - 1 : end).trim();
      try {
        long number =
            Math.multiplyExact(
                Long.parseUnsignedLong(digits), 1L << BITS_PER_UNIT * Math.max(0, unit));
        if (number >= least && number <= most) {
          return number;
        }
      } catch (ArithmeticException | NumberFormatException e) {
        // reported below
      }
      findings.warn(
          "%s is \"%s\": must be %s; the default is used".formatted(name, value, expected));
      return instead;
    }
  }

  /** Reads them; they must not be used if the findings have errors then. */
  static Arguments parse(String text, ConfigFindings findings) {
    Map<String, String> values = values(text, findings);
    Given given = new Given(values, findings);
    String file = values.getOrDefault("file", "");
    if (file.isEmpty()) {
      findings.error(
          "file is missing: write -javaagent:forebay-agent.jar=file=/var/log/app/gc.log");
    } else if (file.contains("%")) {
      findings.error(
          "file is \"%s\": %% has no meaning here; write the name of one log for one JVM"
              .formatted(file));
    }
    return new Arguments(
        file,
        values.containsKey("what") ? values.get("what").replace(':', ',') : null,
        values.getOrDefault("decorators", JvmOptions.DEFAULT_DECORATORS).replace(':', ','),
        given.size("memory", JvmOptions.DEFAULT_MEMORY_BYTES),
        values.getOrDefault("spoolDirectory", SPOOL_DIRECTORY),
        given.size("maxFileSize", MAX_FILE_SIZE),
        (int)
            given.number(
                "maxHistory",
                MAX_HISTORY_DAYS,
                1,
                Integer.MAX_VALUE,
                "a number of days, 1 or more"),
        given.size("totalSizeCap", TOTAL_SIZE_CAP),
        values.getOrDefault("shipping", SHIPPING),
        values.get("shippingFallback"));
  }

  /** Whether another process is to ship; if that is misspelt, the appender says so. */
  boolean isApart() {
    return "apart".equalsIgnoreCase(shipping);
  }

  private static Map<String, String> values(String text, ConfigFindings findings) {
    Map<String, String> values = new HashMap<>();
    for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = part.substring(0, Math.max(0, equals)).trim();
      if (equals < 0) {
        findings.error(
            "\"%s\" is not name=value; separate several values by colons: what=gc*:safepoint"
                .formatted(part));
      } else if (!NAMES.contains(name)) {
        findings.error(
            "\"%s\" is unknown: must be one of %s; separate several values by colons: what=gc*=info:safepoint=info"
                .formatted(name, String.join(", ", NAMES)));
      } else if (values.put(name, part.substring(equals + 1).trim()) != null) {
        findings.error("%s is there twice: write it once".formatted(name));
      }
    }
    return values;
  }

  /**
   * The names of the archives: the log's own with date and number before its extension. Only for
   * arguments without errors.
   */
  String archivePattern() {
    int from = file.lastIndexOf('/') + 1;
    int dot = file.lastIndexOf('.');
    int end = dot > from ? dot : file.length();
    return file.substring(0, end) + ".%d{yyyy-MM-dd}.%i" + file.substring(end);
  }
}
