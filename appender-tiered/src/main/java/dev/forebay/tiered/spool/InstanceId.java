package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.SystemFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Random identity of one spool. It is part of the spool's directory name and seeds every checksum
 * in it, so that bytes of another spool are never taken for records of this one.
 *
 * @param high the first eight bytes, big-endian
 * @param low the last eight bytes, big-endian
 */
public record InstanceId(long high, long low) {
  /** Length of the binary form in bytes. */
  static final int BYTES = 16;

  /** The kernel's random number; the JDK's needs seventy classes. */
  private static final Path RANDOM = Path.of("/proc/sys/kernel/random/uuid");

  static InstanceId random() {
    UUID random;
    try {
      random = UUID.fromString(SystemFile.read(RANDOM).trim());
    } catch (IOException | IllegalArgumentException e) {
      random = UUID.randomUUID();
    }
    return new InstanceId(random.getMostSignificantBits(), random.getLeastSignificantBits());
  }

  /** The id whose binary form is {@code bytes}, {@link #BYTES} long. */
  static InstanceId of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "instance id of " + bytes.length + " bytes, required: " + BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new InstanceId(buffer.getLong(), buffer.getLong());
  }

  /** The id whose text form is {@code hex}, 32 hexadecimal digits. */
  public static InstanceId parse(String hex) {
    return of(HexFormat.of().parseHex(hex));
  }

  /** The binary form, {@link #BYTES} long. */
  byte[] bytes() {
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
