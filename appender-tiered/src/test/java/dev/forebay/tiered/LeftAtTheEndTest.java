package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM ends while its log cannot be written, and nobody listens to statuses. */
@Tag("once")
class LeftAtTheEndTest {

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

  /** Logs ten events, and ends. */
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
