package dev.forebay.observe;

import java.util.regex.Pattern;

/**
 * Texts for people that repeat what others wrote: names of files, values of a configuration,
 * messages of exceptions. A line feed in one would make a second line of any content, an escape
 * sequence would command the terminal.
 */
public final class Printable {

  /** Control and format characters, line and paragraph separators, halves of characters. */
  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

  private Printable() {}

  /** The text with a question mark for every character that is not to be printed. */
  public static String text(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }
}
