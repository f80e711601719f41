package dev.forebay.benchmarks.many;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Main class of a small program that logs a few lines a second to one log. */
final class OneLog {

  static final String NAME = "app";

  private static final long PAUSE_MS = 200;

  private OneLog() {}

  /**
   * Logs numbered lines while a file is there, then prints how many.
   *
   * @param args kind of the appender, log, directory for the spool, the file
   */
  public static void main(String[] args) throws InterruptedException {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter()); // else events are dropped
    Crowd.Kind kind = Crowd.Kind.valueOf(args[0]);
    Crowd.appender(kind, context, NAME, Path.of(args[1]), Path.of(args[2])).start();
    Logger logger = context.getLogger(NAME);
    Path isWanted = Path.of(args[3]);
    int number = 0;
    while (Files.exists(isWanted)) {
      logger.info("number {}", number++);
      Thread.sleep(PAUSE_MS);
    }
    context.stop();
    System.out.println(number);
  }
}
