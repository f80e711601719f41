package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

  private static final String HOOKED =
      "<configuration>" + APPENDERS + "<shutdownHook/></configuration>";

  @TempDir private Path logs;

  /** What a framework leaves in the context before it configures it. */
  private enum Framework {
    BOOT("Spring Boot") {
      @Override
      void mark(LoggerContext context) {
        context.putObject("org.springframework.core.env.Environment", new Object());
      }
    },
    PLAY("Play") {
      @Override
      void mark(LoggerContext context) {
        context.getFrameworkPackages().add("play.api.Logger");
      }
    };

    private final String text;

    Framework(String text) {
      this.text = text;
    }

    abstract void mark(LoggerContext context);

    Joran configured(String xml, Path logs) {
      LoggerContext context = Events.context("framework");
      mark(context);
      return Joran.of(context, xml, logs);
    }
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
    for (Framework framework : Framework.values()) {
      try (Joran joran = framework.configured(xml, logs)) {
        assertThat(joran.warnings())
            .as(framework.text)
            .singleElement()
            .asString()
            .contains("<shutdownHook/>", framework.text, "[RING]", "Remove it")
            .satisfies(
                warning ->
                    assertThat(warning.contains("may deadlock"))
                        .isEqualTo(framework == Framework.PLAY));
        assertThat(joran.errors()).isEmpty();
        assertThat(joran.ring("RING").isStarted()).isTrue();
      }
    }
  }

  @Test
  void isRightWhereNoFrameworkStopsLogback() {
    try (Joran joran = Joran.of(HOOKED, logs)) {
      assertThat(joran.warnings()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void frameworksAloneAreNotWarnedOf(Framework framework) {
    String xml = "<configuration>" + APPENDERS + "</configuration>";
    try (Joran joran = framework.configured(xml, logs)) {
      assertThat(joran.warnings()).isEmpty();
    }
  }

  @Test
  void isForgottenWhenItIsRemovedAndLogbackConfiguredAgain() {
    try (Joran joran = Framework.PLAY.configured(HOOKED, logs)) {
      joran.context().getStatusManager().clear();
      joran.reset("<configuration>" + APPENDERS + "</configuration>");
      assertThat(joran.warnings()).isEmpty();
    }
  }
}
