package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a JVM in which nobody stops the appender. */
@Tag("once")
class EndOfJvmTest {
  private static final String IN_THE_LOG = "all is in the log";

  @TempDir Path directory;

  private static TieredAppender tiered(LoggerContext context, String log, String spool, String more)
      throws Exception {
    return Joran.tiered(
        context,
        "<file>%s/app.log</file><spoolDirectory>%s</spoolDirectory>%s".formatted(log, spool, more));
  }

  private static boolean isRunning(String thread) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(running -> running.getName().equals(thread));
  }

  private static void atTheEnd(Runnable work) {
    Runtime.getRuntime().addShutdownHook(new Thread(work));
  }

  @Test
  void whatAnotherHookLogsAfterOursIsInTheLogWhileThatHookRuns() throws Exception {
    assertThat(ChildJvm.run(LateHook.class, directory.toString())).contains(IN_THE_LOG);
  }

  static final class LateHook {
    private static final int LINES = 1000;

    private LateHook() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      TieredAppender unused = tiered(context, args[0], args[0], "<fsync>1 hour</fsync>");
      Path log = Path.of(args[0], "app.log");
      atTheEnd(
          () -> {
            Await.until("our hook has ended", () -> !isRunning("forebay-shutdown"));
            for (int i = 0; i < LINES; i++) {
              context.getLogger("hook").info("line {}", i);
            }
            Await.until("all is in the log", () -> lines(log).size() == LINES);
            System.out.println(IN_THE_LOG);
          });
    }
  }

  private static List<String> lines(Path log) {
    try {
      return Files.readAllLines(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A later start ships it. */
  @Test
  void whatIsInFilesWhileTheLogCannotBeWrittenIsNeitherWaitedForNorWarnedOf() throws Exception {
    Path file = Files.createFile(directory.resolve("no-directory"));
    assertThat(ChildJvm.run(EndWithoutALog.class, file.toString(), directory.toString()))
        .doesNotContain("not delivered within <maxFlushTime>");
  }

  static final class EndWithoutALog {

    private EndWithoutALog() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      TieredAppender unused =
          tiered(context, args[0], args[1], "<maxFlushTime>1 hour</maxFlushTime>");
      context.getLogger("application").info("event.");
      Await.until("spooled", () -> FileTree.contains(Path.of(args[1]), "event.\n"));
      Await.until("the flusher knows", EndWithoutALog::isFlusherParked);
    }

    private static boolean isFlusherParked() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("forebay-flusher"))
          .anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"end of main", "stop"})
  void oneLineSaysHowManyEventsWaitWhereAndWhoShipsThem(String end, @TempDir Path directory)
      throws Exception {
    Files.createFile(directory.resolve("blocked"));
    Files.createDirectory(directory.resolve("spool"));
    Path log = directory.resolve("blocked/app.log");
    assertThat(ChildJvm.run(EndWithEventsLeft.class, end, directory.toString()))
        .isEqualToIgnoringNewLines(
            "Appender [FILE]: 10 events are left in the spool for the next start, which ships them to %1$s; without one: forebay recover --to FILE %1$s"
                .formatted(log));
  }

  static final class EndWithEventsLeft {

    private EndWithEventsLeft() {}

    public static void main(String[] args) {
      LoggerContext context = new LoggerContext();
      Path directory = Path.of(args[1]);
      TieredAppender appender =
          Joran.unstarted(
              context, "FILE", directory.resolve("blocked/app.log"), directory.resolve("spool"));
      appender.setMaxFlushTime("500 ms");
      appender.start();
      context.getLogger("ROOT").addAppender(appender);
      for (int i = 0; i < 10; i++) {
        context.getLogger("test").info("event");
      }
      if (args[0].equals("stop")) {
        context.stop();
      }
    }
  }
}
