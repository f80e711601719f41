package dev.forebay.benchmarks;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;

/**
 * The rolling of a log that takes what a benchmark writes in seconds, and keeps two files of it: a
 * log that grows for ever would measure the disk's size.
 *
 * @param rolling at most one old file
 * @param triggering at 64 MB
 */
public record BoundedLog<E>(
    FixedWindowRollingPolicy rolling, SizeBasedTriggeringPolicy<E> triggering) {

  private static final long MAX_BYTES = 64L << 20;
  private static final long CHECK_MS = 10;

  /** Started policies for an appender that has its {@code file} already. */
  public static <E> BoundedLog<E> of(FileAppender<E> appender, Context context, Path log) {
    FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
    rolling.setContext(context);
    rolling.setParent(appender);
    rolling.setFileNamePattern(log + ".%i");
    rolling.setMinIndex(1);
    rolling.setMaxIndex(1);
    rolling.start();
    SizeBasedTriggeringPolicy<E> triggering = new SizeBasedTriggeringPolicy<>();
    triggering.setContext(context);
    triggering.setMaxFileSize(new FileSize(MAX_BYTES));
    triggering.setCheckIncrement(Duration.buildByMilliseconds(CHECK_MS));
    triggering.start();
    return new BoundedLog<>(rolling, triggering);
  }
}
