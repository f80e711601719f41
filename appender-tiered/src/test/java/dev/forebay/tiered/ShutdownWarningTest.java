package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.FileTree;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** A JVM that ends while its log cannot be written and nobody has stopped the appender. */
@Tag("once")
class ShutdownWarningTest {

  private static final String WARNING = "not delivered within <maxFlushTime>";

  @TempDir Path directory;

  @Test
  void whatIsOnlyInTheHeapIsWarnedOf() throws Exception {
    assertThat(outputWithSpoolIn(directory.resolve("missing"), "200 ms"))
        .contains("Appender [FILE]: 5 events were not delivered within <maxFlushTime> (200 ms)")
        .contains("offered 5 = delivered 0 + dropped 0 {} + in flight 5");
  }

  /** Nor waited for: a later start ships it. */
  @Test
  void whatIsInFilesIsNot() throws Exception {
    assertThat(outputWithSpoolIn(directory, "1 hour")).doesNotContain(WARNING);
  }

  private String outputWithSpoolIn(Path spool, String maxFlushTime) throws Exception {
    Path file = Files.createFile(directory.resolve("no-directory"));
    return ChildJvm.run(EndWithoutALog.class, file.toString(), spool.toString(), maxFlushTime);
  }

  /** Logs to a file that cannot be made, and ends. */
  static final class EndWithoutALog {

    private EndWithoutALog() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      Joran.tiered(
          context,
          """
          <file>%s/app.log</file>
          <spoolDirectory>%s</spoolDirectory>
          <maxFlushTime>%s</maxFlushTime>
          """
              .formatted((Object[]) args));
      Logger logger = context.getLogger("application");
      for (int i = 0; i < 5; i++) {
        logger.info("event {}.", i);
      }
      Path spool = Path.of(args[1]);
      if (Files.exists(spool)) {
        Await.until("spooled", () -> FileTree.contains(spool, "event 4.\n"));
        Await.until("the flusher knows", EndWithoutALog::isFlusherParked);
      } else {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitWarning(context)));
      }
    }

    private static boolean isFlusherParked() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("forebay-flusher"))
          .anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    /** However slow that is: PipelineEndTest shows for how long the end waits for it. */
    private static void awaitWarning(LoggerContext context) {
      Await.until(
          "warned",
          () ->
              context.getStatusManager().getCopyOfStatusList().stream()
                  .anyMatch(status -> status.getMessage().contains(WARNING)));
    }
  }
}
