package dev.forebay.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says once, at the end of the build, which tests were skipped because this machine lacks
 * something, and what to install. Reads the reports of all modules; the build starts it. With
 * {@code FOREBAY_SKIPS=fail} in the environment it fails then, but for want of a second JDK.
 *
 * <p>An assumption's message says what is missing and what to do; details of one test follow in
 * brackets.
 */
public final class SkippedTests {

  private static final DateTimeFormatter BUILD_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  private static final Pattern CASE =
      Pattern.compile(
          "<testcase [^>]*?classname=\"(?:[\\w.]+\\.)?(\\w+)\"[^>]*>\\s*"
              + "<skipped type=\"org\\.opentest4j\\.TestAbortedException\"[^>]*>"
              + "<!\\[CDATA\\[[\\w.]+: (?:Assumption failed: )+(.+?)(?: \\(.*)?\\R");

  private SkippedTests() {}

  /**
   * Prints the list, or nothing.
   *
   * @param arguments the project's directory, the time at which the build started (UTC), where a
   *     second JDK is looked for
   */
  public static void main(String[] arguments) throws IOException {
    Instant start = LocalDateTime.parse(arguments[1], BUILD_TIME).toInstant(ZoneOffset.UTC);
    boolean hasSkipped = tell(Path.of(arguments[0]), start, Path.of(arguments[2]));
    if (hasSkipped && "fail".equals(System.getenv("FOREBAY_SKIPS"))) {
      throw new IllegalStateException("FOREBAY_SKIPS=fail, and tests were skipped");
    }
  }

  /** Whether any was skipped. */
  private static boolean tell(Path project, Instant start, Path secondJdk) throws IOException {
    List<Path> reports = reportsOf(project, start);
    Map<String, SortedSet<String>> missing = new TreeMap<>();
    for (Path report : reports) {
      CASE.matcher(Files.readString(report)).results().forEach(skipped -> note(missing, skipped));
    }
    boolean hasSkipped = !missing.isEmpty();
    if (!reports.isEmpty() && !Files.isExecutable(secondJdk.resolve("bin/java"))) {
      missing.put(
          "JDK 25 is missing: install it as "
              + secondJdk
              + ", or name its place with -Pjdk25 -Djdk25.home=…",
          new TreeSet<>());
    }
    if (!missing.isEmpty()) {
      System.out.println("Tests were skipped:");
      missing.forEach(
          (reason, classes) ->
              System.out.println(
                  "  " + reason + (classes.isEmpty() ? "" : ". " + String.join(", ", classes))));
    }
    return hasSkipped;
  }

  private static void note(Map<String, SortedSet<String>> missing, MatchResult skipped) {
    missing.computeIfAbsent(skipped.group(2), reason -> new TreeSet<>()).add(skipped.group(1));
  }

  /** Not those that an earlier build left. */
  private static List<Path> reportsOf(Path project, Instant start) throws IOException {
    try (Stream<Path> files = Files.find(project, 5, (file, seen) -> isReport(project, file))) {
      return files.filter(file -> !modified(file).isBefore(start)).sorted().toList();
    }
  }

  private static boolean isReport(Path project, Path file) {
    return project
        .relativize(file)
        .toString()
        .matches("([\\w-]+/){1,2}target/(surefire|failsafe)-reports[^/]*/TEST-[^/]*\\.xml");
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
