package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.LimitOptions;
import dev.forebay.PipelineProperties;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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

  /** Elements, synonyms, and what has no meaning here. */
  private static final Set<String> NO_PROPERTIES =
      Set.of(
          "flight-recorder",
          "rolling-policy",
          "triggering-policy",
          "queue-size",
          "shutdown-grace-period",
          "immediate-flush",
          "buffer-size",
          "target",
          "left",
          "destination",
          "with-jansi");

  @Test
  void settersAndMetadataHaveTheSameNames() throws Exception {
    assertThat(metadata().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of("management.health.forebay.enabled", ForebayProperties.ENABLED),
                    names().map(ForebayProperties.PREFIX::concat))
                .toList());
    assertThat(metadata().values())
        .allSatisfy(each -> assertThat((String) each.get("description")).endsWith("."));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPropertyReachesItsSetterAndTheMetadataHasItsTypeAndDefault(String name) throws Exception {
    Map<String, Object> shown = metadata().get("forebay." + name);
    Object byDefault = shown.get("defaultValue");
    Method setter = setters().get(name);
    Object value = "17 s";
    String type = "String";
    if (setter.getParameterTypes()[0] == int.class) {
      value = 17;
      type = "Integer";
    } else if (setter.getParameterTypes()[0] == boolean.class) {
      value = !Boolean.TRUE.equals(byDefault);
      type = "Boolean";
    } else if (setter.getParameterTypes()[0] == FileSize.class) {
      value = FileSize.valueOf("17MB");
    }
    assertThat(shown).containsEntry("type", "java.lang." + type);

    TieredAppender expected = new TieredAppender();
    FlightRecorderOptions recorder = new FlightRecorderOptions();
    if (name.startsWith(RECORDER)) {
      expected.setFlightRecorder(recorder);
    }
    LimitOptions limit = new LimitOptions();
    if (name.startsWith(LIMIT)) {
      expected.addLimit(limit);
    }
    if (byDefault != null) {
      assertThat(Settings.of(configured(name, byDefault)))
          .usingRecursiveComparison()
          .ignoringFieldsMatchingRegexes(".*number")
          .isEqualTo(Settings.of(expected));
    }
    List<Object> actual = Settings.options(configured(name, value));
    assertThat(actual).usingRecursiveComparison().isNotEqualTo(Settings.options(expected));
    Object of = name.startsWith(LIMIT) ? limit : expected;
    setter.invoke(name.startsWith(RECORDER) ? recorder : of, value);
    assertThat(actual).usingRecursiveComparison().isEqualTo(Settings.options(expected));
  }

  static Stream<String> names() {
    return setters().keySet().stream();
  }

  private static TieredAppender configured(String name, Object value) {
    String text = value instanceof FileSize size ? size.getSize() + "" : value.toString();
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("forebay." + name, text)));
    TieredAppender appender = new TieredAppender();
    assertThat(ForebayProperties.apply(environment, appender, warning -> {})).isEmpty();
    return appender;
  }

  /** By the name of the property. */
  private static Map<String, Method> setters() {
    Map<String, Method> setters = new TreeMap<>();
    add(setters, "", TieredAppender.class);
    add(setters, "", PipelineProperties.class);
    setters.keySet().removeAll(NO_PROPERTIES);
    add(setters, RECORDER, FlightRecorderOptions.class);
    add(setters, LIMIT, LimitOptions.class);
    return setters;
  }

  private static void add(Map<String, Method> to, String prefix, Class<?> type) {
    for (Method each : type.getDeclaredMethods()) {
      String name = each.getName();
      if (Modifier.isPublic(each.getModifiers()) && !each.isBridge() && name.startsWith("set")) {
        String dashed = name.substring(3).replaceAll("(?<=.)([A-Z])", "-$1");
        to.put(prefix + dashed.toLowerCase(Locale.ROOT), each);
      }
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
