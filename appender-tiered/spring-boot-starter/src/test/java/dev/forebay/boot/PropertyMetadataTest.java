package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.LimitOptions;
import dev.forebay.RedactOptions;
import dev.forebay.host.Property;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Properties, their metadata and the setters of the appender are the same. */
class PropertyMetadataTest {

  private static final String RECORDER = "flight-recorder.";
  private static final String LIMIT = "limit.";
  private static final String REDACT = "redact.";

  /** Elements, synonyms, and what has no meaning here. */
  private static final Set<String> NO_PROPERTIES =
      Set.of(
          "flight-recorder limit redact listener rolling-policy triggering-policy queue-size shutdown-grace-period immediate-flush buffer-size target left destination with-jansi"
              .split(" "));

  @Test
  void settersAndMetadataHaveTheSameNames() throws Exception {
    assertThat(metadata().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of(
                        "management.health.forebay.enabled",
                        ForebayProperties.ENABLED,
                        "forebay.otlp.endpoint",
                        "forebay.otlp.compression",
                        "forebay.otlp.timeout",
                        "forebay.otlp.headers",
                        "forebay.otlp.resource"),
                    names().stream().map(ForebayProperties.PREFIX::concat))
                .toList());
    assertThat(metadata().values())
        .allSatisfy(each -> assertThat((String) each.get("description")).endsWith("."));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPropertyReachesItsSetterAndTheMetadataHasItsTypeAndDefault(String name) throws Exception {
    Map<String, Object> shown = metadata().get("forebay." + name);
    Property property = properties().get(name);
    Class<?> type = property.type();
    String shownType = type == int.class ? "Integer" : type == boolean.class ? "Boolean" : "String";
    assertThat(shown).containsEntry("type", "java.lang." + shownType);

    TieredAppender expected = new TieredAppender();
    FlightRecorderOptions recorder = new FlightRecorderOptions();
    if (name.startsWith(RECORDER)) {
      expected.setFlightRecorder(recorder);
    }
    LimitOptions limit = new LimitOptions();
    if (name.startsWith(LIMIT)) {
      expected.addLimit(limit);
    }
    RedactOptions redact = new RedactOptions();
    if (name.startsWith(REDACT)) {
      expected.addRedact(redact);
    }
    Object byDefault = shown.get("defaultValue");
    if (byDefault != null) {
      assertThat(Settings.of(configured(name, byDefault.toString())))
          .usingRecursiveComparison()
          .ignoringFieldsMatchingRegexes(".*number")
          .isEqualTo(Settings.of(expected));
    }
    Object of =
        name.startsWith(REDACT)
            ? redact
            : name.startsWith(LIMIT) ? limit : name.startsWith(RECORDER) ? recorder : expected;
    for (String text : property.examples()) {
      property.set(of, text);
      assertThat(Settings.options(configured(name, text)))
          .usingRecursiveComparison()
          .isEqualTo(Settings.options(expected));
    }
  }

  static Set<String> names() {
    return properties().keySet();
  }

  private static TieredAppender configured(String name, String value) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("forebay." + name, value)));
    TieredAppender appender = new TieredAppender();
    assertThat(ForebayProperties.apply(environment, appender, warning -> {})).isEmpty();
    return appender;
  }

  private static Map<String, Property> properties() {
    Map<String, Property> all = new TreeMap<>();
    add(all, "", TieredAppender.class);
    all.keySet().removeAll(NO_PROPERTIES);
    add(all, RECORDER, FlightRecorderOptions.class);
    add(all, LIMIT, LimitOptions.class);
    add(all, REDACT, RedactOptions.class);
    return all;
  }

  private static void add(Map<String, Property> to, String prefix, Class<?> bean) {
    for (Property each : Property.of(bean)) {
      String dashed = each.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      to.put(prefix + dashed, each);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Map<String, Object>> metadata() throws IOException {
    String path = "/META-INF/spring-configuration-metadata.json";
    try (InputStream json = ForebayProperties.class.getResourceAsStream(path)) {
      String text = new String(json.readAllBytes(), StandardCharsets.UTF_8);
      Object properties = JsonParserFactory.getJsonParser().parseMap(text).get("properties");
      return ((List<Map<String, Object>>) properties)
          .stream().collect(Collectors.toMap(each -> (String) each.get("name"), each -> each));
    }
  }
}
