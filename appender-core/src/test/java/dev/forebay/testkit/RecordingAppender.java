package dev.forebay.testkit;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.io.Flushable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * An appender that keeps what it takes, and does to each event what a test wants before it takes
 * it: wait at a gate, throw, log. Unlike Logback's base classes it hides nothing it throws.
 */
public class RecordingAppender extends UnsynchronizedAppenderBase<ILoggingEvent>
    implements Flushable {

  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final AtomicLong taken = new AtomicLong();
  private final AtomicInteger flushes = new AtomicInteger();
  private final AtomicInteger starts = new AtomicInteger();
  private final AtomicInteger stops = new AtomicInteger();
  private volatile Consumer<ILoggingEvent> before = event -> {};
  private volatile Runnable onFlush = () -> {};
  private volatile boolean keeping = true;

  public RecordingAppender() {
    setName("RECORDING");
  }

  public RecordingAppender named(String newName) {
    setName(newName);
    return this;
  }

  public RecordingAppender before(Consumer<ILoggingEvent> step) {
    before = step;
    return this;
  }

  public RecordingAppender onFlush(Runnable step) {
    onFlush = step;
    return this;
  }

  /** Only counts from now on: for tests with many events. */
  public RecordingAppender countingOnly() {
    keeping = false;
    return this;
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a lock would hide what tests look for
  public void doAppend(ILoggingEvent event) {
    before.accept(event);
    if (keeping) {
      events.add(event);
    }
    taken.incrementAndGet();
  }

  @Override
  protected void append(ILoggingEvent event) {
    doAppend(event);
  }

  public long taken() {
    return taken.get();
  }

  public List<ILoggingEvent> events() {
    return events;
  }

  public List<String> messages() {
    return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** The reports of drops among what it took. */
  public List<String> reports() {
    return events.stream()
        .filter(event -> event.getFormattedMessage().startsWith("Forebay: "))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  public int flushes() {
    return flushes.get();
  }

  public int starts() {
    return starts.get();
  }

  public int stops() {
    return stops.get();
  }

  @Override
  public void flush() {
    flushes.incrementAndGet();
    onFlush.run();
  }

  @Override
  public void start() {
    super.start();
    starts.incrementAndGet();
  }

  @Override
  public void stop() {
    super.stop();
    stops.incrementAndGet();
  }
}
