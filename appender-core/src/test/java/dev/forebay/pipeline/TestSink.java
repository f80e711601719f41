package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EchoEncoder;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.TimeLimit;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes events as text, and then writes them; to each it does what a test wants before that. Log
 * calls may use it in the flusher's turn, if the test says so.
 */
final class TestSink implements EventSink {

  final List<String> messages = new CopyOnWriteArrayList<>();
  final List<String> encoded = new CopyOnWriteArrayList<>();
  final List<String> encodedByCalls = new CopyOnWriteArrayList<>();
  final List<String> staged = new CopyOnWriteArrayList<>();
  final List<String> written = new CopyOnWriteArrayList<>();

  /** What the encoder does first. */
  volatile Consumer<ILoggingEvent> before = event -> {};

  volatile Runnable onTurn = () -> {};

  /** Before a call writes, after the flusher has. */
  volatile Runnable onWrite = () -> {};

  volatile Predicate<TimeLimit> onFlush = limit -> true;
  volatile LongSupplier heldInHeap = () -> 0;
  volatile boolean callersEncode;
  volatile boolean callersEncodeAll;
  volatile boolean callersMayWait;
  volatile @Nullable CallDurability durability;
  volatile boolean ready = true;
  volatile boolean readyForCalls = true;
  volatile boolean settled = true;
  volatile boolean survivesKill = true;
  volatile boolean writes = true;
  volatile boolean opening;

  /** Flusher's thread only. */
  int turnsWithEvents;

  /** How often a call looked whether it may write; one at a time, where a test counts. */
  int looksOfCalls;

  private final Ledger ledger;

  private final Encoder<ILoggingEvent> encoder =
      new EchoEncoder<>() {
        @Override
        public byte[] encode(ILoggingEvent event) {
          before.accept(event);
          String text = event.getFormattedMessage();
          encoded.add(text);
          return text.getBytes(StandardCharsets.UTF_8);
        }
      };

  TestSink(Ledger ledger) {
    this.ledger = ledger;
  }

  void fails(Throwable thrown) {
    before =
        event -> {
          if (thrown instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) thrown;
        };
  }

  void works() {
    before = event -> {};
  }

  List<String> reports() {
    return messages.stream().filter(text -> text.startsWith("Forebay: ")).toList();
  }

  List<String> events() {
    return messages.stream().filter(text -> !text.startsWith("Forebay: ")).toList();
  }

  @Override
  public String name() {
    return "the sink";
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    turnsWithEvents += eventsWait ? 1 : 0;
    onTurn.run();
  }

  @Override
  public boolean makeReady() {
    return ready;
  }

  @Override
  public @Nullable Encoder<ILoggingEvent> callerEncoder() {
    return callersEncode ? encoder : null;
  }

  @Override
  public boolean isEncodedByCalls() {
    return callersEncodeAll;
  }

  @Override
  public boolean callsMayWait() {
    return callersEncode || callersMayWait;
  }

  @Override
  public @Nullable CallDurability durability() {
    return durability;
  }

  @Override
  public boolean accept(ILoggingEvent event, byte @Nullable [] encodedByCall) {
    if (encodedByCall != null) {
      encodedByCalls.add(event.getFormattedMessage());
    }
    byte[] bytes = encodedByCall == null ? encoder.encode(event) : encodedByCall;
    String text = new String(bytes, StandardCharsets.UTF_8);
    messages.add(text);
    staged.add(text);
    ledger.deliver(1);
    return true;
  }

  @Override
  public boolean isReadyForCall(int bytes) {
    looksOfCalls++;
    return readyForCalls;
  }

  @Override
  public boolean writeForCall() {
    onWrite.run();
    write();
    return writes;
  }

  private void write() {
    if (writes) {
      written.addAll(staged);
      staged.clear();
    }
  }

  @Override
  public void endOfBatch() {
    write();
    onWrite.run();
  }

  @Override
  public boolean isSettled() {
    return settled && staged.isEmpty();
  }

  @Override
  public boolean survivesKill() {
    return survivesKill;
  }

  @Override
  public boolean isOpening() {
    return opening;
  }

  @Override
  public DropReason failureReason() {
    return DropReason.ENCODE_FAILED;
  }

  @Override
  public boolean flush(TimeLimit limit) {
    return onFlush.test(limit);
  }

  @Override
  public long heldInHeap() {
    return heldInHeap.getAsLong();
  }
}
