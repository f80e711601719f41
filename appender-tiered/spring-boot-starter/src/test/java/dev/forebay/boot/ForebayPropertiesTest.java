package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.TieredAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Which spellings are taken, and what is said about those that are not. */
class ForebayPropertiesTest {

  private final List<String> warnings = new ArrayList<>();
  private final TieredAppender to = new TieredAppender();

  @ParameterizedTest
  @CsvSource({
    "forebay.flight-recorder.max-dumps",
    "forebay.flightRecorder.maxDumps",
    "forebay.flight_recorder.max_dumps",
    "forebay.flightrecorder.maxdumps",
    "forebay.FLIGHT-RECORDER.MAX-DUMPS",
    "FOREBAY_FLIGHTRECORDER_MAXDUMPS",
    "FOREBAY_FLIGHT_RECORDER_MAX_DUMPS"
  })
  void bootsSpellingsAreTakenWithSpacesAroundTheValue(String name) throws Exception {
    boolean isVariable = name.startsWith("FOREBAY_");
    Map<String, Object> properties = Map.of(name, " 3 ");
    assertThat(problems(isVariable ? variables(properties) : file(properties))).isEmpty();
    assertThat(Settings.of(to)).last().extracting("flight.maxDumps").isEqualTo(3);
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "forebay.spoolSise, forebay.spool-size",
    "forebay.spool.size, forebay.spool-size",
    "forebay.flight.recorder.key, forebay.flight-recorder.key",
    "forebay.flightrecorder, forebay.flight-recorder.level",
    "forebay.max-dumps, forebay.flight-recorder.max-dumps",
    "forebay.enable, forebay.enabled",
    "forebay.spol-size, forebay.spool-size",
    "Forebay.fsink, forebay.fsync"
  })
  void aMisspeltPropertyIsRefusedWithTheNearestOne(String wrong, String right) {
    assertThat(problems(file(Map.of(wrong, "1"))))
        .containsExactly(
            "%s is no property of Forebay; the nearest one is %s".formatted(wrong, right));
  }

  @Test
  void whatOnlyBeginsAlikeIsNobodysBusinessAndAVariableOnlyAWarning() {
    Map<String, Object> others = Map.of("forebayish.x", 1, "forebays", 1, "my.forebay.x", 1);
    assertThat(problems(file(others))).isEmpty();
    assertThat(problems(variables(Map.of("FOREBAY_HOME", "/opt", "FOREBAYS_X", 1)))).isEmpty();
    assertThat(warnings).singleElement().asString().contains("FOREBAY_HOME");
  }

  @ParameterizedTest
  @CsvSource({
    "ring-buffer-size, 1.5, a whole number",
    "spool-size, much, a size such as 64MB",
    "flight-recorder.dump-at-crash, 1, true or false",
  })
  void aValueOfAnotherKindIsRefusedWithAnExample(String name, String value, String write) {
    assertThat(problems(file(Map.of("forebay." + name, value))))
        .containsExactly("forebay.%s is \"%s\": must be %s".formatted(name, value, write));
  }

  @Test
  void rulesOfRedactionMayBeAListOrSeparatedByCommas() throws Exception {
    Map<String, Object> properties =
        Map.of(
            "forebay.redact.key", "password, *token",
            "forebay.redact.pattern[0]", "jwt",
            "forebay.redact.pattern[1]", "email",
            "forebay.redact.regex[0]", "a{1,2}");
    assertThat(problems(file(properties))).isEmpty();
    assertThat(to.pipelineOptions())
        .extracting("redact.keys", "redact.patterns", "redact.regexes")
        .containsExactly(Set.of("password", "*token"), List.of("jwt", "email"), List.of("a{1,2}"));
  }

  private static MapPropertySource file(Map<String, Object> properties) {
    return new MapPropertySource("application.properties", properties);
  }

  private static MapPropertySource variables(Map<String, Object> variables) {
    return new SystemEnvironmentPropertySource(
        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables);
  }

  private List<String> problems(MapPropertySource source) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    environment.getPropertySources().addLast(source);
    ConfigurationPropertySources.attach(environment);
    return ForebayProperties.apply(environment, to, warnings::add);
  }
}
