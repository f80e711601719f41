package dev.forebay.jvm;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.jvm.LineListener;
import dev.forebay.tiered.jvm.NoticeEncoder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JVM's own log, what {@code -Xlog:…:file=} writes, without a pause of the JVM that
 * waits for a disk: the JVM writes it to tmpfs, and from there it goes to the log as the events of
 * a {@link TieredAppender} do, byte for byte.
 *
 * <p>It takes no events. So in a configuration it is best a {@code <contextListener>}; as an {@code
 * <appender>} it must be referred to, since Logback skips others, and ignores what it gets. With
 * {@code <appender-ref>}, which Logback reads in an {@code <appender>} only, the lines are also
 * events for other appenders.
 *
 * <p>Extends {@code FileAppender} only because Logback's rolling policies require one as their
 * parent. Configuring and starting are for one thread at a time; everything else is thread-safe. It
 * can be started again after a stop.
 */
public final class JvmLogAppender extends FileAppender<ILoggingEvent>
    implements LoggerContextListener, AppenderAttachable<ILoggingEvent> {

  private static final String DEFAULT_NAME = "JVM";

  private final JvmOptions options = new JvmOptions();
  private final TieredAppender log = new TieredAppender(options);
  private final EventRelay relay = new EventRelay();

  /** With default settings. */
  public JvmLogAppender() {
    setName(DEFAULT_NAME);
    log.setEncoder(new NoticeEncoder());
    log.setRingBufferSize(1); // it takes no events
  }

  @Override
  public void setContext(Context context) {
    super.setContext(context);
    log.setContext(context);
    relay.configure(ring -> ring.setContext(context));
  }

  @Override
  public void setName(String name) {
    super.setName(name);
    log.setName(name);
    relay.configure(ring -> ring.setName(name + "-events"));
  }

  @Override
  public void setFile(String file) {
    super.setFile(file);
    log.setFile(file);
  }

  /**
   * Which messages, as in {@code -Xlog}. If it is not set, this log has what the one output writes
   * that the command line put on tmpfs; if there is none, {@code gc*=info,safepoint=info}.
   */
  public void setWhat(String what) {
    options.setWhat(what);
  }

  /** What each line begins with, as in {@code -Xlog}; default {@code time,uptime,level,tags}. */
  public void setDecorators(String decorators) {
    options.setDecorators(decorators);
  }

  /**
   * The most tmpfs that the JVM's files take which the log's shipper has not begun, also while the
   * log's disk hangs; 128 KB to 16 GB, default 16 MB. A sixteenth of it is the size of one file.
   */
  public void setMemory(FileSize size) {
    options.setMemory(size.getSize());
  }

  /** As {@link TieredAppender#setSpoolDirectory}; must be on tmpfs. */
  public void setSpoolDirectory(String directory) {
    log.setSpoolDirectory(directory);
  }

  /** As {@link TieredAppender#setFsync}. */
  public void setFsync(String policy) {
    log.setFsync(policy);
  }

  /** As {@link TieredAppender#setControl}. */
  public void setControl(boolean control) {
    log.setControl(control);
  }

  /** As {@link TieredAppender#setRollingPolicy}. */
  public void setRollingPolicy(RollingPolicy policy) {
    log.setRollingPolicy(policy);
  }

  /** As {@link TieredAppender#setTriggeringPolicy}. */
  public void setTriggeringPolicy(TriggeringPolicy<ILoggingEvent> policy) {
    log.setTriggeringPolicy(policy);
  }

  /** How long {@link #stop} takes at most to deliver; as in {@link TieredAppender}. */
  public void setMaxFlushTime(String time) {
    log.setMaxFlushTime(time);
    relay.configure(ring -> ring.setMaxFlushTime(time));
  }

  /** As in {@link TieredAppender}. */
  public void setReportInterval(String interval) {
    log.setReportInterval(interval);
    relay.configure(ring -> ring.setReportInterval(interval));
  }

  /** As in {@link TieredAppender}. */
  public void setThreadNameFormat(String format) {
    log.setThreadNameFormat(format);
    relay.configure(ring -> ring.setThreadNameFormat(format));
  }

  /** As in {@link TieredAppender}. */
  public void addListener(FailureListener listener) {
    log.addListener(listener);
    relay.configure(ring -> ring.addListener(listener));
  }

  @Override
  public void start() {
    if (started) {
      return;
    }
    options.setListener(startRelay());
    log.start();
    started = log.isStarted();
    if (!started) {
      relay.stop();
    }
  }

  private LineListener startRelay() {
    if (!(getContext() instanceof LoggerContext classic)) {
      return LineListener.NONE;
    }
    Consumer<ILoggingEvent> events = relay.start();
    return events == null
        ? LineListener.NONE
        : new LineEvents(classic, InstantSource.system(), NanoClock.SYSTEM::nanoTime, events);
  }

  /**
   * Has the JVM stop writing this log, and delivers the rest within {@code maxFlushTime}; as long
   * again for the events. The attached appenders are left as they are.
   */
  @Override
  public void stop() {
    started = false;
    log.stop();
    relay.stop();
  }

  /** Ignores the event: this log has only the JVM's lines. */
  @Override
  public void doAppend(ILoggingEvent event) {}

  @Override
  protected void append(ILoggingEvent event) {}

  /** The account of all lines, as {@link TieredAppender#snapshot} of events. */
  public LedgerSnapshot snapshot() {
    return log.snapshot();
  }

  /**
   * Waits until the JVM writes this log, or the first attempt to have it do so has failed; at most
   * this long. Returns whether the JVM writes it.
   */
  public boolean awaitOpen(Duration timeout) {
    options.account().awaitFirstTry(timeout.toNanos());
    return isOpen();
  }

  /** Whether the JVM writes this log now; soon after the start, unless a status says why not. */
  public boolean isOpen() {
    return options.account().isOpen();
  }

  /** Bytes of the JVM's log that are missing in this one since the last start, as far as known. */
  public long lostBytes() {
    return options.account().lostBytes();
  }

  /**
   * As {@link TieredAppender#flush}, for what the JVM wrote before the call; with attached
   * appenders, also until they have its events, for at most the same time again.
   */
  public boolean flush(Duration timeout) {
    return log.flush(timeout) && relay.flush(timeout);
  }

  /**
   * Attaches an appender for the lines as events. It gets them from the next start on; this
   * appender neither starts nor stops it.
   */
  @Override
  public void addAppender(Appender<ILoggingEvent> appender) {
    relay.addAppender(appender);
  }

  @Override
  public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
    return relay.iteratorForAppenders();
  }

  @Override
  public @Nullable Appender<ILoggingEvent> getAppender(String name) {
    return relay.getAppender(name);
  }

  @Override
  public boolean isAttached(Appender<ILoggingEvent> appender) {
    return relay.isAttached(appender);
  }

  @Override
  public void detachAndStopAllAppenders() {
    relay.detachAndStopAllAppenders();
  }

  @Override
  public boolean detachAppender(Appender<ILoggingEvent> appender) {
    return relay.detachAppender(appender);
  }

  @Override
  public boolean detachAppender(String name) {
    return relay.detachAppender(name);
  }

  @Override
  public boolean isResetResistant() {
    return false;
  }

  @Override
  public void onStart(LoggerContext context) {}

  @Override
  public void onReset(LoggerContext context) {
    stop();
  }

  @Override
  public void onStop(LoggerContext context) {
    stop();
  }

  @Override
  public void onLevelChange(
      ch.qos.logback.classic.@Nullable Logger logger,
      ch.qos.logback.classic.@Nullable Level level) {}
}
