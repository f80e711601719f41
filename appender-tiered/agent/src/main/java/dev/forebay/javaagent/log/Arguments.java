package dev.forebay.javaagent.log;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent's arguments: {@code name=value}, separated by commas. Several values of one name are
 * separated by colons, because the comma is taken: {@code what=gc*:safepoint}. A value that is not
 * there is null, for the appender's own default.
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
    @Nullable FileSize memory,
    @Nullable String spoolDirectory,
    FileSize maxFileSize,
    int maxHistory,
    FileSize totalSizeCap) {

  /** What HotSpot keeps of a log by default: five files of 20 MB. */
  private static final String MAX_FILE_SIZE = "20MB";

  private static final String TOTAL_SIZE_CAP = "100MB";
  private static final String MAX_HISTORY = "30";

  private static final List<String> NAMES =
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

    @Nullable String value(String name) {
      return values.get(name);
    }

    @Nullable String list(String name) {
      String value = values.get(name);
      return value == null ? null : value.replace(':', ',');
    }

    @Nullable FileSize size(String name, @Nullable String instead) {
      String value = values.getOrDefault(name, instead);
      if (value == null) {
        return null;
      }
      try {
        return FileSize.valueOf(value);
      } catch (IllegalArgumentException e) {
        findings.error(
            "%s is \"%s\": must be a size, such as %s".formatted(name, value, MAX_FILE_SIZE));
        return null;
      }
    }

    FileSize sizeOrDefault(String name, String instead) {
      FileSize size = size(name, instead);
      return size == null ? FileSize.valueOf(instead) : size;
    }

    int number(String name, String instead) {
      String value = values.getOrDefault(name, instead);
      try {
        int number = Integer.parseInt(value);
        if (number > 0) {
          return number;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      findings.error("%s is \"%s\": must be a number of days, 1 or more".formatted(name, value));
      return Integer.parseInt(instead);
    }
  }

  /** Reads them; they must not be used if the findings have errors then. */
  static Arguments parse(String text, ConfigFindings findings) {
    Given given = new Given(values(text, findings), findings);
    String file = given.value("file");
    if (file == null || file.isEmpty()) {
      findings.error(
          "file is missing: write -javaagent:forebay-agent.jar=file=/var/log/app/gc.log");
    } else if (file.contains("%")) {
      findings.error(
          "file is \"%s\": %% has no meaning here; write the name of one log for one JVM"
              .formatted(file));
    }
    return new Arguments(
        file == null ? "" : file,
        given.list("what"),
        given.list("decorators"),
        given.size("memory", null),
        given.value("spoolDirectory"),
        given.sizeOrDefault("maxFileSize", MAX_FILE_SIZE),
        given.number("maxHistory", MAX_HISTORY),
        given.sizeOrDefault("totalSizeCap", TOTAL_SIZE_CAP));
  }

  private static Map<String, String> values(String text, ConfigFindings findings) {
    Map<String, String> values = new HashMap<>();
    List<String> parts = new ArrayList<>();
    if (!text.isBlank()) {
      parts.addAll(List.of(text.split(",", -1)));
    }
    for (String part : parts) {
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
