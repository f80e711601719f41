package dev.forebay.it.jvm;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.host.Garbage;
import dev.forebay.jvm.JvmLogAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A process that does nothing but collect garbage, and that has its JVM's log carried to a file.
 */
public final class JvmChild {

  private static final Duration FLUSH = Duration.ofSeconds(60);
  private static final int LITTER = 1 << 20;

  private JvmChild() {}

  /**
   * Collects until it has done so often enough, then ends as told.
   *
   * @param args log, spool directory, directory for reports, memory for an output of ours,
   *     collections, pause between two in milliseconds, and how to end: stop, or exit without
   *     stopping
   */
  public static void main(String[] args) throws Exception {
    Path reports = Path.of(args[2]);
    LoggerContext context = new LoggerContext();
    JvmLogAppender appender = appender(context, args[0], args[1], args[3]);
    appender.start();
    Await.until("the JVM writes: " + problems(context), appender::isOpen);
    Files.createFile(reports.resolve("open"));
    collect(Integer.parseInt(args[4]), Duration.ofMillis(Long.parseLong(args[5])));
    if (args[6].equals("stop")) {
      appender.flush(FLUSH);
      appender.stop();
      Files.writeString(reports.resolve("status"), String.join("\n", problems(context)));
    }
    Files.createFile(reports.resolve("ended"));
  }

  /** One that is not started. */
  static JvmLogAppender appender(
      LoggerContext context, String log, String spoolDirectory, String memory) {
    JvmLogAppender appender = new JvmLogAppender();
    appender.setContext(context);
    appender.setFile(log);
    appender.setSpoolDirectory(spoolDirectory);
    appender.setWhat(JvmLives.WHAT);
    appender.setDecorators(JvmLives.DECORATORS);
    appender.setMemory(FileSize.valueOf(memory));
    appender.setMaxFlushTime("1 minute");
    appender.setFsync("10 ms");
    return appender;
  }

  static void collect(int times, Duration pause) throws IOException {
    long litter = 0;
    for (int i = 0; i < times; i++) {
      litter += new byte[LITTER].length;
      Garbage.collect(1);
      Await.pass(pause);
    }
    if (litter < 0) {
      throw new IOException("never");
    }
  }

  static List<String> problems(LoggerContext context) {
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .toList();
  }
}
