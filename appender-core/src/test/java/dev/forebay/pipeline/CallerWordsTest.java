package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.pattern.CompositeConverter;
import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a pattern may ask for the caller, which no thread but the one that logs can tell. */
class CallerWordsTest {

  /** Asks for the caller of what it encloses. */
  public static final class Enclosing extends CompositeConverter<ILoggingEvent> {
    @Override
    protected String transform(ILoggingEvent event, String in) {
      return event.getCallerData().length + in;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "%msg %line, true",
    "%missing %line, true",
    "%missing, true",
    "%mine(%msg), true",
    "%red(%C), true",
    "%d %-5level [%t] %logger - %msg%n, false",
    "%red(%msg), false",
    "%-30(%t %msg), false"
  })
  void whatMayAskIsHiddenFrom(String pattern, boolean mayAsk) {
    assertThat(CallerWords.mayBeAskedFor(encoder(pattern))).isEqualTo(mayAsk);
  }

  private static Encoder<ILoggingEvent> encoder(String pattern) {
    String xml =
        """
        <configuration>
          <conversionRule conversionWord="missing" class="no.such.Converter"/>
          <conversionRule conversionWord="mine" class="%s"/>
          <appender name="A" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%s</pattern></encoder>
          </appender>
          <root><appender-ref ref="A"/></root>
        </configuration>
        """;
    Joran joran = Joran.of(xml.formatted(Enclosing.class.getName(), pattern), Path.of(""));
    return ((OutputStreamAppender<ILoggingEvent>) joran.appender("A")).getEncoder();
  }
}
