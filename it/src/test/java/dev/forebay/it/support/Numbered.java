package dev.forebay.it.support;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A message that proves itself: who logged it, its number, and a checksum over both and a payload
 * whose length and content follow from them.
 *
 * @param producer name of the thread that logs, without spaces
 * @param number its messages are numbered from 0
 */
public record Numbered(String producer, long number) {

  private static final int MIN_BYTES = 20;
  private static final int MAX_BYTES = 300;
  private static final Pattern TEXT = Pattern.compile("(\\S+) (\\d+) ([0-9a-f]{8}) ([a-z]+)");

  /** The message as it must stand in the log, byte for byte. */
  public String text() {
    Random random = new Random(31L * producer.hashCode() + number);
    StringBuilder payload = new StringBuilder();
    int length = MIN_BYTES + random.nextInt(MAX_BYTES - MIN_BYTES);
    for (int i = 0; i < length; i++) {
      payload.append((char) ('a' + random.nextInt(26)));
    }
    return "%s %d %08x %s".formatted(producer, number, checksum(payload.toString()), payload);
  }

  /** What a line says, or null where the line is not exactly what its producer logged. */
  public static Numbered parse(String line) {
    Matcher matcher = TEXT.matcher(line);
    if (!matcher.matches()) {
      return null;
    }
    Numbered read = new Numbered(matcher.group(1), Long.parseLong(matcher.group(2)));
    return read.text().equals(line) ? read : null;
  }

  private long checksum(String payload) {
    CRC32 crc = new CRC32();
    crc.update((producer + " " + number + " " + payload).getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }
}
