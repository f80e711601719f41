package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.SpoolNames;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file whose lines are records, by its name: a link to one of the JVM's files, or a file of ours
 * with one line, which stands in the place of what is missing.
 *
 * @param number of the JVM's file, in the order in which it has written them; ours stands for those
 *     from {@code from} to {@code number}
 * @param from where the records of a link begin in its file
 * @param first sequence of the first record; {@link #UNKNOWN} until the lines before are counted
 * @param isOurs whether it is no link
 */
record LineFile(long number, long from, long first, boolean isOurs)
    implements Comparable<LineFile> {

  static final long UNKNOWN = -1;

  /** Number of the JVM's first file: one less is for a line of ours. */
  static final long FIRST = 1;

  private static final Pattern NAME =
      Pattern.compile(
          "([0-7][0-9a-f]{15})-([0-7][0-9a-f]{15})(?:-([0-7][0-9a-f]{15}))?\\.(ul|own)");

  private static final int FIRST_GROUP = 3;
  private static final int END_GROUP = 4;

  static @Nullable LineFile of(Path path) {
    Matcher matcher = NAME.matcher(SpoolNames.of(path));
    if (!matcher.matches()) {
      return null;
    }
    String first = matcher.group(FIRST_GROUP);
    return new LineFile(
        Long.parseLong(matcher.group(1), 16),
        Long.parseLong(matcher.group(2), 16),
        first == null ? UNKNOWN : Long.parseLong(first, 16),
        matcher.group(END_GROUP).equals("own"));
  }

  String name() {
    HexFormat hex = HexFormat.of();
    String known = first == UNKNOWN ? "" : "-" + hex.toHexDigits(first);
    return hex.toHexDigits(number)
        + "-"
        + hex.toHexDigits(from)
        + known
        + (isOurs ? ".own" : ".ul");
  }

  /** Whether this file of ours replaces the other file too. */
  boolean replaces(LineFile other) {
    return isOurs
        && from <= other.number
        && (other.isOurs ? other.number < number : other.number <= number);
  }

  @Override
  public int compareTo(LineFile other) {
    return Long.compare(number, other.number);
  }
}
