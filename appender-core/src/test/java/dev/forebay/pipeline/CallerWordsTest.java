package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.pattern.CompositeConverter;
import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an encoder has that depends on the thread that logs, or may. */
class CallerWordsTest {

  /** Of what it encloses nothing is known but by its own words. */
  public static final class Enclosing extends CompositeConverter<ILoggingEvent> {
    @Override
    protected String transform(ILoggingEvent event, String in) {
      return in;
    }
  }

  /** Masks, or so its name says. */
  public static final class Masking extends PatternLayout {}

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "%msg %line; %line; ",
        "%red(%C); %C; ",
        "%missing %line; %line; ",
        "%missing; ; ",
        "%mine(%msg %L); %L; %mine",
        "%replace(%msg %mine(%t)){'a', 'b'} %-30(%mine(x)); ; %mine %mine",
        "%d %-5level [%t] %logger - %X %kvp %marker %property{a} %msg%n%ex; ; ",
        "%-30(%t %msg); ; ",
      })
  void aPatternHasWords(String pattern, String asking, String foreign) {
    Encoder<?> encoder = encoder("<encoder><pattern>%s</pattern></encoder>".formatted(pattern));
    assertThat(CallerWords.of(encoder).asking()).isEqualTo(list(asking));
    assertThat(CallerWords.of(encoder).foreign()).isEqualTo(list(foreign));
  }

  private static List<String> list(String words) {
    return words == null ? List.of() : Arrays.asList(words.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "ch.qos.logback.classic.PatternLayout, %msg %L, %L, ",
    "ch.qos.logback.classic.PatternLayout, %mine(x), , %mine",
    "dev.forebay.pipeline.CallerWordsTest$Masking, %msg %L, %L, dev.forebay.pipeline.CallerWordsTest$Masking",
  })
  void aLayoutHasWordsAndAClass(String layout, String pattern, String asking, String foreign) {
    String xml =
        "<encoder class='ch.qos.logback.core.encoder.LayoutWrappingEncoder'><layout class='%s'><pattern>%s</pattern></layout></encoder>";
    Encoder<?> encoder = encoder(xml.formatted(layout, pattern));
    assertThat(CallerWords.of(encoder).asking()).isEqualTo(list(asking));
    assertThat(CallerWords.of(encoder).foreign()).isEqualTo(list(foreign));
  }

  private static Encoder<ILoggingEvent> encoder(String element) {
    String xml =
        """
        <configuration>
          <conversionRule conversionWord="missing" class="no.such.Converter"/>
          <conversionRule conversionWord="mine" class="%s"/>
          <appender name="A" class="ch.qos.logback.core.ConsoleAppender">
            %s
          </appender>
          <root><appender-ref ref="A"/></root>
        </configuration>
        """;
    Joran joran = Joran.of(xml.formatted(Enclosing.class.getName(), element), Path.of(""));
    return ((OutputStreamAppender<ILoggingEvent>) joran.appender("A")).getEncoder();
  }
}
