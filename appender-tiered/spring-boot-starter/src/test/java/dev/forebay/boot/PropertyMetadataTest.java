package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.PipelineProperties;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

  /** Elements, synonyms, and what has no meaning here. */
  private static final Set<String> NO_PROPERTIES =
      Set.of(
          "flight-recorder",
          "rolling-policy",
          "triggering-policy",
          "queue-size",
          "shutdown-grace-period",
          "immediate-flush",
          "buffer-size");

  @Test
  void everySetterIsAPropertyAndEveryPropertyASetter() {
    assertThat(ForebayProperties.NAMES).containsExactlyInAnyOrderElementsOf(setters().keySet());
  }

  @Test
  void theMetadataNamesAllProperties() throws Exception {
    assertThat(metadata().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of("management.health.forebay.enabled", ForebayProperties.ENABLED),
                    ForebayProperties.NAMES.stream().map(ForebayProperties.PREFIX::concat))
                .toList());
    assertThat(metadata().values())
        .allSatisfy(each -> assertThat((String) each.get("description")).endsWith("."));
  }

  @ParameterizedTest
  @MethodSource("names")
  void theMetadataHasTheTypeOfTheSetter(String name) throws Exception {
    Class<?> type = setters().get(name).getParameterTypes()[0];
    Class<?> shown =
        type == int.class ? Integer.class : type == boolean.class ? Boolean.class : String.class;
    assertThat(metadata().get("forebay." + name)).containsEntry("type", shown.getName());
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPropertyReachesItsSetter(String name) throws Exception {
    Method setter = setters().get(name);
    boolean changes = false;
    for (String value : samples(setter.getParameterTypes()[0])) {
      TieredAppender expected = new TieredAppender();
      FlightRecorderOptions recorder = new FlightRecorderOptions();
      if (name.startsWith(RECORDER)) {
        expected.setFlightRecorder(recorder);
      }
      setter.invoke(
          name.startsWith(RECORDER) ? recorder : expected,
          convert(value, setter.getParameterTypes()[0]));
      TieredAppender actual = configured(name, value);
      assertThat(actual.pipelineOptions())
          .usingRecursiveComparison()
          .isEqualTo(expected.pipelineOptions());
      assertThat(Settings.options(actual))
          .usingRecursiveComparison()
          .isEqualTo(Settings.options(expected));
      changes |= !dump(actual).equals(dump(configured(null, "")));
    }
    assertThat(changes).isTrue();
  }

  @ParameterizedTest
  @MethodSource("names")
  void theDefaultInTheMetadataIsTheDefault(String name) throws Exception {
    Object value = metadata().get("forebay." + name).get("defaultValue");
    if (value == null) {
      return;
    }
    TieredAppender given = configured(name, value.toString());
    TieredAppender bare = new TieredAppender();
    if (name.startsWith(RECORDER)) {
      bare.setFlightRecorder(new FlightRecorderOptions());
    }
    assertThat(Settings.ofRing(given))
        .usingRecursiveComparison()
        .ignoringFields("number")
        .isEqualTo(Settings.ofRing(bare));
    assertThat(Settings.of(given)).usingRecursiveComparison().isEqualTo(Settings.of(bare));
  }

  static List<String> names() {
    return ForebayProperties.NAMES;
  }

  private static TieredAppender configured(String name, String value) {
    StandardEnvironment environment = new StandardEnvironment();
    Map<String, Object> properties = name == null ? Map.of() : Map.of("forebay." + name, value);
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    TieredAppender appender = new TieredAppender();
    appender.setContext(new LoggerContext());
    assertThat(new ForebayProperties(environment, warning -> {}).applyTo(appender)).isEmpty();
    return appender;
  }

  private static List<String> samples(Class<?> type) {
    if (type == boolean.class) {
      return List.of("true", "false");
    }
    return type == int.class ? List.of("17") : List.of(type == FileSize.class ? "17MB" : "17 s");
  }

  private static Object convert(String value, Class<?> type) {
    if (type == boolean.class) {
      return Boolean.valueOf(value);
    }
    if (type == int.class) {
      return Integer.valueOf(value);
    }
    return type == FileSize.class ? FileSize.valueOf(value) : value;
  }

  /** The options as a text. */
  private static String dump(TieredAppender appender) throws ReflectiveOperationException {
    StringBuilder text = new StringBuilder();
    for (Object options : List.of(appender.pipelineOptions(), Settings.options(appender))) {
      for (var field : options.getClass().getDeclaredFields()) {
        field.setAccessible(true);
        text.append(field.get(Modifier.isStatic(field.getModifiers()) ? null : options))
            .append(' ');
      }
    }
    return text.toString();
  }

  /** By the name of the property. */
  private static Map<String, Method> setters() {
    Map<String, Method> setters = new TreeMap<>();
    for (Class<?> type : List.of(TieredAppender.class, PipelineProperties.class)) {
      add(setters, "", type);
    }
    setters.keySet().removeAll(NO_PROPERTIES);
    add(setters, RECORDER, FlightRecorderOptions.class);
    return setters;
  }

  private static void add(Map<String, Method> to, String prefix, Class<?> type) {
    Arrays.stream(type.getDeclaredMethods())
        .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isBridge())
        .filter(each -> each.getName().startsWith("set") && each.getParameterCount() == 1)
        .forEach(each -> to.put(prefix + dashed(each.getName().substring(3)), each));
  }

  private static String dashed(String name) {
    return name.replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static Map<String, Map<String, Object>> metadata() throws IOException {
    String path = "/META-INF/spring-configuration-metadata.json";
    try (InputStream json = ForebayProperties.class.getResourceAsStream(path)) {
      String text = new String(json.readAllBytes(), StandardCharsets.UTF_8);
      Map<String, Map<String, Object>> byName = new TreeMap<>();
      for (Object each :
          (List<?>) JsonParserFactory.getJsonParser().parseMap(text).get("properties")) {
        @SuppressWarnings("unchecked")
        Map<String, Object> property = (Map<String, Object>) each;
        byName.put((String) property.get("name"), property);
      }
      return byName;
    }
  }
}
