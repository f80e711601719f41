package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a JVM in which other hooks log and look on while ours is long done. */
@Tag("once")
class EndOfJvmTest {

  private static final String OUTSIDE = "no thread is in native code";

  private static final String IN_THE_LOG = "all is in the log";

  @TempDir Path directory;

  /** HotSpot's end waits 0.3 s for threads in native code. */
  @Test
  void theThreadThatWaitsAtTheControlSocketEnds() throws Exception {
    assertThat(ChildJvm.run(Ending.class, directory.toString())).contains(OUTSIDE);
  }

  @Test
  void whatAnotherHookLogsAfterOursIsInTheLogWhileThatHookRuns() throws Exception {
    assertThat(ChildJvm.run(LateHook.class, directory.toString())).contains(IN_THE_LOG);
  }

  /** Returns from its main method. Its hook logs once ours has ended, and waits for the lines. */
  static final class LateHook {

    private static final int LINES = 1000;

    private LateHook() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      Joran.tiered(
          context,
          "<file>%1$s/app.log</file><spoolDirectory>%1$s</spoolDirectory><fsync>1 hour</fsync>"
              .formatted(args[0]));
      Path log = Path.of(args[0], "app.log");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> logLate(context, log)));
    }

    private static void logLate(LoggerContext context, Path log) {
      Await.until("our hook has ended", () -> !isRunning("forebay-shutdown"));
      for (int i = 0; i < LINES; i++) {
        context.getLogger("hook").info("line {}", i);
      }
      Await.until("all is in the log", () -> lines(log) == LINES);
      System.out.println(IN_THE_LOG);
    }

    private static int lines(Path log) {
      try {
        return Files.readAllLines(log).size();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static boolean isRunning(String name) {
      return Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().equals(name));
    }
  }

  /** Ends without stopping the appender; a hook of its own looks on. */
  static final class Ending {

    private Ending() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      Joran.tiered(
          context,
          "<file>%1$s/app.log</file><spoolDirectory>%1$s</spoolDirectory>".formatted(args[0]));
      Await.until("it waits at a socket", Ending::isInNativeCode);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    Await.until("it ends", () -> !isInNativeCode());
                    System.out.println(OUTSIDE);
                  }));
    }

    private static boolean isInNativeCode() {
      return Thread.getAllStackTraces().entrySet().stream()
          .filter(entry -> entry.getKey().getName().equals("forebay-control"))
          .flatMap(entry -> Arrays.stream(entry.getValue()))
          .anyMatch(frame -> frame.getMethodName().equals("accept"));
    }
  }
}
