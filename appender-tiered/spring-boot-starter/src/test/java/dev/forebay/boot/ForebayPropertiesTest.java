package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.tiered.TieredAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Which spellings are taken, and what is said about those that are not. */
class ForebayPropertiesTest {

  private final List<String> warnings = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"spool-size", "spoolSize", "spool_size", "spoolsize", "SPOOL-SIZE"})
  void bootsSpellingsAreTaken(String name) throws Exception {
    TieredAppender to = new TieredAppender();
    assertThat(problems(file(Map.of("forebay." + name, "12MB")), to)).isEmpty();
    assertThat(Settings.of(to)).extracting("spoolBytes").isEqualTo(12L << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FOREBAY_SPOOLSIZE", "FOREBAY_SPOOL_SIZE"})
  void variablesOfTheEnvironmentAreTaken(String name) throws Exception {
    TieredAppender to = new TieredAppender();
    assertThat(problems(variables(Map.of(name, "12MB")), to)).isEmpty();
    assertThat(Settings.of(to)).extracting("spoolBytes").isEqualTo(12L << 20);
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FOREBAY_FLIGHTRECORDER_MAXDUMPS", "FOREBAY_FLIGHT_RECORDER_MAX_DUMPS"})
  void variablesForTheFlightRecorderAreTaken(String name) throws Exception {
    TieredAppender to = new TieredAppender();
    assertThat(problems(variables(Map.of(name, "3")), to)).isEmpty();
    assertThat(Settings.of(to)).extracting("flight.maxDumps").isEqualTo(3);
    assertThat(warnings).isEmpty();
  }

  @Test
  void withoutAPropertyOfItThereIsNoFlightRecorder() throws Exception {
    TieredAppender to = new TieredAppender();
    assertThat(problems(file(Map.of("forebay.fsync", "never")), to)).isEmpty();
    assertThat(Settings.of(to)).extracting("flight").isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "forebay.spool-sise, forebay.spool-size",
    "forebay.spoolSise, forebay.spool-size",
    "forebay.spool.size, forebay.spool-size",
    "forebay.flight.recorder.key, forebay.flight-recorder.key",
    "forebay.flightrecorder, forebay.flight-recorder.level",
    "forebay.max-dumps, forebay.flight-recorder.max-dumps",
    "forebay.key, forebay.flight-recorder.key",
    "forebay.enable, forebay.enabled",
    "Forebay.fsink, forebay.fsync"
  })
  void aMisspeltPropertyIsRefusedWithTheNearestOne(String wrong, String right) {
    assertThat(problems(file(Map.of(wrong, "1")), new TieredAppender()))
        .singleElement()
        .asString()
        .contains(wrong)
        .endsWith(right);
  }

  @Test
  void aVariableOfTheEnvironmentMayHaveItsNameForAnotherReason() {
    assertThat(problems(variables(Map.of("FOREBAY_HOME", "/opt")), new TieredAppender())).isEmpty();
    assertThat(warnings).singleElement().asString().contains("FOREBAY_HOME");
  }

  @Test
  void whatOnlyBeginsAlikeIsNobodysBusiness() {
    Map<String, Object> others = Map.of("forebayish.x", 1, "forebays", 1, "my.forebay.x", 1);
    assertThat(problems(file(others), new TieredAppender())).isEmpty();
    assertThat(problems(variables(Map.of("FOREBAYS_X", 1)), new TieredAppender())).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ring-buffer-size, many, a whole number",
    "ring-buffer-size, 1.5, a whole number",
    "ring-buffer-size, '', a whole number",
    "flight-recorder.max-dumps, 99999999999, a whole number",
    "spool-size, big, a size such as 64MB",
    "spool-size, -1MB, a size such as 64MB",
    "spool-size, 1 TB, a size such as 64MB",
    "control, yes, true or false",
    "control, '', true or false",
    "flight-recorder.dump-at-crash, 1, true or false",
  })
  void aValueOfAnotherKindIsRefusedWithAnExample(String name, String value, String write) {
    assertThat(problems(file(Map.of("forebay." + name, value)), new TieredAppender()))
        .containsExactly("forebay.%s is \"%s\": must be %s".formatted(name, value, write));
  }

  @Test
  void valuesMayHaveSpacesAround() throws Exception {
    TieredAppender to = new TieredAppender();
    assertThat(problems(file(Map.of("forebay.ring-buffer-size", " 64 ")), to)).isEmpty();
    assertThat(Settings.ofRing(to).ringCapacity()).isEqualTo(64);
  }

  @Test
  void aValueMayBeANumberOrATruthOfYaml() throws Exception {
    TieredAppender to = new TieredAppender();
    Map<String, Object> yaml = Map.of("forebay.ring-buffer-size", 64, "forebay.control", false);
    assertThat(problems(file(yaml), to)).isEmpty();
    assertThat(Settings.of(to)).extracting("control").isEqualTo(false);
  }

  private static MapPropertySource file(Map<String, Object> properties) {
    return new MapPropertySource("application.properties", properties);
  }

  private static MapPropertySource variables(Map<String, Object> variables) {
    return new SystemEnvironmentPropertySource(
        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables);
  }

  private List<String> problems(MapPropertySource source, TieredAppender to) {
    StandardEnvironment environment =
        new StandardEnvironment() {
          @Override
          protected void customizePropertySources(MutablePropertySources sources) {
            sources.addLast(source);
          }
        };
    ConfigurationPropertySources.attach(environment);
    to.setContext(new LoggerContext());
    return new ForebayProperties(environment, warnings::add).applyTo(to);
  }
}
