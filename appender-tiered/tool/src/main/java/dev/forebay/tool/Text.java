package dev.forebay.tool;

import java.time.Duration;
import java.util.Locale;

/** Numbers and times as people read them. */
final class Text {

  private static final long KB = 1024;
  private static final long MB = KB * KB;
  private static final long GB = MB * KB;

  private Text() {}

  static String bytes(long bytes) {
    if (bytes < KB) {
      return bytes + " B";
    }
    long unit = bytes < MB ? KB : bytes < GB ? MB : GB;
    String name = unit == KB ? "KB" : unit == MB ? "MB" : "GB";
    return bytes < 10 * unit
        ? String.format(Locale.ROOT, "%.1f %s", bytes / (double) unit, name)
        : bytes / unit + " " + name;
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String age(Duration age) {
    if (age.toMinutes() < 2) {
      return Math.max(0, age.toSeconds()) + " s";
    }
    if (age.toHours() < 2) {
      return age.toMinutes() + " min";
    }
    return age.toDays() < 2 ? age.toHours() + " h" : age.toDays() + " days";
  }
}
