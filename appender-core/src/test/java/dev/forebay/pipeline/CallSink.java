package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A sink that log calls may use in the flusher's turn: takes events as text, and writes them. */
final class CallSink implements EventSink {

  final List<String> encoded = new CopyOnWriteArrayList<>();
  final List<String> staged = new CopyOnWriteArrayList<>();
  final List<String> written = new CopyOnWriteArrayList<>();

  volatile boolean callersEncode = true;
  volatile @Nullable CallDurability durability;
  volatile boolean ready = true;
  volatile boolean readyForCalls = true;
  volatile boolean survivesKill = true;
  volatile @Nullable RuntimeException failure;
  volatile @Nullable Error error;
  volatile @Nullable Error writeError;
  volatile boolean writes = true;
  volatile boolean asksForCaller;

  /** Flusher's thread only. */
  int turnsWithEvents;

  /** What the encoder does first. */
  volatile Runnable onEncode = () -> {};

  private final Ledger ledger;

  private final Encoder<ILoggingEvent> encoder =
      new EncoderBase<>() {
        @Override
        public byte[] headerBytes() {
          return new byte[0];
        }

        @Override
        public byte[] encode(ILoggingEvent event) {
          return text(event).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] footerBytes() {
          return new byte[0];
        }
      };

  CallSink(Ledger ledger) {
    this.ledger = ledger;
  }

  private String text(ILoggingEvent event) {
    onEncode.run();
    RuntimeException exception = failure;
    if (exception != null) {
      throw exception;
    }
    Error thrown = error;
    if (thrown != null) {
      throw thrown;
    }
    String text = event.getFormattedMessage();
    if (asksForCaller && event.getCallerData().length > 0) {
      text += " of somebody";
    }
    encoded.add(text);
    return text;
  }

  @Override
  public String name() {
    return "the sink";
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    turnsWithEvents += eventsWait ? 1 : 0;
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
  public @Nullable CallDurability durability() {
    return durability;
  }

  @Override
  public boolean accept(ILoggingEvent event, byte @Nullable [] encodedByCall) {
    byte[] bytes = encodedByCall == null ? encoder.encode(event) : encodedByCall;
    staged.add(new String(bytes, StandardCharsets.UTF_8));
    ledger.deliver(1);
    return true;
  }

  @Override
  public boolean isReadyForCall() {
    return readyForCalls;
  }

  @Override
  public boolean writeForCall() {
    Error thrown = writeError;
    if (thrown != null) {
      throw thrown;
    }
    if (writes) {
      written.addAll(staged);
      staged.clear();
    }
    return writes;
  }

  @Override
  public boolean isSettled() {
    return staged.isEmpty();
  }

  @Override
  public boolean survivesKill() {
    return survivesKill;
  }

  @Override
  public DropReason failureReason() {
    return DropReason.ENCODE_FAILED;
  }

  @Override
  public void endOfBatch() {
    writeForCall();
  }
}
