package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which encoders of JSON write the time of an event. All but the fraction of a second
 * is formatted once a second. For one thread at a time.
 */
public final class EventTime {

  /** How many digits the fraction of a second has. */
  public enum Form {
    /** As {@link DateTimeFormatter#ISO_OFFSET_DATE_TIME}: without zeros at the end. */
    FEWEST,

    /** As {@link Instant#toString}: a multiple of three. */
    THREES,

    /** Three, whatever comes after them. */
    THREE,

    EPOCH_SECONDS,
    EPOCH_MILLIS
  }

  private static final int NANOS_DIGITS = 9;
  private static final int MILLIS_DIGITS = 3;
  private static final int NANOS_OF_MILLI = 1_000_000;
  private static final int MILLIS_OF_SECOND = 1000;

  /** A day before the year 10000 in UTC. */
  private static final long END_SECONDS = 253_402_214_400L;

  /** An {@link Instant} beyond them may be in a year that no calendar has. */
  private static final long MOST_SECONDS = 31_556_889_000_000_000L;

  private long second = Long.MIN_VALUE;
  private ZoneId zone = ZoneOffset.UTC;
  private byte[] untilSecond = {};
  private byte[] offset = {};

  private @Nullable TimeZone systemZone;
  private ZoneId systemId = ZoneOffset.UTC;
  private long askedMs = Long.MIN_VALUE;

  /** The system's zone, which a program may set, at the time of an event. */
  ZoneId systemZone(ILoggingEvent event) {
    long ms = event.getTimeStamp();
    if (ms != askedMs) {
      TimeZone now = TimeZone.getDefault();
      if (!now.equals(systemZone)) {
        systemZone = now;
        systemId = now.toZoneId();
      }
      askedMs = ms;
    }
    return systemId;
  }

  /**
   * Appends the time of an event that has an {@link Instant}.
   *
   * @return false before 1970 and after 9999, where encoders differ, as they do if the event has
   *     another time in milliseconds
   */
  boolean put(ILoggingEvent event, Form form, ZoneId of, TextBuffer into) {
    Instant instant = event.getInstant();
    long seconds = instant.getEpochSecond();
    if (seconds < 0 || seconds >= END_SECONDS || instant.toEpochMilli() != event.getTimeStamp()) {
      return false;
    }
    if (form == Form.EPOCH_MILLIS) {
      into.decimal(event.getTimeStamp());
    } else if (form == Form.EPOCH_SECONDS) {
      putSeconds(event.getTimeStamp(), into);
    } else {
      put(instant, form, of, into);
    }
    return true;
  }

  /** Appends seconds since 1970, with three digits after a point. */
  public static void putSeconds(long millis, TextBuffer into) {
    if (millis < 0) {
      into.ascii('-');
    }
    into.decimal(Math.abs(millis / MILLIS_OF_SECOND));
    into.ascii('.');
    into.decimal(Math.abs(millis % MILLIS_OF_SECOND), MILLIS_DIGITS);
  }

  /** Appends any time, in one of the forms of ISO 8601. */
  public void put(Instant instant, Form form, ZoneId of, TextBuffer into) {
    if (instant.getEpochSecond() != second || !of.equals(zone)) {
      renew(instant.getEpochSecond(), of);
    }
    into.literal(untilSecond);
    putFraction(instant.getNano(), form, into);
    into.literal(offset);
  }

  private static void putFraction(int nanos, Form form, TextBuffer into) {
    if (form == Form.THREE) {
      into.ascii('.');
      into.decimal(nanos / NANOS_OF_MILLI, MILLIS_DIGITS);
      return;
    }
    int step = form == Form.THREES ? MILLIS_OF_SECOND : 10;
    int digits = NANOS_DIGITS;
    int rest = nanos;
    while (rest > 0 && rest % step == 0) {
      rest /= step;
      digits -= form == Form.THREES ? MILLIS_DIGITS : 1;
    }
    if (rest > 0) {
      into.ascii('.');
      into.decimal(rest, digits);
    }
  }

  private void renew(long seconds, ZoneId of) {
    Instant full = Instant.ofEpochSecond(Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, seconds)));
    String suffix = of.getRules().getOffset(full).getId();
    String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(full.atZone(of));
    untilSecond = text.substring(0, text.length() - suffix.length()).getBytes(US_ASCII);
    offset = suffix.getBytes(US_ASCII);
    zone = of;
    second = seconds; // last: there may be no memory for the rest
  }
}
