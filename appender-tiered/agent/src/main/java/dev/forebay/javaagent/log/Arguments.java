package dev.forebay.javaagent.log;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The agent's arguments: {@code name=value}, separated by commas. Several values of one name are
 * separated by colons, because the comma is taken: {@code what=gc*:safepoint}. For a value that is
 * not there the appender has a default.
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
    Optional<String> what,
    Optional<String> decorators,
    Optional<FileSize> memory,
    Optional<String> spoolDirectory,
    FileSize maxFileSize,
    int maxHistory,
    FileSize totalSizeCap) {

  /** What HotSpot keeps of a log by default: five files of 20 MB. */
  private static final FileSize MAX_FILE_SIZE = new FileSize(20 * FileSize.MB_COEFFICIENT);

  private static final FileSize TOTAL_SIZE_CAP = new FileSize(100 * FileSize.MB_COEFFICIENT);
  private static final int MAX_HISTORY_DAYS = 30;

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

    Optional<String> value(String name) {
      return Optional.ofNullable(values.get(name));
    }

    Optional<String> list(String name) {
      return value(name).map(value -> value.replace(':', ','));
    }

    Optional<FileSize> size(String name) {
      return value(name).flatMap(value -> size(name, value));
    }

    FileSize size(String name, FileSize instead) {
      return size(name).orElse(instead);
    }

    private Optional<FileSize> size(String name, String value) {
      try {
        boolean isShort = value.matches("\\d+ *[kKmMgG]"); // as the JVM's options have it
        return Optional.of(FileSize.valueOf(isShort ? value + "B" : value));
      } catch (IllegalArgumentException e) {
        findings.warn(
            "%s is \"%s\": must be a size, such as 20MB; the default is used"
                .formatted(name, value));
        return Optional.empty();
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
    String file = given.value("file").orElse("");
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
        given.size("memory"),
        given.value("spoolDirectory"),
        given.size("maxFileSize", MAX_FILE_SIZE),
        given.days("maxHistory", MAX_HISTORY_DAYS),
        given.size("totalSizeCap", TOTAL_SIZE_CAP));
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
