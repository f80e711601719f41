package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Estimates how many bytes of heap an event keeps alive: its message at two bytes a character, its
 * stack traces at {@value #FRAME_BYTES} bytes a frame, and text and arrays among its arguments and
 * key-value pairs. {@link #ofMdc} adds the values of the MDC.
 *
 * <p>Other objects are not weighed: their size cannot be known without calling them.
 */
final class EventWeight {

  static final int FRAME_BYTES = 128;

  /** Causes and suppressed exceptions examined: enough for real ones, and an end to cycles. */
  private static final int MAX_THROWABLES = 32;

  /** Elements of an array examined; the others are assumed to weigh as much on average. */
  private static final int MAX_ELEMENTS = 64;

  private static final int REFERENCE_BYTES = 4;

  /** An MDC below this size is small. */
  static final int SMALL_MDC_BYTES = 512;

  private EventWeight() {}

  static long of(ILoggingEvent event) {
    long bytes = 0;
    try {
      bytes += textBytes(event.getFormattedMessage());
      Object[] arguments = event.getArgumentArray();
      for (int i = 0; arguments != null && i < arguments.length; i++) {
        bytes += valueBytes(arguments[i]);
      }
      bytes += throwableBytes(event.getThrowableProxy(), MAX_THROWABLES);
      List<KeyValuePair> pairs = event.getKeyValuePairs();
      for (int i = 0; pairs != null && i < pairs.size(); i++) {
        bytes += valueBytes(pairs.get(i).value);
      }
    } catch (RuntimeException | LinkageError e) {
      // A part that throws weighs nothing. Not with EventPart, which would box the weight.
    }
    return bytes;
  }

  /**
   * The weight of the MDC values. The events of a thread share one map until the MDC changes; of a
   * large map only the first event carries the weight.
   *
   * @param caller the {@link AppendGate#newCaller state} of the thread that logs
   */
  static long ofMdc(ILoggingEvent event, int[] caller) {
    try {
      Map<String, String> mdc = event.getMDCPropertyMap();
      if (mdc == null || mdc.isEmpty()) {
        return 0;
      }
      // A small map is not asked for its identity: the first time that is a call into the JVM.
      int large = caller[AppendGate.LARGE_MDC];
      if (large != 0 && large == System.identityHashCode(mdc)) {
        return 0;
      }
      long bytes = 0;
      for (String value : mdc.values()) {
        bytes += textBytes(value);
      }
      caller[AppendGate.LARGE_MDC] = bytes < SMALL_MDC_BYTES ? 0 : System.identityHashCode(mdc);
      return bytes;
    } catch (RuntimeException | LinkageError e) { // as above
      return 0;
    }
  }

  /** The event that carried the weight was refused: weighs the map again with the next one. */
  static void forgetMdc(int[] caller) {
    caller[AppendGate.LARGE_MDC] = 0;
  }

  private static long valueBytes(@Nullable Object value) {
    if (value instanceof String text) {
      return textBytes(text);
    }
    return value != null && value.getClass().isArray() ? arrayBytes(value) : 0;
  }

  private static long arrayBytes(Object array) {
    int length = Array.getLength(array);
    if (!(array instanceof @Nullable Object[] elements)) {
      return length * elementBytes(array.getClass().getComponentType());
    }
    long inside = 0;
    int looks = Math.min(length, MAX_ELEMENTS);
    for (int i = 0; i < looks; i++) { // at most two levels: an array may contain itself
      Object element = elements[i];
      boolean isFlat = !(element instanceof Object[]);
      inside += isFlat ? valueBytes(element) : 0;
    }
    return (long) REFERENCE_BYTES * length + (looks == 0 ? 0 : inside * length / looks);
  }

  private static long elementBytes(Class<?> primitive) {
    if (primitive == long.class || primitive == double.class) {
      return Long.BYTES;
    }
    if (primitive == int.class || primitive == float.class) {
      return Integer.BYTES;
    }
    return primitive == char.class || primitive == short.class ? Short.BYTES : Byte.BYTES;
  }

  private static long throwableBytes(@Nullable IThrowableProxy first, int limit) {
    long bytes = 0;
    IThrowableProxy thrown = first;
    for (int i = 0; thrown != null && i < limit; i++) {
      bytes += textBytes(thrown.getMessage());
      bytes += (long) FRAME_BYTES * thrown.getStackTraceElementProxyArray().length;
      IThrowableProxy[] suppressed = thrown.getSuppressed();
      for (int s = 0; suppressed != null && s < suppressed.length && s < limit; s++) {
        bytes += throwableBytes(suppressed[s], limit / 4);
      }
      thrown = thrown.getCause();
    }
    return bytes;
  }

  private static long textBytes(@Nullable String text) {
    return text == null ? 0 : 2L * text.length();
  }
}
