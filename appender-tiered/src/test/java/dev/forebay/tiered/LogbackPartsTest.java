package dev.forebay.tiered;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.EchoEncoder;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.tiered.encode.LineEncoder;
import dev.forebay.tiered.encode.TextBuffer;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Supplier;
import net.logstash.logback.encoder.LogstashEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogbackPartsTest {

  private static final class Derived extends LogstashEncoder {}

  private static final byte[] LINE_FEED = {'\n'};

  @Test
  void thoseInUseAreKnownToEndLines() {
    assertThat(LogbackParts.lineEnd(new JsonEncoder())).isEqualTo(LINE_FEED);
    assertThat(LogbackParts.lineEnd(new LogstashEncoder())).isEqualTo(LINE_FEED);
    assertThat(LogbackParts.lineEnd(new Derived())).isEqualTo(LINE_FEED);
    LineEncoder ours = // as of other modules
        new LineEncoder() {
          @Override
          public TextBuffer newLine() {
            return new TextBuffer(UTF_8);
          }

          @Override
          protected void write(ILoggingEvent event, TextBuffer line) {
            line.ascii('\n');
          }
        };
    assertThat(LogbackParts.lineEnd(ours)).isEqualTo(LINE_FEED);
  }

  @Test
  void whatAnotherOneWritesIsNotKnown() {
    Derived joined = new Derived();
    joined.setLineSeparator("");

    assertThat(LogbackParts.lineEnd(joined)).isEmpty();
    assertThat(LogbackParts.lineEnd(new EchoEncoder<>())).isEmpty();
    assertThat(LogbackParts.lineEnd(new LayoutWrappingEncoder<>())).isEmpty();
  }

  /** They write what they like. */
  @Test
  void noneThatSomebodyDerivedWithAnotherMethodIsKnown() {
    PatternLayoutEncoder framing =
        new PatternLayoutEncoder() {
          @Override
          public byte[] encode(ILoggingEvent event) {
            return new byte[] {0x1E};
          }
        };
    framing.setContext(new LoggerContext());
    framing.setPattern("%msg%n");
    framing.start();
    assertThat(LogbackParts.lineEnd(framing)).isEmpty();

    LayoutWrappingEncoder<ILoggingEvent> masking = new LayoutWrappingEncoder<>();
    masking.setCharset(UTF_8);
    masking.setLayout(
        new PatternLayout() {
          @Override
          public String getPattern() {
            return "%msg%n";
          }

          @Override
          public String doLayout(ILoggingEvent event) {
            return "masked";
          }
        });
    assertThat(LogbackParts.lineEnd(masking)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"n, %msg%n, 0", "hex, %msg%n%hex, 0", "xEx, %msg%n%xEx, 0", "user, %user %msg%n, 1"})
  void aWordOfTheUsersMayEndALineInAnotherWay(String word, String pattern, int length)
      throws JoranException {
    LoggerContext context = new LoggerContext();
    Joran.word(context, word, CallerEncodingTest.Tenant.class);
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(pattern);
    encoder.start();
    assertThat(LogbackParts.lineEnd(encoder)).hasSize(length);
  }

  @Test
  void anotherCharacterSetOfJsonIsKnown() {
    Derived wide = new Derived();
    wide.setEncoding("UTF-16BE");

    assertThat(LogbackParts.lineEnd(wide)).isEqualTo(new byte[] {0, '\n'});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%n",
        "%msg%n",
        "%msg%n%ex",
        "%m%n%wEx",
        "%m%n%-20xThrowable{full}%nopex",
        "%msg\n",
        "%n%n"
      })
  void aPatternWhoseLastWordIsALineEndIsKnown(String pattern) {
    assertThat(LogbackParts.lineEnd(encoder(pattern, UTF_8))).isEqualTo(LINE_FEED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%msg", "%n%msg", "%msg\\%n", "%msg%n ", "%msg%nopex", "(%msg%n)", "%m%n%X"})
  void oneThatEndsWithAnythingElseIsNot(String pattern) {
    assertThat(LogbackParts.lineEnd(encoder(pattern, UTF_8))).isEmpty();
  }

  /** Some begin with a mark of the byte order, others shift to and fro. */
  @Test
  void eventsInAllCharacterSetsEndWithTheirLineEnd() {
    for (Charset charset : Charset.availableCharsets().values()) {
      if (charset.canEncode()) {
        PatternLayoutEncoder encoder = encoder("%msg%n", charset);
        byte[] lineEnd = LogbackParts.lineEnd(encoder);
        for (String text : List.of("", "text", "\u3042", "\u00e4\u0416", "\u010a")) {
          assertThat(encoder.encode(event(text)))
              .as("%s in %s", text, charset)
              .endsWith(lineEnd)
              .hasSizeGreaterThanOrEqualTo(1);
        }
      }
    }
  }

  private static ILoggingEvent event(String text) {
    LoggingEvent event = new LoggingEvent();
    event.setMessage(text);
    return event;
  }

  private static PatternLayoutEncoder encoder(String pattern, Charset charset) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(new LoggerContext());
    encoder.setPattern(pattern.replace("%wEx", "%xEx"));
    encoder.setCharset(charset);
    encoder.start();
    return encoder;
  }

  /** As for access events. */
  private static final class Adapter extends EchoEncoder<Object> implements Supplier<Encoder<?>> {

    private final Encoder<?> adapted;

    Adapter(Encoder<?> adapted) {
      this.adapted = adapted;
    }

    @Override
    public Encoder<?> get() {
      return adapted;
    }
  }

  @Test
  void anAdapterWritesWhatTheEncoderBehindItDoes() {
    assertThat(LogbackParts.lineEnd(new Adapter(new JsonEncoder()))).isEqualTo(LINE_FEED);
    assertThat(LogbackParts.lineEnd(new Adapter(new EchoEncoder<>()))).isEmpty();
  }
}
