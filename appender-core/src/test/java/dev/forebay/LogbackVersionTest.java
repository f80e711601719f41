package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The build runs these tests on several versions of Logback; this one sees that it really does. */
final class LogbackVersionTest {

  @ParameterizedTest
  @CsvSource({
    "logback-core, ch/qos/logback/core/Appender.class",
    "logback-classic, ch/qos/logback/classic/LoggerContext.class"
  })
  void onlyTheLogbackOfThisRunIsOnTheClassPath(String artifact, String resource)
      throws IOException {
    List<URL> places = Collections.list(getClass().getClassLoader().getResources(resource));

    String expectedJar = artifact + "-" + System.getProperty("logback.expectedVersion") + ".jar";
    assertThat(places)
        .singleElement()
        .satisfies(place -> assertThat(place.toString()).contains("/" + expectedJar + "!"));
  }

  @Test
  void theVersionInUseIsKnown() {
    assertThat(LogbackVersion.inUse()).isEqualTo(System.getProperty("logback.expectedVersion"));
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.12, 1",
    "1.5.4, 1",
    "1.5.18, 1",
    "1.5.31, 1",
    "1.5.32, 0",
    "1.5.38, 0",
    "1.6.0, 0",
    "1.10.1, 0",
    ", 0",
    "'', 0",
    "as you like it, 0"
  })
  void onlyOneThatIsOlderThanTheTestedOnesIsWarnedOf(@Nullable String version, int warnings) {
    ConfigFindings findings = new ConfigFindings();
    LogbackVersion.look(version, findings);

    assertThat(findings.hasErrors()).isFalse();
    assertThat(findings.warnings())
        .hasSize(warnings)
        .allSatisfy(text -> assertThat(text).contains(version, "1.5.32"));
  }
}
