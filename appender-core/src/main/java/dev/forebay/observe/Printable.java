package dev.forebay.observe;

import java.util.regex.Pattern;

/**
 * Makes foreign text safe to print: file names, configuration values, messages of exceptions. A
 * line feed in it could forge a second line, an escape sequence could control the terminal.
 */
public final class Printable {

  /** Control and format characters, line and paragraph separators, unpaired surrogates. */
  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

  private Printable() {}

  /** The text with a question mark for each unprintable character. */
  public static String text(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }
}
