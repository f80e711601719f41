package dev.forebay.pipeline;

import java.util.concurrent.atomic.AtomicInteger;

/** Names of an appender's threads, numbered across the JVM. */
public final class ThreadNames {

  /** The default: for example {@code forebay-flusher-FILE-1}. */
  public static final String DEFAULT_FORMAT = "forebay-%3$s-%1$s-%2$d";

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final String format;
  private final String appender;
  private final int number = NUMBERS.incrementAndGet();

  /**
   * @param format a {@link java.util.Formatter} pattern of appender name, number and role
   * @param appender name of the appender
   */
  public ThreadNames(String format, String appender) {
    this.format = format;
    this.appender = appender;
  }

  /**
   * Checks a format.
   *
   * @throws java.util.IllegalFormatException if it is invalid or has more than these arguments
   */
  public static void check(String format) {
    String unused = String.format(format, "appender", 1, "role");
  }

  /** The name of the thread that plays a role, such as {@code flusher}. */
  public String of(String role) {
    return String.format(format, appender, number, role);
  }
}
