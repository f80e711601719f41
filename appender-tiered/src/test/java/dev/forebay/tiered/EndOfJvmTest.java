package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HotSpot's end waits 0.3 s for threads in native code: none of ours waits there. */
@Tag("once")
class EndOfJvmTest {

  private static final String OUTSIDE = "parks outside native code";

  @TempDir Path directory;

  @Test
  void theThreadThatWaitsAtControlSocketsLeavesItsSelector() throws Exception {
    assertThat(ChildJvm.run(Ending.class, directory.toString())).contains(OUTSIDE);
  }

  /** Ends without stopping the appender; a hook of its own looks on. */
  static final class Ending {

    private Ending() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      Joran.tiered(
          context,
          "<file>%1$s/app.log</file><spoolDirectory>%1$s</spoolDirectory>".formatted(args[0]));
      Await.until("it waits at a socket", () -> isWatcherIn("sun.nio.ch.EPoll"));
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    Await.until("it leaves", () -> isWatcherIn("java.util.concurrent.locks"));
                    System.out.println(OUTSIDE);
                  }));
    }

    private static boolean isWatcherIn(String code) {
      return Thread.getAllStackTraces().entrySet().stream()
          .filter(entry -> entry.getKey().getName().equals("forebay-watcher"))
          .flatMap(entry -> Arrays.stream(entry.getValue()))
          .anyMatch(frame -> frame.getClassName().startsWith(code));
    }
  }
}
