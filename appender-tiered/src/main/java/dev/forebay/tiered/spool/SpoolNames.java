package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogNote;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** The names of everything below the base directory. */
public final class SpoolNames {
  static final String SHIP_LOCK = "ship.lock";

  /** Held by the first process that waits for the other lock, to ship for others. */
  public static final String NEXT_LOCK = "next.lock";

  /** Held by the process that uses a slot from which another one ships. */
  public static final String SLOT_LOCK = "slot.lock";

  static final String LOCK = "lock";
  public static final String SPOOL = "spool-";
  public static final String FLIGHT = "flight-";
  public static final String LINES = "lines-";
  static final String DONE = "done-";
  static final String BAD = "bad-";

  /** What a shipper in another process needs to know of the log. */
  public static final String DESCRIPTION = "description";

  private static final String REFUSED = BAD + "refused-";

  /** Prefix of a copy that is not complete. */
  public static final String NEW = "new-";

  private static final String SEGMENT = ".seg";
  private static final String SPARE = "spare-";
  private static final int COUNTER_DIGITS = 16;

  private static final int INSTANCE_DIGITS = 32;
  private static final List<String> WORDS = List.of(SPOOL, FLIGHT, LINES, DONE);

  private SpoolNames() {}

  /** The lock of the only shipper of the log whose spools are in a directory. */
  public static Path shipLock(Path directory) {
    return directory.resolve(SHIP_LOCK);
  }

  /** The lock that the owner of a spool holds while it lives. */
  public static Path lock(Path spool) {
    return spool.resolve(LOCK);
  }

  /** Whether this is the name of a spool, not of a loop or a JVM's directory. */
  public static boolean isSpool(Path entry) {
    return of(entry).startsWith(SPOOL);
  }

  /** Whether this is the name of a JVM's directory. */
  public static boolean isLines(Path entry) {
    return of(entry).startsWith(LINES);
  }

  /** The identity in the name of a spool, a loop or a JVM's directory. */
  public static InstanceId instance(Path spool) {
    return InstanceId.parse(suffix(of(spool)).substring(COUNTER_DIGITS + 1));
  }

  /** A name for something damaged that is put aside, and deleted after 7 days. */
  public static Path aside(Path file) {
    return file.resolveSibling(BAD + of(file) + "-" + UUID.randomUUID());
  }

  /** The file for records of a spool that their destination refuses; deleted after 7 days. */
  public static Path refused(Path directory, InstanceId instance) {
    return directory.resolve(REFUSED + instance);
  }

  public static boolean isRefused(Path file) {
    return of(file).startsWith(REFUSED);
  }

  /** The end of a spool's name, which it keeps when it is done. */
  static String spoolSuffix(long counter, InstanceId instance) {
    return HexFormat.of().toHexDigits(counter) + "-" + instance;
  }

  static boolean isSpoolLike(String name) {
    String suffix = suffix(name);
    return WORDS.contains(name.substring(0, name.length() - suffix.length()))
        && suffix.length() == COUNTER_DIGITS + 1 + INSTANCE_DIGITS
        && suffix.charAt(COUNTER_DIGITS) == '-'
        && InstanceId.isHex(suffix, 0, COUNTER_DIGITS)
        && InstanceId.isHex(suffix, COUNTER_DIGITS + 1, suffix.length());
  }

  /** Counter in the name of a spool, a loop or a JVM's directory; unsigned. */
  public static long counter(Path spool) {
    return Long.parseUnsignedLong(suffix(of(spool)).substring(0, COUNTER_DIGITS), 16);
  }

  /** The part of a {@link #isSpoolLike spool-like} name after its first word. */
  public static String suffix(String name) {
    return name.substring(name.indexOf('-') + 1);
  }

  static String segment(long firstSequence) {
    return HexFormat.of().toHexDigits(firstSequence) + SEGMENT;
  }

  static String spare(long sequence) {
    return SPARE + HexFormat.of().toHexDigits(sequence);
  }

  /** First sequence in the name of a segment, -1 in any other name. */
  public static long firstSequence(String name) {
    boolean isSegment =
        name.length() == COUNTER_DIGITS + SEGMENT.length()
            && name.startsWith("00")
            && name.endsWith(SEGMENT)
            && InstanceId.isHex(name, 0, COUNTER_DIGITS);
    return isSegment ? Long.parseLong(name.substring(0, COUNTER_DIGITS), 16) : -1;
  }

  /** Whether this is the name of a segment. */
  public static boolean isSegment(String name) {
    return firstSequence(name) >= 0;
  }

  /** Whether a file of this name occupies space for records. */
  static boolean isSegmentOrSpare(String name) {
    return firstSequence(name) >= 0 || name.startsWith(SPARE);
  }

  /** Whether a file of this name, which is neither segment nor spare, belongs in a spool. */
  static boolean belongsInSpool(String name) {
    return name.equals(LOCK)
        || name.equals(LogNote.NAME)
        || name.equals(SpoolHead.NAME)
        || name.equals(DESCRIPTION)
        || name.equals(Spool.CONTROL_SOCKET)
        || name.equals(Spool.CONTROL_SOCKET_BEING_BOUND);
  }

  public static String of(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
