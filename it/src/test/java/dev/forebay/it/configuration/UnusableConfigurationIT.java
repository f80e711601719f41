package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Configurations that no appender can start with, and what the user is told about them. */
class UnusableConfigurationIT {

  private static final String FILE = "<file>DIR/app.log</file>";
  private static final String FIXED_WINDOW =
      """
      <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
        <fileNamePattern>DIR/app.%i.log</fileNamePattern>
      </rollingPolicy>
      """;

  @TempDir Path directory;

  private static Arguments unusable(String inner, String... told) {
    return Arguments.of(inner + Xml.MESSAGES, List.of(told));
  }

  static Stream<Arguments> unusable() {
    return Stream.concat(unusableLogs(), unusableNumbers());
  }

  private static Stream<Arguments> unusableLogs() {
    return Stream.of(
        Arguments.of(FILE, List.of("<encoder> is missing")),
        unusable("", "<file> is missing"),
        unusable("<file> </file>", "<file>"),
        unusable(FILE + "<prudent>true</prudent>", "<prudent>true</prudent> is not supported"),
        unusable(FILE + FIXED_WINDOW, "<rollingPolicy> of", "needs a <triggeringPolicy>"),
        unusable(
            FILE
                + "<triggeringPolicy"
                + " class=\"ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy\"/>",
            "<triggeringPolicy> of",
            "needs a <rollingPolicy>"),
        unusable(
            FILE + "<appendTimeout>-1 second</appendTimeout>",
            "<appendTimeout> is -1000 ms: must be between 0 and 3600000 ms"),
        unusable(
            "<file>DIR/app-2020-01-01.log</file>"
                + "<rollingPolicy class=\"ch.qos.logback.core.rolling.TimeBasedRollingPolicy\">"
                + "<fileNamePattern>DIR/app-%d.log</fileNamePattern></rollingPolicy>",
            "app-2020-01-01.log matches <fileNamePattern>"));
  }

  private static Stream<Arguments> unusableNumbers() {
    return Stream.of(
        unusable(
            FILE + "<spoolSize>64KB</spoolSize>",
            "<spoolSize> is 65536 bytes: must hold at least one segment"),
        unusable(
            FILE + "<segmentSize>1KB</segmentSize>",
            "<segmentSize> is 1024 bytes: must be between 65536 and 1073741824 bytes"),
        unusable(
            FILE + "<segmentSize>2GB</segmentSize><spoolSize>4GB</spoolSize>",
            "<segmentSize> is 2147483648 bytes: must be between 65536 and 1073741824 bytes"),
        unusable(
            FILE + "<fsync>sometimes</fsync>",
            "<fsync> is \"sometimes\": must be never, always or an interval"),
        unusable(FILE + "<fsync>0 seconds</fsync>", "<fsync> is 0 ms: must be between 1 and"),
        unusable(FILE + "<fsync>2 hours</fsync>", "<fsync> is 7200000 ms", "3600000 ms"),
        unusable(
            FILE + "<ringBufferSize>0</ringBufferSize>",
            "<ringBufferSize> is 0: must be between 1 and 16777216"),
        unusable(FILE + "<queueSize>-1</queueSize>", "<queueSize> is -1: must be between 1 and"),
        unusable(
            FILE + "<ringBufferBytes>1KB</ringBufferBytes>",
            "<ringBufferBytes> is 1024 bytes: must be between 65536 and"),
        unusable(
            FILE + "<discardingThreshold>9000</discardingThreshold>",
            "<discardingThreshold> is 9000: must be between -1 and 8192"),
        unusable(
            FILE + "<appendTimeout>2 hours</appendTimeout>",
            "<appendTimeout> is 7200000 ms: must be between 0 and 3600000 ms"),
        unusable(
            FILE + "<maxFlushTime>2 hours</maxFlushTime>",
            "<maxFlushTime> is 7200000 ms: must be between 1 and 3600000 ms"),
        unusable(
            FILE + "<reportInterval>1 millisecond</reportInterval>",
            "<reportInterval> is 1 ms: must be between 10 and"),
        unusable(
            FILE + "<urgentLevel>LOUD</urgentLevel>",
            "<urgentLevel> is \"LOUD\": must be TRACE, DEBUG, INFO, WARN, ERROR or OFF"),
        unusable(
            FILE + "<threadNameFormat>%d</threadNameFormat>",
            "<threadNameFormat> is \"%d\": must be a format"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void isAnErrorThatNamesElementValueAndLimit(String inner, List<String> told) throws Exception {
    try (Tiered tiered = Tiered.with(inner.replace("DIR", directory.toString()))) {
      TieredAppender appender = tiered.appender();

      assertThat(appender.isStarted()).isFalse();
      assertThat(tiered.errors())
          .anySatisfy(
              error -> assertThat(error).contains(told).contains("Appender [LOG] not started"));

      tiered.log("p", 0, 3);
      assertThat(appender.snapshot().dropped(DropReason.STOPPED)).isEqualTo(3);
      assertThat(directory).isEmptyDirectory();
    }
  }
}
