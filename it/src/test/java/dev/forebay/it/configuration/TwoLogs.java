package dev.forebay.it.configuration;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.NonBlockingAppender;
import org.slf4j.LoggerFactory;

/**
 * A program that logs, and says which JCTools it could use and whether our classes are a module.
 */
final class TwoLogs {

  /** What it logs. */
  static final int LINES = 2_000;

  private TwoLogs() {}

  public static void main(String[] args) {
    for (int line = 1; line <= LINES; line++) {
      LoggerFactory.getLogger(TwoLogs.class).info("line {}", line);
    }
    ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    boolean isModule = NonBlockingAppender.class.getModule().isNamed();
    System.out.println((isModule ? "module" : "class path") + ", " + jctools());
  }

  private static String jctools() {
    try {
      Class<?> queue = Class.forName("org.jctools.queues.MpscArrayQueue");
      return queue
          .getProtectionDomain()
          .getCodeSource()
          .getLocation()
          .getPath()
          .replaceAll(".*/", "");
    } catch (ClassNotFoundException e) {
      return "none";
    }
  }
}
