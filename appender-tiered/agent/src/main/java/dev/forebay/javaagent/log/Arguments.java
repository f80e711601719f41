package dev.forebay.javaagent.log;

import dev.forebay.ConfigFindings;
import dev.forebay.tiered.jvm.JvmOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent's arguments: {@code name=value}, separated by commas. Several values of one name are
 * separated by colons, because the comma is taken: {@code what=gc*:safepoint}. Read before the
 * program starts, so without Logback, lambdas and patterns.
 *
 * @param file path of the log
 * @param what selectors as of {@code -Xlog}, separated by commas
 * @param decorators as of {@code -Xlog}, separated by commas
 * @param memory limit of what the JVM's own files take
 * @param spoolDirectory where these files and the spool are
 * @param maxFileSize size from which the log rolls
 * @param maxHistory days after which an archive is deleted
 * @param totalSizeCap most bytes of all archives
 */
record Arguments(
    String file,
    @Nullable String what,
    @Nullable String decorators,
    long memory,
    String spoolDirectory,
    long maxFileSize,
    int maxHistory,
    long totalSizeCap) {

  /** For a value that is not there the appender has a default. */
  static final long DEFAULT = -1;

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
          "totalSizeCap");

  /** Values by name, and what is wrong with them. */
  private record Given(Map<String, String> values, ConfigFindings findings) {

    String value(String name, String instead) {
      return values.getOrDefault(name, instead);
    }

    @Nullable String list(String name) {
      String value = values.get(name);
      return value == null ? null : value.replace(':', ',');
    }

    /** As Logback has it, or the JVM's options. */
    long size(String name, long instead) {
      String value = values.get(name);
      if (value == null) {
        return instead;
      }
      int end = value.length();
      if (end > 0 && Character.toUpperCase(value.charAt(end - 1)) == 'B') {
        end--;
      }
      int unit = end == 0 ? 0 : " KMG".indexOf(Character.toUpperCase(value.charAt(end - 1)));
      String number = value.substring(0, unit > 0 ? end - 1 : end).trim();
      try {
        return Math.multiplyExact(
            Long.parseUnsignedLong(number), 1L << BITS_PER_UNIT * Math.max(0, unit));
      } catch (ArithmeticException | NumberFormatException e) {
        findings.warn(
            "%s is \"%s\": must be a size, such as 20MB; the default is used"
                .formatted(name, value));
        return instead;
      }
    }

    int days(String name, int instead) {
      String value = values.get(name);
      if (value == null) {
        return instead;
      }
      try {
        int number = Integer.parseInt(value);
        if (number > 0) {
          return number;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      findings.warn(
          "%s is \"%s\": must be a number of days, 1 or more; the default is used"
              .formatted(name, value));
      return instead;
    }
  }

  /** Reads them; they must not be used if the findings have errors then. */
  static Arguments parse(String text, ConfigFindings findings) {
    Given given = new Given(values(text, findings), findings);
    String file = given.value("file", "");
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
        given.list("what"),
        given.list("decorators"),
        given.size("memory", DEFAULT),
        given.value("spoolDirectory", SPOOL_DIRECTORY),
        given.size("maxFileSize", MAX_FILE_SIZE),
        given.days("maxHistory", MAX_HISTORY_DAYS),
        given.size("totalSizeCap", TOTAL_SIZE_CAP));
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

  /** Sets what concerns the JVM. */
  void configure(JvmOptions options) {
    if (what != null) {
      options.setWhat(what);
    }
    if (decorators != null) {
      options.setDecorators(decorators);
    }
    if (memory != DEFAULT) {
      options.setMemory(memory);
    }
  }
}
