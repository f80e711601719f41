package dev.forebay.tiered.encode;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * An encoder that writes events one after another into the same line, without an array each. Any
 * thread, with a line of its own; log calls share a few lines, and get a copy.
 */
public abstract class LineEncoder extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = {};

  /** Lines kept for log calls. */
  private static final int SPARES = 32;

  /** Places at which a log call looks for a line. */
  private static final int PROBES = 4;

  private final AtomicReferenceArray<@Nullable TextBuffer> spares =
      new AtomicReferenceArray<>(SPARES);

  /** The encoder, or what writes its bytes in its place; null if it writes arrays only. */
  public static @Nullable LineEncoder of(Encoder<?> encoder) {
    if (encoder instanceof LineEncoder own) {
      return own;
    }
    return encoder instanceof LayoutWrappingEncoder
        ? CompiledPattern.of(encoder)
        : TemplateEncoder.of(encoder);
  }

  /** Why an encoder that can be compiled is not; "" if it is; null for others. */
  public static @Nullable String obstacle(Encoder<?> encoder) {
    if (encoder instanceof LayoutWrappingEncoder) {
      return CompiledPattern.obstacle(encoder);
    }
    return encoder instanceof LineEncoder ? null : TemplateEncoder.obstacle(encoder);
  }

  /** Whether lines are written here, and not by the encoder that this one stands for. */
  public boolean isCurrent() {
    return true;
  }

  /** A line of a thread that uses it again and again. */
  public abstract TextBuffer newLine();

  /** Appends an event to an empty line that {@link #newLine} made. */
  protected abstract void write(ILoggingEvent event, TextBuffer line);

  /** Replaces the line by that of an event. If this throws, it is empty. */
  public final void encode(ILoggingEvent event, TextBuffer line) {
    line.clear();
    try {
      write(event, line);
    } catch (Throwable t) { // of foreign code
      line.clear();
      throw t;
    }
  }

  /** The bytes of an event, for who has no line. */
  @Override
  public final byte[] encode(ILoggingEvent event) {
    TextBuffer line = take();
    try {
      encode(event, line);
      return line.toBytes();
    } finally {
      giveBack(line);
    }
  }

  private TextBuffer take() {
    int place = (int) Thread.currentThread().getId();
    for (int i = 0; i < PROBES; i++) {
      TextBuffer spare = spares.getAndSet(place + i & SPARES - 1, null);
      if (spare != null) {
        return spare;
      }
    }
    return newLine();
  }

  private void giveBack(TextBuffer line) {
    line.clear();
    int place = (int) Thread.currentThread().getId();
    for (int i = 0; i < PROBES; i++) {
      if (spares.compareAndSet(place + i & SPARES - 1, null, line)) {
        return;
      }
    }
  }

  @Override
  public final byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public final byte[] footerBytes() {
    return NOTHING;
  }
}
