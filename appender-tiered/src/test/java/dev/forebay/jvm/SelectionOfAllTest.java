package dev.forebay.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No selection ends the JVM. */
class SelectionOfAllTest {

  private static final String SURVIVED = "linked a class";

  @TempDir Path directory;

  @Test
  void aJvmThatLogsAllGoesOnLinkingClasses() throws Exception {
    assertThat(ChildJvm.run(Logging.class, directory.toString()))
        .isEqualToIgnoringNewLines(SURVIVED);
  }

  /** Has its JVM log all. */
  static final class Logging {

    private Logging() {}

    public static void main(String[] args) {
      JvmLogAppender appender = new JvmLogAppender();
      appender.setContext(new LoggerContext());
      appender.setFile(args[0] + "/jvm.log");
      appender.setWhat("all=info");
      appender.start();
      Await.until("the JVM writes", appender::isOpen);
      System.out.println(Linked.text());
      appender.stop();
    }
  }

  /** Not linked before its first use. */
  static final class Linked {

    private Linked() {}

    static String text() {
      return Duration.ZERO.isZero() ? SURVIVED : "";
    }
  }
}
