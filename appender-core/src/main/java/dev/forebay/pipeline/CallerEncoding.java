package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets log calls encode their own events while the ring fills faster than the flusher empties it,
 * so that all processors share the work that one thread cannot do. Any thread.
 *
 * <p>Not while the flusher stands still: then the bytes would not help, and whatever holds it up, a
 * hanging encoder for example, must not hold up log calls too.
 */
final class CallerEncoding {

  /** In place of the bytes of an event whose log call could not encode it. */
  static final byte[] FAILED = {};

  private static final byte[] NOTHING = {};

  private final @Nullable Encoder<ILoggingEvent> encoder;
  private final BiConsumer<String, @Nullable Throwable> warnings;

  /** Written by any log call. */
  private volatile @Nullable Throwable lastFailure;

  /** Flusher only, like the next. */
  private boolean unsafe;

  private boolean warned;

  /**
   * @param encoder null if only the flusher may encode
   * @param warnings receives one warning if the encoder cannot bear several threads
   */
  CallerEncoding(
      @Nullable Encoder<ILoggingEvent> encoder, BiConsumer<String, @Nullable Throwable> warnings) {
    this.encoder = encoder;
    this.warnings = warnings;
  }

  /** Whether encoding would help now: an encoder allows it, and the flusher empties the ring. */
  boolean helps(Flusher flusher, CallTurns turns) {
    return encoder != null && !flusher.isStalled() && turns.isMoving();
  }

  /**
   * The bytes of an event, of this thread or of any other, or {@link #FAILED}. Only while there is
   * an encoder.
   */
  byte[] encode(ILoggingEvent event) {
    try {
      byte[] bytes = Objects.requireNonNull(encoder).encode(EventWithoutCaller.of(event));
      return bytes == null ? NOTHING : bytes;
    } catch (Throwable t) { // foreign code, at the end of a stack that may be almost full
      lastFailure = t;
      return FAILED;
    }
  }

  /** Notes that the flusher has encoded an event whose log call could not. Flusher only. */
  void failedInCallOnly() {
    unsafe = true;
  }

  /** Warns once of an encoder that fails in log calls only. Flusher only. */
  void look() {
    // An Error says something of the stack or the heap of that call, nothing of the encoder.
    if (unsafe && !warned && lastFailure instanceof Exception) {
      warned = true;
      warnings.accept(
          "The encoder "
              + Objects.requireNonNull(encoder).getClass().getName()
              + " failed in a log call and then encoded the same event on the flusher's thread: it"
              + " may not bear several threads at once. No event was lost;"
              + " <callerEncoding>false</callerEncoding> calls it on one thread only",
          lastFailure);
    }
  }
}
