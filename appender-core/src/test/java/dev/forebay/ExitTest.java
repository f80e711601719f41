package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import dev.forebay.host.ChildJvm;
import dev.forebay.testkit.Events;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends without a stop loses no event. */
class ExitTest {

  private static final int EVENTS = 5000;

  @TempDir private Path logs;

  @Test
  void allThatWasLoggedIsDeliveredAlsoByAnotherShutdownHook() throws Exception {
    Path log = logs.resolve("exit.log");

    ChildJvm.run(ExitingProgram.class, log.toString());

    assertThat(Files.readAllLines(log)).hasSize(EVENTS + 1);
    assertThat(Files.readAllLines(log)).last().isEqualTo("from another shutdown hook");
  }

  /** A ring before a file; not started. */
  static NonBlockingAppender toFile(LoggerContext context, String log) {
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    var file = new FileAppender<ILoggingEvent>();
    file.setContext(context);
    file.setName("FILE");
    file.setFile(log);
    file.setEncoder(encoder);
    NonBlockingAppender ring = new NonBlockingAppender();
    ring.setContext(context);
    ring.setName("RING");
    ring.addAppender(file);
    return ring;
  }

  /** Logs and ends, as plain programs do; another hook logs while the JVM shuts down. */
  static final class ExitingProgram {

    private ExitingProgram() {}

    public static void main(String[] args) {
      var context = Events.context("exiting");
      NonBlockingAppender ring = toFile(context, args[0]);
      ring.setDiscardingThreshold(0);
      ring.start();
      var logger = context.getLogger("application");
      logger.addAppender(ring);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    logger.info("from another shutdown hook");
                    ring.flush(Duration.ofSeconds(20));
                  }));
      for (int i = 0; i < EVENTS; i++) {
        logger.info("event {}", i);
      }
    }
  }
}
