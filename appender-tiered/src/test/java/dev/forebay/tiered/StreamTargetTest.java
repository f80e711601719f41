package dev.forebay.tiered;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.observe.ControlMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An appender that writes to standard output, as others have replaced it. */
class StreamTargetTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream printedAsError = new ByteArrayOutputStream();
  @TempDir Path spools;

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(printed, true, UTF_8));
    System.setErr(new PrintStream(printedAsError, true, UTF_8));
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
  }

  private TieredAppender start(String elements) throws JoranException {
    return Joran.tiered(
        context, "<spoolDirectory>%s</spoolDirectory>%s".formatted(spools, elements));
  }

  private void log(int count) {
    IntStream.range(0, count).forEach(i -> context.getLogger("a").info("event {}", i));
  }

  private static List<String> events(int count) {
    return IntStream.range(0, count).mapToObj(i -> "event " + i).toList();
  }

  private List<String> problems() {
    return Joran.problems(context).stream()
        .filter(text -> !text.contains("is not on tmpfs"))
        .toList();
  }

  private static List<String> lines(ByteArrayOutputStream of) {
    return of.toString(UTF_8).lines().toList();
  }

  @Test
  void takesTheConfigurationOfAConsoleAppender() throws Exception {
    TieredAppender appender = start("");
    log(1000);
    assertThat(appender.flush(PATIENCE)).isTrue();
    assertThat(lines(printed)).isEqualTo(events(1000));
    assertThat(appender.snapshot().delivered()).isEqualTo(1000);
    context.stop();
    assertThat(problems()).isEmpty();
    assertThat(spools).isEmptyDirectory();
    Joran.requireLaw(appender.snapshot());
  }

  @Test
  void writesToStandardErrorIfToldSo() throws Exception {
    TieredAppender appender = start("<target> system.err </target><withJansi>true</withJansi>");
    log(10);
    assertThat(appender.flush(PATIENCE)).isTrue();
    assertThat(lines(printedAsError)).isEqualTo(events(10));
    assertThat(lines(printed)).isEmpty();
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("<withJansi> has no meaning here: lines are written as the encoder made them");
  }

  @Test
  void aTargetThatDoesNotExistIsNamed() throws Exception {
    TieredAppender appender = start("<target>stdout</target>");
    assertThat(appender.isStarted()).isFalse();
    assertThat(Joran.problems(context))
        .anyMatch(
            text -> text.contains("<target> is \"stdout\": must be System.out or System.err"));
  }

  @Test
  void headerAndFooterStandAroundTheLines() throws Exception {
    start(
        """
        <encoder class="ch.qos.logback.core.encoder.LayoutWrappingEncoder">
          <layout class="ch.qos.logback.classic.PatternLayout">
            <pattern>%msg%n</pattern>
            <fileHeader>head</fileHeader>
            <fileFooter>foot</fileFooter>
          </layout>
        </encoder>
        """);
    log(3);
    context.stop();
    assertThat(lines(printed)).containsExactly("head", "event 0", "event 1", "event 2", "foot");
  }

  @Test
  void twoWriteToOneStreamWithoutTearingLines() throws Exception {
    TieredAppender first = start("");
    TieredAppender second = Joran.unstarted(context, "SECOND", spools, spools);
    second.setFile(null);
    second.setTarget("System.out");
    second.start();
    context.getLogger("a").addAppender(second);
    log(2000);
    assertThat(first.flush(PATIENCE) && second.flush(PATIENCE)).isTrue();
    assertThat(lines(printed)).hasSize(4000).containsAll(events(2000));
    second.stop();
    Joran.requireLaw(second.snapshot());
  }

  @Test
  void aStreamHasNoFilesToRoll() throws JoranException {
    var bean = (ControlMXBean) AppenderBeans.of(start(""));
    assertThatThrownBy(bean::rotate).hasMessage("not rolled: System.out has no files");
  }

  @Test
  void withoutAPlaceForTheSpoolItIsInTheHeap() throws IOException, JoranException {
    Files.delete(spools);
    TieredAppender appender = start("");
    log(10);
    assertThat(appender.flush(PATIENCE)).isTrue();
    assertThat(lines(printed)).isEqualTo(events(10));
    Files.createDirectory(spools);
  }
}
