package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong in a configuration, or hardly meant, is named when the appender starts. */
class BadConfigurationTest {

  private static final String XML =
      """
      <configuration>
        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%s</pattern></encoder>
        </appender>
        <appender name="RING" class="dev.forebay.NonBlockingAppender">
          %s<appender-ref ref="OUT"/>
        </appender>
        <root level="INFO"><appender-ref ref="RING"/></root>
      </configuration>
      """;

  private static Joran patterned(String pattern, String properties) {
    return Joran.of(XML.formatted(pattern, properties), Path.of(""));
  }

  @Test
  void aMisspeltElementIsNamedOnceWithTheNearestOne() {
    try (Joran joran = Joran.ofRing("<quueSize>16</quueSize>")) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings())
          .containsExactly(
              "Ignoring unknown property [quueSize] in [dev.forebay.NonBlockingAppender]",
              "Appender [RING]: <quueSize> is no element of dev.forebay.NonBlockingAppender: ignored; the nearest one is <queueSize>");
      joran.ring("RING").stop();
      joran.ring("RING").start();
      assertThat(joran.warnings()).as("once").hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "queueSize           | 0          | is 0: must be between 1 and 16777216",
        "ringBufferSize      | 16777217   | is 16777217: must be between 1 and 16777216",
        "ringBufferBytes     | 100 GB     | is 107374182400 bytes: must be between 65536 and",
        "discardingThreshold | 8193       | is 8193: must be between -1 and 8192",
        "appendTimeout       | 2 hours    | is 7200000 ms: must be between 0 and 3600000 ms",
        "appendTimeout       | 10 parsecs | is \"10 parsecs\": must be a time, such as \"10 seconds\"",
        "maxFlushTime        | 10 parsecs | is \"10 parsecs\": must be a time, such as \"10 seconds\"",
        "shutdownGracePeriod | 10 parsecs | is \"10 parsecs\": must be a time, such as \"10 seconds\"",
        "reportInterval      | 10 parsecs | is \"10 parsecs\": must be a time, such as \"10 seconds\"",
        "urgentLevel         | LOUD       | is \"LOUD\": must be TRACE, DEBUG, INFO, WARN, ERROR",
        "threadNameFormat    | ring-%4$s  | is \"ring-%4$s\": must be a format of appender name"
      })
  void aValueOutOfRangeIsNamedWithItsLimitAndTheAppenderDoesNotStart(
      String element, String value, String message) {
    try (Joran joran = Joran.ofRing("<" + element + ">" + value + "</" + element + ">")) {
      assertThat(joran.errors())
          .singleElement()
          .asString()
          .contains("[RING]: not started", "<" + element + "> " + message);
      assertThat(joran.ring("RING").isStarted()).isFalse();
      joran.context().getLogger("test").info("goes nowhere, is counted, throws nothing");
      Conservation.assertSettled(joran.ring("RING"), 1);
    }
  }

  @Test
  void everythingThatIsWrongIsNamedAtOnce() {
    String xml = XML.replace("<appender-ref ref=\"OUT\"/>", "");
    String bad = "<queueSize>0</queueSize><urgentLevel>LOUD</urgentLevel>";
    try (Joran joran = Joran.of(xml.formatted("%m", bad), Path.of(""))) {
      assertThat(joran.errors())
          .hasSize(3)
          .anyMatch(text -> text.contains("<queueSize>"))
          .anyMatch(text -> text.contains("<urgentLevel>"))
          .anyMatch(text -> text.contains("<appender-ref>"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<maxFlushTime>0</maxFlushTime> | <maxFlushTime> 0",
        "<maxFlushTime>5</maxFlushTime> | <maxFlushTime> is 5 ms",
        "<shutdownGracePeriod>30 ms</shutdownGracePeriod> | <shutdownGracePeriod> is 30 ms",
        "<neverBlock>true</neverBlock><appendTimeout>10</appendTimeout> | and <neverBlock> is true",
        "<neverBlock>false</neverBlock> | <appendTimeout>"
      })
  void whatIsHardlyMeantIsAWarningAndTheAppenderStarts(String properties, String warning) {
    try (Joran joran = Joran.ofRing(properties)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).singleElement().asString().contains(warning);
      assertThat(joran.ring("RING").isStarted()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%d [%t:%C{1}@%L] - %m%n",
        "%-40.40class{0} %msg%n",
        "%M",
        "%F",
        "%caller{1}",
        "%highlight(%-5level %replace(%F){'a','b'}) %msg%n"
      })
  void aPatternThatAsksForTheCallerIsNamedOnce(String pattern) {
    try (Joran joran = patterned(pattern, "")) {
      assertThat(joran.warnings())
          .singleElement()
          .asString()
          .contains("the encoder has %", "<includeCallerData>");
    }
  }

  /** Reads whatever it likes, on whatever thread it runs. */
  public static final class Tenant extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
      return Thread.currentThread().getName();
    }
  }

  @Test
  void aWordThatMayReadTheThreadIsNamedOnceWithTheRemedy() {
    String rule = "<conversionRule conversionWord=\"tenant\" class=\"%s\"/>";
    String second =
        """
        <appender name="OUT2" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%msg %tenant{2}</pattern></encoder>
        </appender>
        <appender name="RING"
        """;
    String xml =
        XML.formatted("%tenant %msg", "<appender-ref ref=\"OUT2\"/>")
            .replace(
                "<appender name=\"OUT\"",
                rule.formatted(Tenant.class.getName()) + "<appender name=\"OUT\"")
            .replace("<appender name=\"RING\"", second);
    try (Joran joran = Joran.of(xml, Path.of(""))) {
      assertThat(joran.warnings())
          .singleElement()
          .asString()
          .contains("has %tenant, which is not", "into the MDC, unless it reads the event");
    }
  }

  @ParameterizedTest
  @CsvSource({"'%d %-5level [%t] %logger{36} - %msg%n%ex 100\\% \\%L', false", "%C %L, true"})
  void aPatternThatDoesNotAskOrGetsAnAnswerIsNoReason(String pattern, boolean include) {
    String property = "<includeCallerData>" + include + "</includeCallerData>";
    try (Joran joran = patterned(pattern, property)) {
      assertThat(joran.warnings()).isEmpty();
    }
  }

  /** Wherever it stands, and whatever its class. */
  @ParameterizedTest
  @CsvSource({"Spring Boot, ''", "Play, ' class=\"ch.qos.logback.core.hook.DefaultShutdownHook\"'"})
  void aShutdownHookBesideAFrameworkThatStopsLogbackIsWarnedOf(String framework, String type) {
    String plain = XML.formatted("%m", "");
    String hook = "<shutdownHook" + type + "/>";
    String early = plain.replace("<configuration>", "<configuration>" + hook);
    String late = plain.replace("</configuration>", hook + "</configuration>");
    for (String xml : List.of(early, late)) {
      try (Joran joran = Joran.of(contextOf(framework), xml, Path.of(""))) {
        assertThat(joran.warnings())
            .singleElement()
            .asString()
            .contains("<shutdownHook/>", framework, "[RING]", "Remove it")
            .matches(text -> text.contains("may deadlock") == framework.equals("Play"));
        assertThat(joran.ring("RING").isStarted()).isTrue();
        joran.context().getStatusManager().clear();
        joran.reset(plain);
        assertThat(joran.warnings()).as("removed, and configured again").isEmpty();
      }
    }
    try (Joran joran = Joran.of(late, Path.of(""))) {
      assertThat(joran.warnings()).as("nothing else stops Logback").isEmpty();
    }
  }

  private static LoggerContext contextOf(String framework) {
    LoggerContext context = Events.context("framework");
    if (framework.equals("Play")) {
      context.getFrameworkPackages().add("play.api.Logger");
    } else {
      context.putObject("org.springframework.core.env.Environment", new Object());
    }
    return context;
  }
}
