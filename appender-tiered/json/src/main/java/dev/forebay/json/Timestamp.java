package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.forebay.tiered.encode.TextBuffer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * ISO 8601 timestamps; all but the fraction is formatted once a second. For one thread at a time.
 */
final class Timestamp {

  private static final int MILLIS_DIGITS = 3;
  private static final int NANOS_DIGITS = 9;
  private static final int NANOS_OF_MILLI = 1_000_000;

  /** An {@link Instant} beyond them may be in a year that no calendar has. */
  private static final long MOST_SECONDS = 31_556_889_000_000_000L;

  private long second = Long.MIN_VALUE;
  private ZoneId zone = ZoneOffset.UTC;
  private byte[] untilSecond = {};
  private byte[] offset = {};

  /** Of three digits after the second, or as many as there are without zeros at the end. */
  void write(Instant instant, ZoneId zone, boolean isMillis, TextBuffer into) {
    if (instant.getEpochSecond() != second || !zone.equals(this.zone)) {
      format(instant.getEpochSecond(), zone);
    }
    into.literal(untilSecond);
    int fraction = instant.getNano();
    if (isMillis) {
      into.ascii('.');
      into.decimal(fraction / NANOS_OF_MILLI, MILLIS_DIGITS);
    } else if (fraction > 0) {
      int digits = NANOS_DIGITS;
      for (; fraction % 10 == 0; fraction /= 10) {
        digits--;
      }
      into.ascii('.');
      into.decimal(fraction, digits);
    }
    into.literal(offset);
  }

  private void format(long epochSecond, ZoneId zone) {
    Instant full =
        Instant.ofEpochSecond(Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, epochSecond)));
    String suffix = zone.getRules().getOffset(full).getId();
    String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(full.atZone(zone));
    untilSecond = text.substring(0, text.length() - suffix.length()).getBytes(US_ASCII);
    offset = suffix.getBytes(US_ASCII);
    second = epochSecond;
    this.zone = zone;
  }
}
