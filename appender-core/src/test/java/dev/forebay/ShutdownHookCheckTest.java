package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShutdownHookCheckTest {

  private static final String APPENDERS =
      """
      <appender name="LIST" class="ch.qos.logback.core.read.ListAppender"/>
      <appender name="RING" class="dev.forebay.NonBlockingAppender">
        <appender-ref ref="LIST"/>
      </appender>
      <root level="INFO"><appender-ref ref="RING"/></root>
      """;

  private static final String PLAIN = "<configuration>" + APPENDERS + "</configuration>";

  private static final String HOOKED =
      "<configuration>" + APPENDERS + "<shutdownHook/></configuration>";

  @TempDir private Path logs;

  /** A context with what a framework leaves there before it configures it. */
  private Joran configured(String framework, String xml) {
    LoggerContext context = Events.context("framework");
    switch (framework) {
      case "Spring Boot" ->
          context.putObject("org.springframework.core.env.Environment", new Object());
      case "Play" -> context.getFrameworkPackages().add("play.api.Logger");
      default -> {}
    }
    return Joran.of(context, xml, logs);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<configuration><shutdownHook/>" + APPENDERS + "</configuration>",
        HOOKED,
        "<configuration>"
            + APPENDERS
            + "<shutdownHook class=\"ch.qos.logback.core.hook.DefaultShutdownHook\">"
            + "<delay>1 second</delay></shutdownHook></configuration>"
      })
  void isWarnedOfWhereverItStands(String xml) {
    for (String framework : List.of("Spring Boot", "Play")) {
      try (Joran joran = configured(framework, xml)) {
        assertThat(joran.warnings())
            .as(framework)
            .singleElement()
            .asString()
            .contains("<shutdownHook/>", framework, "[RING]", "Remove it")
            .satisfies(
                warning ->
                    assertThat(warning.contains("may deadlock"))
                        .isEqualTo(framework.equals("Play")));
        assertThat(joran.errors()).isEmpty();
        assertThat(joran.ring("RING").isStarted()).isTrue();
        joran.context().getStatusManager().clear();
        joran.reset(PLAIN);
        assertThat(joran.warnings()).as("removed, and configured again").isEmpty();
      }
    }
  }

  @Test
  void isRightWhereNoFrameworkStopsLogbackAndFrameworksAloneAreNotWarnedOf() {
    try (Joran hooked = configured("none", HOOKED);
        Joran boot = configured("Spring Boot", PLAIN);
        Joran play = configured("Play", PLAIN)) {
      assertThat(List.of(hooked, boot, play)).allMatch(joran -> joran.warnings().isEmpty());
    }
  }
}
