package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.core.rolling.RollingFileAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An application whose properties cannot be meant so does not start, and says what to write. */
class BadInputTest {

  @TempDir private Path dir;

  private Path log;
  private Apps apps;

  @BeforeEach
  void begin() {
    log = dir.resolve("app.log");
    apps = new Apps(dir);
  }

  @AfterEach
  void end() {
    apps.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "forebay.spool-sise=12MB | the nearest one is forebay.spool-size",
        "forebay.spool-size=much | forebay.spool-size is \"much\": must be a size such as 64MB",
        "forebay.spool-size=1KB | must hold at least one segment",
        "forebay.ring-buffer-size=0 | must be between 1 and 16777216",
        "forebay.fsync=sometimes | must be never, always or an interval",
        "forebay.control=perhaps | forebay.control is \"perhaps\": must be true or false",
        "forebay.urgent-level=LOUD | must be TRACE, DEBUG, INFO, WARN, ERROR or OFF",
        "forebay.flight-recorder.max-dumps=0 | must be between 1 and 10000",
        "forebay.flight-recorder.level=LOUD | must be a level",
        "forebay.enabled=perhaps | forebay.enabled is \"perhaps\": must be true or false",
        "logging.charset.file=UTF-99 | logging.charset.file is \"UTF-99\": must be a charset such as UTF-8",
        "logging.logback.rollingpolicy.max-history=week | max-history is \"week\": must be a whole number",
        "logging.logback.rollingpolicy.max-file-size=big | big",
      })
  void itIsRefused(String property, String message) {
    assertThatThrownBy(() -> apps.start("logging.file.name=" + log, property.trim()))
        .hasMessageContaining(message.trim());
    assertThat(log).doesNotExist();
  }

  @Test
  void theNextApplicationStartsAllTheSame() throws Exception {
    assertThatThrownBy(() -> apps.start("logging.file.name=" + log, "forebay.fsync=sometimes"))
        .isNotNull();
    apps.start("logging.file.name=" + log);
    apps.root().info("hello");
    assertThat(apps.lines(log)).last().asString().endsWith("hello");
  }

  @Test
  void withoutForebayNobodyReadsItsProperties() {
    apps.start("logging.file.name=" + log, "forebay.fsync=sometimes", "forebay.enabled=false");
    assertThat(apps.file()).isExactlyInstanceOf(RollingFileAppender.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"regular/app.log", "directory"})
  void aLogThatCannotBeWrittenDoesNotKeepTheApplicationFromStarting(String name) throws Exception {
    Files.writeString(dir.resolve("regular"), "");
    Files.createDirectory(dir.resolve("directory"));
    apps.start("logging.file.name=" + dir.resolve(name), "forebay.enabled=false");
    apps.end();
    apps.start("logging.file.name=" + dir.resolve(name));
    assertThat(apps.file().isStarted()).isTrue();
  }
}
