package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
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
}
