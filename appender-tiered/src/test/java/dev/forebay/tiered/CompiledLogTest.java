package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log whose pattern is compiled, or is not. */
class CompiledLogTest {

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("test");

  @AfterEach
  void stop() {
    context.stop();
  }

  private TieredAppender configure(String encoder) throws Exception {
    return Joran.tiered(
        context, "<file>%s/app.log</file><encoder>%s</encoder>".formatted(directory, encoder));
  }

  private String log(String charset) throws Exception {
    return Files.readString(directory.resolve("app.log"), Charset.forName(charset));
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-8, the encoder is compiled, 1",
    "UTF-16BE, 'the encoder is not compiled, because of <charset> UTF-16BE', 0"
  })
  void aStatusAndTheAccountSayWhetherItIs(String charset, String status, long compiled)
      throws Exception {
    TieredAppender appender =
        configure("<charset>%s</charset><pattern>%%-6level %%msg</pattern>".formatted(charset));
    logger.info("Grüße");
    assertThat(Objects.requireNonNull(appender.newest).view().getAccount())
        .containsEntry("compiledEncoder", compiled);
    context.stop();
    Await.said();
    assertThat(log(charset)).isEqualTo("INFO   Grüße");
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .extracting(Status::getMessage)
        .contains("Appender [FILE]: " + status);
  }

  /** A word of the user's. */
  public static final class Failing extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
      if (event.getMessage().equals("bad")) {
        throw new IllegalStateException("not this one");
      }
      return "!";
    }
  }

  @Test
  void anEventWhoseWordThrowsIsDroppedAndLeavesNoHalfLine() throws Exception {
    Joran.word(context, "own", Failing.class);
    TieredAppender appender = configure("<pattern>%msg%own%n</pattern>");
    for (String text : new String[] {"a", "bad", "b"}) {
      logger.info(text);
    }
    context.stop();
    assertThat(log("UTF-8").lines())
        .filteredOn(line -> line.length() < 4)
        .containsExactly("a!", "b!");
    assertThat(appender.snapshot().dropped(DropReason.ENCODE_FAILED)).isOne();
  }
}
