package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others in the process have taken all of the direct memory. */
@Tag("once")
class ShortDirectMemoryTest {

  private static final int EVENTS = 200;
  private static final int LARGE = 300_000;

  @TempDir Path directory;

  @Test
  void anAppenderStartsAndLosesNothing() throws Exception {
    ChildJvm.run(List.of("-XX:MaxDirectMemorySize=4m"), Hoarder.class, directory.toString());

    List<String> lines = Files.readAllLines(directory.resolve("app.log"));
    assertThat(lines).hasSize(EVENTS + 1);
    assertThat(lines.get(EVENTS / 2)).hasSize(LARGE);
  }

  static final class Hoarder {

    private Hoarder() {}

    @SuppressWarnings("SystemOut") // told when the test fails
    public static void main(String[] args) throws Exception {
      List<ByteBuffer> hoard = new ArrayList<>();
      try {
        while (hoard.add(ByteBuffer.allocateDirect(1000))) {}
      } catch (OutOfMemoryError e) {
        System.out.println("direct memory is full: " + e.getMessage());
      }
      LoggerContext context = new LoggerContext();
      TieredAppender appender =
          Joran.tiered(
              context,
              "<file>%1$s/app.log</file><spoolDirectory>%1$s</spoolDirectory>".formatted(args[0]));
      for (int i = 0; i < EVENTS; i++) {
        if (i == EVENTS / 2) {
          context.getLogger("app").info("x".repeat(LARGE));
        }
        context.getLogger("app").info("event {}", i);
      }
      hoard.clear();
      System.gc();
      boolean flushed = appender.flush(Duration.ofSeconds(30));
      LedgerSnapshot account = appender.snapshot();
      context.stop();
      System.out.println(account);
      Await.said();
      context.getStatusManager().getCopyOfStatusList().forEach(System.out::println);
      boolean exact = account.offered() == EVENTS + 1 && account.delivered() == EVENTS + 1;
      System.exit(flushed && exact ? 0 : 1);
    }
  }
}
