package dev.forebay.observe;

/**
 * Makes foreign text safe to print: file names, configuration values, messages of exceptions. A
 * line feed in it could forge a second line, an escape sequence could control the terminal.
 *
 * @hidden
 */
public final class Printable {

  private Printable() {}

  /** The text with a question mark for each unprintable character. */
  public static String text(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    int point;
    for (int i = 0; i < text.length(); i += Character.charCount(point)) {
      point = text.codePointAt(i);
      printable.appendCodePoint(isPrintable(point) ? point : '?');
    }
    return printable.toString();
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE -> // an unpaired one
          false;
      default -> true;
    };
  }
}
