package dev.forebay.jvm;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.layout.EchoLayout;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.LimitOptions;
import dev.forebay.NonBlockingAppender;
import dev.forebay.RedactOptions;
import dev.forebay.Statuses;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import dev.forebay.tiered.jvm.JvmAccount;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.jvm.LineListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JVM's own log, what {@code -Xlog:…:file=} writes, without a pause of the JVM that
 * waits for a disk: the JVM writes it to tmpfs, and from there it goes to the log as the events of
 * a {@link TieredAppender} do, byte for byte.
 *
 * <p>It takes no events. So in a configuration it is best a {@code <contextListener>}; as an {@code
 * <appender>} it must be referred to, since Logback skips unused appenders, and it ignores all
 * events. With {@code <appender-ref>}, which Logback reads in an {@code <appender>} only, the lines
 * are also events for other appenders.
 *
 * <p>What concerns the ring, the encoder, the spool's size and durable calls has no meaning here,
 * except for the ring of the events: its times, listeners and names of threads. Configuring and
 * starting are for one thread at a time; everything else is thread-safe. It can be started again
 * after a stop.
 */
public final class JvmLogAppender extends TieredAppender
    implements LoggerContextListener, AppenderAttachable<ILoggingEvent> {

  private final JvmOptions options;
  private final EventRelay relay = new EventRelay();

  public JvmLogAppender() {
    this(new JvmOptions());
  }

  private JvmLogAppender(JvmOptions options) {
    super(options);
    this.options = options;
    setName("JVM");
    LayoutWrappingEncoder<ILoggingEvent> text = new LayoutWrappingEncoder<>();
    text.setLayout(new EchoLayout<>()); // without one it starts with an ERROR
    super.setEncoder(text); // never asked for a line
    setRingBufferSize(1); // it takes no events
  }

  /** Has no meaning: header and footer would stand among the JVM's lines. */
  @Override
  public void setEncoder(Encoder<ILoggingEvent> encoder) {
    setWithoutMeaning("encoder");
  }

  /** Has no meaning. */
  @Override
  public void setLayout(Layout<ILoggingEvent> layout) {
    setWithoutMeaning("layout");
  }

  /** Has no meaning: the log is continued. */
  @Override
  public void setAppend(boolean append) {
    setWithoutMeaning("append");
  }

  /** Has no meaning. */
  @Override
  public void setFlightRecorder(FlightRecorderOptions recorder) {
    setWithoutMeaning("flightRecorder");
  }

  /** Has no meaning. */
  @Override
  public void addLimit(LimitOptions limit) {
    setWithoutMeaning("limit");
  }

  /** Has no meaning. */
  @Override
  public void addRedact(RedactOptions redact) {
    setWithoutMeaning("redact");
  }

  private void setWithoutMeaning(String element) {
    pipelineOptions().setWithoutMeaning(element, "the lines are the JVM's");
  }

  /**
   * Which messages, as in {@code -Xlog}. If it is not set, or null, this log has what the one
   * output writes that the command line put on tmpfs; if there is none, {@code
   * gc*=info,safepoint=info}.
   */
  public void setWhat(@Nullable String what) {
    options.what = what;
  }

  /** What each line begins with, as in {@code -Xlog}; default {@code time,uptime,level,tags}. */
  public void setDecorators(String decorators) {
    options.decorators = decorators;
  }

  /**
   * The most tmpfs that the JVM's files take which the log's shipper has not begun, also while the
   * log's disk hangs; 128 KB to 16 GB, default 16 MB. A sixteenth of it is the size of one file.
   */
  public void setMemory(FileSize size) {
    options.memoryBytes = size.getSize();
  }

  @Override
  public synchronized void start() {
    if (isStarted()) {
      return;
    }
    options.listener = startRelay();
    super.start();
    if (!isStarted()) {
      relay.stop();
    }
  }

  private LineListener startRelay() {
    if (!(getContext() instanceof LoggerContext classic) || Statuses.isLogbackTooOld()) {
      return LineListener.NONE;
    }
    NonBlockingAppender ring = relay.start(this);
    return ring == null
        ? LineListener.NONE
        : new LineEvents(classic, InstantSource.system(), ring::doAppend);
  }

  /**
   * Has the JVM stop writing this log, and delivers the rest within {@code maxFlushTime}; as long
   * again for the events. The attached appenders are left as they are.
   */
  @Override
  public void stop() {
    super.stop();
    relay.stop();
  }

  /** Ignores the event: this log has only the JVM's lines. */
  @Override
  public void doAppend(ILoggingEvent event) {}

  /**
   * Waits until the JVM writes this log, or the first attempt to have it do so has failed; at most
   * this long. Returns whether the JVM writes it.
   */
  public boolean awaitOpen(Duration timeout) {
    JvmAccount account = options.account();
    boolean unused = NanoClock.SYSTEM.limit(timeout).await(account::isTried);
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
  @Override
  public boolean flush(Duration timeout) {
    return super.flush(timeout) && relay.flush(timeout);
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
