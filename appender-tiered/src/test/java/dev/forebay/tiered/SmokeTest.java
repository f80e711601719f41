package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What any system must do: start, log, roll, be killed, start again. Needs nothing of Linux. */
@Tag("once")
class SmokeTest {

  /** Lines of a life; they fill several files. */
  private static final int MANY = 5000;

  @TempDir Path directory;

  @Test
  void afterAKillTheNextStartHasEachLineOnceInFilesThatRoll() throws Exception {
    Process killed =
        new ProcessBuilder(ChildJvm.command(List.of(), Life.class, log(), spool(), "killed"))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    try {
      Await.until("logged", () -> !killed.isAlive() || numbers("killed").size() >= MANY);
    } finally {
      killed.destroyForcibly();
    }
    assertThat(killed.waitFor(30, TimeUnit.SECONDS)).isTrue();
    int before = numbers("killed").size();
    assertThat(before).as(Files.readString(directory.resolve("output"))).isPositive();
    ChildJvm.run(Life.class, log(), spool(), "next");

    List<Integer> survived = numbers("killed");
    assertThat(survived).hasSizeGreaterThanOrEqualTo(before);
    assertThat(survived).isEqualTo(IntStream.range(0, survived.size()).boxed().toList());
    assertThat(numbers("next")).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    assertThat(logs()).hasSizeGreaterThan(2);
  }

  private String log() {
    return directory.resolve("logs").toString();
  }

  private String spool() {
    return directory.resolve("spool").toString();
  }

  private List<Path> logs() throws IOException {
    if (!Files.exists(Path.of(log()))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(Path.of(log()))) {
      return files.filter(file -> file.toString().endsWith(".log")).toList();
    }
  }

  /** Of the lines of a life, sorted. */
  private List<Integer> numbers(String life) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (Path file : logs()) {
      try (Stream<String> lines = Files.lines(file)) {
        lines
            .filter(line -> line.matches(life + " line \\d+"))
            .forEach(line -> numbers.add(Integer.valueOf(line.replaceFirst(".* ", ""))));
      } catch (NoSuchFileException e) {
        // rolled meanwhile
      }
    }
    return numbers.stream().sorted().toList();
  }

  /** Logs and stops, or logs until it is killed. */
  static final class Life {

    private Life() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      String logs = args[0].replace('\\', '/');
      String elements =
          """
          <file>%1$s/app.log</file>
          <spoolDirectory>%2$s</spoolDirectory>
          <appendTimeout>30 seconds</appendTimeout>
          <maxFlushTime>30 seconds</maxFlushTime>
          <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
            <fileNamePattern>%1$s/app.%%d.%%i.log</fileNamePattern>
            <maxFileSize>16KB</maxFileSize>
          </rollingPolicy>
          """
              .formatted(logs, args[1].replace('\\', '/'));
      TieredAppender unused = Joran.tiered(context, elements);
      Logger logger = context.getLogger("smoke");
      for (int i = 0; args[2].equals("killed") || i < MANY; i++) {
        logger.info("{} line {}", args[2], i);
        if (i % 20 == 0) {
          Await.pass(Duration.ofMillis(1));
        }
      }
      context.stop();
    }
  }
}
