package dev.forebay.testkit;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.EventSink;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A sink that keeps what it takes, and does to each event what a test wants before that. */
public final class RecordingSink implements EventSink {

  private final Ledger ledger;
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private volatile Consumer<ILoggingEvent> before = event -> {};
  private volatile Runnable onTurn = () -> {};
  private volatile Runnable onEndOfBatch = () -> {};
  private volatile LongPredicate onFlush = timeoutNs -> true;
  private volatile LongSupplier heldInHeap = () -> 0;
  private volatile boolean ready = true;
  private volatile boolean settled = true;
  private volatile int batches;
  private volatile boolean closed;

  public RecordingSink(Ledger ledger) {
    this.ledger = ledger;
  }

  public RecordingSink before(Consumer<ILoggingEvent> step) {
    before = step;
    return this;
  }

  public RecordingSink onTurn(Runnable step) {
    onTurn = step;
    return this;
  }

  public RecordingSink onEndOfBatch(Runnable step) {
    onEndOfBatch = step;
    return this;
  }

  public RecordingSink onFlush(LongPredicate step) {
    onFlush = step;
    return this;
  }

  public RecordingSink heldInHeap(LongSupplier events) {
    heldInHeap = events;
    return this;
  }

  public RecordingSink ready(boolean now) {
    ready = now;
    return this;
  }

  public RecordingSink settled(boolean now) {
    settled = now;
    return this;
  }

  public List<String> messages() {
    return messages;
  }

  public List<String> reports() {
    return messages.stream().filter(text -> text.startsWith("Forebay: ")).toList();
  }

  public int batches() {
    return batches;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public String name() {
    return "the sink";
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    onTurn.run();
  }

  @Override
  public boolean makeReady() {
    return ready;
  }

  @Override
  public boolean isSettled() {
    return settled;
  }

  @Override
  public boolean accept(ILoggingEvent event, byte @Nullable [] encoded) {
    before.accept(event);
    messages.add(event.getFormattedMessage());
    ledger.deliver(1);
    return true;
  }

  @Override
  public DropReason failureReason() {
    return DropReason.ENCODE_FAILED;
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void endOfBatch() {
    batches++;
    onEndOfBatch.run();
  }

  @Override
  public boolean flush(long timeoutNs) {
    return onFlush.test(timeoutNs);
  }

  @Override
  public long heldInHeap() {
    return heldInHeap.getAsLong();
  }

  @Override
  public void close() {
    closed = true;
  }
}
