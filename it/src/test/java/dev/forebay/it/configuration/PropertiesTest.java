package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.host.Property;
import dev.forebay.it.support.Documents;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.jvm.JvmLogAppender;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.jvm.JvmSettings;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Defaults and ranges in the tables of properties against those of the code. */
class PropertiesTest {

  private static final Map<String, Long> UNITS =
      Map.of(
          "", 1L,
          "ms", 1L,
          "second", 1000L,
          "minute", 60_000L,
          "hour", 3_600_000L,
          "day", 86_400_000L,
          "KB", 1L << 10,
          "MB", 1L << 20,
          "GB", 1L << 30,
          "TB", 1L << 40);

  private static final String LIMIT = "(-?[\\d,]+) ?(ms|second|minute|hour|day|[KMGT]B|)";

  /** "one segment to 1 TB" has no lower limit for this test, "-1 to the ring size" no upper one. */
  private static final Pattern RANGE =
      Pattern.compile("(?:" + LIMIT + "|segments?) to (?:" + LIMIT + "|the ring size)");

  private static final Pattern BETWEEN =
      Pattern.compile("must be between (?:two segments, )?(-?\\d+)\\D+?(\\d+)");

  /** An element as a page tells it. */
  private record Row(String element, String value, String text, Class<?> owner) {

    Property property() {
      return Property.named(element, owner);
    }

    boolean hasDefault() {
      return !value.isEmpty()
          && !value.matches("(none|not set|required|\\[|true for ).*")
          && !element.equals("what"); // of two defaults
    }

    @Override
    public String toString() {
      return element + ": " + value;
    }
  }

  static List<Row> rows() throws Exception {
    return Stream.of(
            rows("properties.md", "## ", TieredAppender.class),
            rows("flight-recorder.md", "## Properties", FlightRecorderOptions.class),
            rows("jvm-log.md", "# The JVM", JvmLogAppender.class))
        .flatMap(List::stream)
        .toList();
  }

  /** Those of the first table after a heading, or of all tables of a page. */
  private static List<Row> rows(String page, String heading, Class<?> owner) throws Exception {
    String text = Documents.read(page);
    String from = text.substring(text.indexOf(heading));
    String table = page.equals("properties.md") ? from : from.split("\n## ", 2)[0];
    return Documents.table(table).stream()
        .filter(row -> owner != JvmLogAppender.class || !row[1].isEmpty())
        .flatMap(row -> Documents.names(row[0]).stream().map(name -> row(name, row, owner)))
        .toList();
  }

  private static Row row(String name, String[] cells, Class<?> owner) {
    String value = cells[1].replace("`", "");
    boolean isList = name.equals("decorators");
    return new Row(
        name,
        isList ? value : value.split(",", -1)[0],
        String.join(" ", List.of(cells).subList(2, cells.length)),
        owner);
  }

  static Stream<Arguments> defaults() throws Exception {
    return rows().stream().filter(Row::hasDefault).map(Arguments::of);
  }

  static Stream<Arguments> ranges() throws Exception {
    return rows().stream().filter(row -> RANGE.matcher(row.text()).find()).map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void theDefaultIsThatOfTheCode(Row row) throws Exception {
    Object set = row.owner().getConstructor().newInstance();
    row.property().set(set, row.value());

    assertThat(settings(set))
        .usingRecursiveComparison()
        .ignoringFieldsMatchingRegexes(".*\\bnumber") // of the start
        .isEqualTo(settings(row.owner().getConstructor().newInstance()));
  }

  @ParameterizedTest
  @MethodSource("ranges")
  void theRangeIsThatOfTheCode(Row row) throws Exception {
    String xml = "<%1$s>%2$s</%1$s>".formatted(row.element(), beyond(row.property().type()));
    if (row.owner() == FlightRecorderOptions.class) {
      xml = "<flightRecorder>" + xml + "</flightRecorder>";
    }
    UnaryOperator<String> typed = all -> all.replace(TieredAppender.class.getName(), type(row));
    try (Tiered logback = Tiered.configured(typed.apply(Xml.configuration(xml)))) {
      String message =
          Stream.concat(logback.errors().stream(), logback.warnings().stream())
              .filter(text -> text.contains("<" + row.element() + ">"))
              .filter(text -> BETWEEN.matcher(text).find())
              .findFirst()
              .orElseThrow(() -> new AssertionError("no limit of " + row.element()));
      Matcher code = BETWEEN.matcher(message);
      Matcher page = RANGE.matcher(row.text());
      assertThat(code.find() && page.find()).isTrue();
      check(page.group(1), page.group(2), code.group(1), message);
      check(page.group(3), page.group(4), code.group(2), message);
    }
  }

  private static void check(String number, String unit, String limit, String message) {
    if (number != null) {
      assertThat(Long.parseLong(number.replace(",", "")) * UNITS.get(unit))
          .as(message)
          .isEqualTo(Long.parseLong(limit));
    }
  }

  private static String type(Row row) {
    Class<?> type = row.owner() == FlightRecorderOptions.class ? TieredAppender.class : row.owner();
    return type.getName();
  }

  /** More than any limit. */
  private static String beyond(Class<?> type) {
    if (type == FileSize.class) {
      return "9999999 GB";
    }
    return type == int.class ? String.valueOf(Integer.MAX_VALUE) : "999 days";
  }

  /** What a start would use. */
  private static List<Object> settings(Object configured) throws Exception {
    ConfigFindings findings = new ConfigFindings();
    if (configured instanceof FlightRecorderOptions recorder) {
      long segmentBytes = 4 << 20;
      return List.of(validated(recorder, long.class, segmentBytes, findings));
    }
    if (configured instanceof JvmLogAppender jvm) {
      JvmOptions options = (JvmOptions) field(JvmLogAppender.class, jvm, "options");
      JvmSettings settings = options.validate(findings);
      return List.of(settings.decorators(), settings.memoryBytes());
    }
    TieredAppender tiered = (TieredAppender) configured;
    Object options = tiered.tieredOptions();
    Object asConfigured = settings(options, findings);
    tiered.setDurability("call"); // otherwise nothing has its timeout
    return List.of(
        tiered.pipelineOptions().validate("LOG", findings),
        asConfigured,
        settings(options, findings),
        tiered.isAppend());
  }

  private static Object settings(Object options, ConfigFindings findings) throws Exception {
    Method validate =
        options
            .getClass()
            .getDeclaredMethod(
                "validate", Path.class, Encoder.class, List.class, ConfigFindings.class);
    validate.setAccessible(true);
    return validate.invoke(options, Path.of("app.log"), null, List.of(), findings);
  }

  private static Object validated(
      Object options, Class<?> type, Object argument, ConfigFindings findings) throws Exception {
    Method validate = options.getClass().getDeclaredMethod("validate", type, ConfigFindings.class);
    validate.setAccessible(true);
    return validate.invoke(options, argument, findings);
  }

  private static Object field(Class<?> type, Object of, String name) throws Exception {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  @Test
  void theTablesAreFound() throws Exception {
    assertThat(defaults()).hasSizeGreaterThan(25);
    assertThat(ranges()).hasSizeGreaterThan(15);
  }
}
