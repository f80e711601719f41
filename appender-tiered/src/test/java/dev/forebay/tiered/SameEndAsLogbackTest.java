package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that nobody has torn is continued byte for byte as Logback's appender does. */
class SameEndAsLogbackTest {

  private static final List<String> PATTERNS =
      List.of("%msg%n", "%msg", "%n%msg", "%msg;", "%msg%n%n", "\u0001%msg%n", "%msg\u0000");

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  @TempDir private Path directory;

  @BeforeEach
  void open() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  private PatternLayoutEncoder encoder(String pattern, String charset) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(pattern);
    encoder.setCharset(Charset.forName(charset));
    encoder.start();
    return encoder;
  }

  private FileAppender<ILoggingEvent> ofLogback(Path file) {
    FileAppender<ILoggingEvent> appender = new FileAppender<>();
    appender.setFile(file.toString());
    return appender;
  }

  private TieredAppender ours(Path file) {
    TieredAppender appender = new TieredAppender();
    appender.setFile(file.toString());
    appender.setSpoolDirectory(directory.resolve("spool").toString());
    return appender;
  }

  private void log(Appender<ILoggingEvent> appender, PatternLayoutEncoder encoder, String text) {
    appender.setContext(context);
    appender.setName("end");
    if (appender instanceof TieredAppender ours) {
      ours.setEncoder(encoder);
    } else {
      ((FileAppender<ILoggingEvent>) appender).setEncoder(encoder);
    }
    appender.start();
    Logger logger = context.getLogger("end");
    logger.addAppender(appender);
    logger.info(text);
    logger.info("\u3042 " + text);
    if (appender instanceof TieredAppender ours) {
      assertThat(ours.flush(Duration.ofSeconds(30))).isTrue();
    }
    logger.detachAppender(appender);
    appender.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTF-8",
        "UTF-16",
        "UTF-16LE",
        "UTF-32",
        "UTF-32LE",
        "IBM1047",
        "IBM930",
        "ISO-2022-JP"
      })
  void aLogIsTakenOverAndContinued(String charset) throws IOException {
    for (int i = 0; i < PATTERNS.size(); i++) {
      PatternLayoutEncoder encoder = encoder(PATTERNS.get(i), charset);
      Path expected = directory.resolve("logback" + i);
      Path actual = directory.resolve("ours" + i);
      log(ofLogback(actual), encoder, "first\u010a");
      log(ours(actual), encoder, "second\u0a41");
      log(ours(actual), encoder, "third\u4e00");
      for (String text : List.of("first\u010a", "second\u0a41", "third\u4e00")) {
        log(ofLogback(expected), encoder, text);
      }

      assertThat(actual).as(PATTERNS.get(i)).hasSameBinaryContentAs(expected);
    }
  }
}
