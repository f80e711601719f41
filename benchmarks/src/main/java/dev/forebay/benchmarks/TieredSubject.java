package dev.forebay.benchmarks;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.time.Duration;

/** A {@code TieredAppender} with a spool and a log of its own, all defaults but the ring's size. */
final class TieredSubject {

  private static final Duration HURRY = Duration.ofSeconds(10);

  private TieredSubject() {}

  static Subject start(LoggerContext context, DelegateKind delegate) {
    ScratchDirectories scratch = new ScratchDirectories();
    TieredAppender appender = new TieredAppender();
    appender.setFile(scratch.logFile().toString());
    appender.setSpoolDirectory(scratch.spool().toString());
    appender.setRingBufferSize(AppenderKind.RING_SIZE);
    appender.setEncoder(delegate.encoder(context));
    BoundedLog<ILoggingEvent> log = BoundedLog.of(appender, context, scratch.logFile());
    appender.setRollingPolicy(log.rolling());
    appender.setTriggeringPolicy(log.triggering());
    AppenderKind.start(appender, context);
    return new Subject(
        appender,
        () -> delivered(appender.snapshot()),
        () -> appender.snapshot().dropped(),
        () -> appender.flush(HURRY),
        scratch::close);
  }

  /**
   * The appender's own reports of drops are in its account, but were not offered by our callers.
   */
  private static long delivered(LedgerSnapshot account) {
    return account.delivered() - account.reports();
  }
}
