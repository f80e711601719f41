package dev.forebay.tiered.spool;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** The names of everything below the base directory. */
final class SpoolNames {
  static final String SHIP_LOCK = "ship.lock";
  static final String LOCK = "lock";
  private static final String CLAIM = ".claim";
  static final String SPOOL = "spool-";
  static final String FLIGHT = "flight-";
  static final String LINES = "lines-";

  /** What earlier versions made of the JVM's log. */
  static final String FORMER_LINES = "jvm-";

  static final String UNFINISHED = "tmp-";
  static final String DONE = "done-";
  static final String BAD = "bad-";

  private static final String SEGMENT = ".seg";
  private static final String SPARE = "spare-";
  private static final int COUNTER_DIGITS = 16;

  private static final int INSTANCE_DIGITS = 32;
  private static final List<String> WORDS =
      List.of(SPOOL, FLIGHT, LINES, FORMER_LINES, UNFINISHED, DONE);

  private SpoolNames() {}

  /** The end of a spool's name, which stays the same from tmp- to done-. */
  static String spoolSuffix(long counter, InstanceId instance) {
    return HexFormat.of().toHexDigits(counter) + "-" + instance;
  }

  static boolean isSpoolLike(String name) {
    String suffix = suffix(name);
    return WORDS.contains(name.substring(0, name.length() - suffix.length()))
        && suffix.length() == COUNTER_DIGITS + 1 + INSTANCE_DIGITS
        && suffix.charAt(COUNTER_DIGITS) == '-'
        && isHex(suffix, 0, COUNTER_DIGITS)
        && isHex(suffix, COUNTER_DIGITS + 1, suffix.length());
  }

  /** Whether there are only lower-case hexadecimal digits in this part of a text. */
  static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** Counter in a {@link #isSpoolLike spool-like} name. */
  static long counter(String name) {
    return Long.parseUnsignedLong(suffix(name).substring(0, COUNTER_DIGITS), 16);
  }

  static InstanceId instance(String name) {
    return InstanceId.parse(suffix(name).substring(COUNTER_DIGITS + 1));
  }

  /** The part of a {@link #isSpoolLike spool-like} name after its first word. */
  static String suffix(String name) {
    return name.substring(name.indexOf('-') + 1);
  }

  /** The file that must be locked before a lock file. */
  static String claim(String lock) {
    return lock + CLAIM;
  }

  static boolean isLock(String name, String lock) {
    return name.equals(lock) || name.equals(claim(lock));
  }

  static String segment(long firstSequence) {
    return HexFormat.of().toHexDigits(firstSequence) + SEGMENT;
  }

  static String spare(long sequence) {
    return SPARE + HexFormat.of().toHexDigits(sequence);
  }

  /** First sequence in the name of a segment, -1 in any other name. */
  static long firstSequence(String name) {
    boolean isSegment =
        name.length() == COUNTER_DIGITS + SEGMENT.length()
            && name.startsWith("00")
            && name.endsWith(SEGMENT)
            && isHex(name, 0, COUNTER_DIGITS);
    return isSegment ? Long.parseLong(name.substring(0, COUNTER_DIGITS), 16) : -1;
  }

  /** Whether a file of this name occupies space for records. */
  static boolean isSegmentOrSpare(String name) {
    return firstSequence(name) >= 0 || name.startsWith(SPARE);
  }

  /** Whether a file of this name, which is neither segment nor spare, belongs in a spool. */
  static boolean belongsInSpool(String name) {
    return isLock(name, LOCK)
        || name.equals(LogNote.NAME)
        || name.equals(Spool.CONTROL_SOCKET)
        || name.equals(Spool.CONTROL_SOCKET_BEING_BOUND);
  }

  static String of(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
