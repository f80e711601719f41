package dev.forebay.tool;

import java.time.Duration;
import java.util.Locale;

/** Numbers and times as people read them. */
final class Text {

  private static final long KB = 1024;
  private static final long MB = KB * KB;
  private static final long GB = MB * KB;
  private static final Duration MINUTES = Duration.ofMinutes(2);
  private static final Duration HOURS = Duration.ofHours(2);
  private static final Duration DAYS = Duration.ofDays(2);

  private Text() {}

  static String bytes(long bytes) {
    if (bytes < KB) {
      return bytes + " B";
    }
    if (bytes < MB) {
      return bytes / KB + " KB";
    }
    return bytes < GB
        ? bytes / MB + " MB"
        : String.format(Locale.ROOT, "%.1f GB", bytes / (double) GB);
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String age(Duration age) {
    if (age.compareTo(MINUTES) < 0) {
      return Math.max(0, age.toSeconds()) + " s";
    }
    if (age.compareTo(HOURS) < 0) {
      return age.toMinutes() + " min";
    }
    return age.compareTo(DAYS) < 0 ? age.toHours() + " h" : age.toDays() + " days";
  }
}
