package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.DropReason;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.jvm.JvmSource;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Has the JVM's lines read in each turn of the flusher, which gets no events here. For the
 * flusher's thread, unless a comment says otherwise.
 */
final class JvmSink implements EventSink {

  private static final long FLUSH_POLL_NS = 1_000_000;

  private final SpoolSink spool;
  private final JvmSource source;
  private final Encoder<ILoggingEvent> encoder;
  private final NanoClock clock;

  /** Causes a turn. Set before the threads start. */
  private Runnable wake = () -> {};

  private int lines;

  /** Set at the end of stop(): no turn follows. */
  private volatile boolean ended;

  JvmSink(SpoolSink spool, JvmSource source, Encoder<ILoggingEvent> encoder, NanoClock clock) {
    this.spool = spool;
    this.source = source;
    this.encoder = encoder;
    this.clock = clock;
  }

  void connect(Runnable wakeFlusher) {
    wake = wakeFlusher;
  }

  @Override
  public String name() {
    return "the JVM's log";
  }

  @Override
  public DropReason failureReason() {
    return DropReason.SPOOL_FULL;
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    spool.beginTurn(lines > 0);
    lines = source.turn(clock.nanoTime());
  }

  @Override
  public ParkPolicy ownPark() {
    return (workDone, nowNs) -> source.restNs();
  }

  @Override
  public boolean isReady() {
    return true; // nothing waits in the ring
  }

  /** No event comes: the appender has no log calls. */
  @Override
  public void accept(ILoggingEvent event) throws IOException {
    acceptReport(event);
  }

  @Override
  public boolean acceptReport(ILoggingEvent report) throws IOException {
    if (!source.takeOwn(encoder.encode(report))) {
      throw new IOException("no room for a report");
    }
    return true;
  }

  @Override
  public boolean isReadyForReport() {
    return spool.isReadyForReport();
  }

  @Override
  public void endOfBatch() {
    spool.endOfBatch();
  }

  /** Any thread. */
  @Override
  public boolean flush(long timeoutNs) {
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long number = source.ask();
    boolean interrupted = false;
    while (!source.isAnswered(number) && !ended && clock.nanoTime() - deadlineNs < 0) {
      wake.run();
      LockSupport.parkNanos(this, FLUSH_POLL_NS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return (source.isAnswered(number) || ended)
        && spool.flush(Math.max(0, deadlineNs - clock.nanoTime()));
  }

  @Override
  public void prepareForShutdown() {
    spool.prepareForShutdown();
  }

  @Override
  public String degraded() {
    return spool.degraded();
  }

  @Override
  public void close() {
    source.close();
    spool.close();
  }

  @Override
  public void stop(long timeoutNs) {
    ended = true;
    spool.stop(timeoutNs);
  }
}
