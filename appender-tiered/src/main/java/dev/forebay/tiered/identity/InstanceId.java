package dev.forebay.tiered.identity;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Random identity of one spool. It is part of the spool's directory name and seeds every checksum
 * in it, so that bytes of another spool are never taken for records of this one.
 */
public record InstanceId(long high, long low) {
  public static final int BYTES = 16;

  private static final String ENTROPY = "/dev/urandom";

  /** Read from the kernel: starting {@code SecureRandom} takes longer than creating a spool. */
  public static InstanceId random() {
    try (InputStream source = new FileInputStream(ENTROPY)) {
      byte[] bytes = source.readNBytes(BYTES);
      if (bytes.length == BYTES) {
        return of(bytes);
      }
    } catch (IOException e) {
      // A system without that file.
    }
    SecureRandom random = new SecureRandom();
    return new InstanceId(random.nextLong(), random.nextLong());
  }

  /** The id whose binary form is {@code bytes}, {@link #BYTES} long. */
  public static InstanceId of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new InstanceId(buffer.getLong(), buffer.getLong());
  }

  /** The id whose text form is {@code hex}, 32 hexadecimal digits. */
  public static InstanceId parse(String hex) {
    return of(HexFormat.of().parseHex(hex));
  }

  /** Whether there are only lower-case hexadecimal digits in this part of a text. */
  public static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  // Explicit because a record's generated equals, once called, keeps its class loader from being
  // collected: JDK 17 stores the class in a static field.

  @Override
  public boolean equals(Object other) {
    return other instanceof InstanceId that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low);
  }

  /** The text form, 32 lower-case hexadecimal digits. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }
}
