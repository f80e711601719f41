package dev.forebay.tiered.encode;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.pattern.Converter;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how the newest time is written. Of a second with two times in it, six are converted: if
 * they differ in nothing but three digits of the millisecond, which no other pattern of Java's and
 * no cut of it does, only these are written anew until it is over. No zone changes its offset
 * within a second. For one thread at a time.
 */
final class DateText {

  private static final int SECOND_MS = 1000;

  private static final int[] SAMPLES_MS = {123, 456, 0, 7, 45, 999};

  private static final int DIGITS = 3;

  /** No place of digits: the times of a second differ in more. */
  private static final int UNFIT = -2;

  private final Converter<ILoggingEvent> converter;

  /** How {@link #knownMs} is written; null at first. */
  private byte @Nullable [] known;

  private long knownMs;

  /** The beginning of the second that it is in. */
  private long secondMs;

  /** Whether it was tried to find out how its other times are written. */
  private boolean isTried;

  /** Whether that is known. */
  private boolean isOfSecond;

  /** Where the digits stand in the bytes; -1 if there are none. */
  private int digitsAt;

  DateText(Converter<ILoggingEvent> converter) {
    this.converter = converter;
  }

  /** Appends the time of an event, as the converter does. */
  void put(TextBuffer text, ILoggingEvent event, StringBuilder scratch) {
    long ms = event.getTimeStamp();
    byte[] bytes = known;
    if (bytes == null || (ms != knownMs && !(isOfSecond && isInSecond(ms)))) {
      renew(text, ms, event, scratch);
      return;
    }
    if (ms != knownMs) {
      if (digitsAt >= 0) {
        putDigits(bytes, (int) (ms - secondMs));
      }
      knownMs = ms; // last: there may be no stack for the digits
    }
    text.literal(bytes);
  }

  private boolean isInSecond(long ms) {
    long past = ms - secondMs;
    return past >= 0 && past < SECOND_MS && ms >= secondMs; // also if the difference overflows
  }

  private void putDigits(byte[] bytes, int ms) {
    bytes[digitsAt] = (byte) ('0' + ms / 100);
    bytes[digitsAt + 1] = (byte) ('0' + ms / 10 % 10);
    bytes[digitsAt + 2] = (byte) ('0' + ms % 10);
  }

  private void renew(TextBuffer text, long ms, ILoggingEvent event, StringBuilder scratch) {
    boolean isSameSecond = known != null && isInSecond(ms);
    known = null; // until all is there
    if (!isSameSecond) {
      secondMs = Math.floorDiv(ms, SECOND_MS) * SECOND_MS;
    }
    int digits = isSameSecond && !isTried ? digits(scratch) : UNFIT;
    isTried = isSameSecond;
    isOfSecond = digits != UNFIT;
    scratch.setLength(0);
    converter.write(scratch, event);
    String value = scratch.toString();
    int from = text.length();
    int before = Math.max(0, digits);
    text.text(value, 0, before);
    digitsAt = digits < 0 ? -1 : text.length() - from;
    text.text(value, before, value.length());
    knownMs = ms;
    known = TextBuffer.isWhole(value) ? text.toBytes(from) : null;
  }

  /** Where the digits stand in the text; -1 if no time of the second has any. */
  private int digits(StringBuilder scratch) {
    try {
      String first = sample(SAMPLES_MS[0], scratch);
      int at = firstDifference(first, sample(SAMPLES_MS[1], scratch));
      for (int ms : SAMPLES_MS) {
        if (!sample(ms, scratch).equals(at < 0 ? first : withDigits(first, at, ms))) {
          return UNFIT;
        }
      }
      return at;
    } catch (RuntimeException e) { // it ends within the digits, or such a time cannot be written
      return UNFIT;
    }
  }

  private String sample(int ms, StringBuilder scratch) {
    LoggingEvent sample = new LoggingEvent();
    sample.setTimeStamp(secondMs + ms);
    scratch.setLength(0);
    converter.write(scratch, sample);
    return scratch.toString();
  }

  private static int firstDifference(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      if (one.charAt(i) != other.charAt(i)) {
        return i;
      }
    }
    return one.length() == other.length() ? -1 : length;
  }

  private static String withDigits(String text, int at, int ms) {
    return text.substring(0, at)
        + String.valueOf(SECOND_MS + ms).substring(1)
        + text.substring(at + DIGITS);
  }
}
