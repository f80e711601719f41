package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.tiered.disk.FaultyDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event that found the spool full, if it is the last one. */
class LastWaitingEventTest {

  /** Of a segment of 64 KB these leave some room, but not for the last one. */
  private static final int EVENTS = 60;

  private static final String TEXT = "x".repeat(1000);
  private static final String LARGE = "y".repeat(5000);

  @TempDir Path directory;

  @Test
  void itReachesTheLogWithoutAnotherEvent() throws Exception {
    LoggerContext context = new LoggerContext();
    Logger logger = context.getLogger("test");
    FaultyDisk disk = Joran.failing(path -> path.endsWith("app.log"), FaultyDisk.Op.WRITE);
    TieredAppender appender =
        Joran.tiered(
            context,
            disk,
            """
            <file>%s/app.log</file><spoolDirectory>%s</spoolDirectory>
            <segmentSize>64KB</segmentSize><spoolSize>64KB</spoolSize>
            """
                .formatted(directory, Files.createDirectory(directory.resolve("spool"))));
    try {
      IntStream.range(0, EVENTS).forEach(i -> logger.info(TEXT));
      logger.info(LARGE);
      ObjectName bean = Beans.await("tiered", "FILE");
      Await.until("all have left the ring", () -> Beans.account(bean).get("ringFill").equals(0L));
      disk.heal();
      assertThat(appender.flush(Duration.ofSeconds(20))).isTrue();
      assertThat(appender.snapshot().delivered()).isEqualTo(EVENTS + 1);
    } finally {
      context.stop();
    }
  }
}
