package dev.forebay.benchmarks.lab.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Writes elements that are HTML and XML alike, and escapes all that is put into them. */
final class Markup {

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  Markup() {
    out.append("<!DOCTYPE html>\n");
  }

  /** Begins an element; attributes are names and values in turn. */
  Markup open(String tag, Object... attributes) {
    tag(tag, attributes);
    out.append('>');
    open.push(tag);
    return this;
  }

  /** Ends the element that was begun last. */
  Markup close() {
    out.append("</").append(open.pop()).append(">\n");
    return this;
  }

  /** An element without content. */
  Markup leaf(String tag, Object... attributes) {
    tag(tag, attributes);
    out.append("/>");
    return this;
  }

  /** An element with a text. */
  Markup element(String tag, String text, Object... attributes) {
    return open(tag, attributes).text(text).close();
  }

  Markup text(String text) {
    out.append(escape(text));
    return this;
  }

  /** An element whose content is not escaped in HTML and must not need it in XML. */
  Markup style(String css) {
    if (css.indexOf('<') >= 0 || css.indexOf('&') >= 0) {
      throw new IllegalArgumentException("not the same in HTML and XML: " + css);
    }
    open("style");
    out.append(css);
    return close();
  }

  /** The whole document. */
  String finish() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }

  /** A coordinate, as short as it may be. */
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** Also replaces characters that XML does not know. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isKnown(c) ? c : 0xFFFD);
              }
            });
    return escaped.toString();
  }

  private static boolean isKnown(int c) {
    boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
    return c == '\n'
        || c == '\t'
        || c == '\r'
        || c >= ' ' && !surrogate && c < 0xFFFE
        || c > 0xFFFF;
  }

  private void tag(String tag, Object... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      String text = value instanceof Double number ? number(number) : value.toString();
      out.append(' ').append(attributes[i]).append("=\"").append(escape(text)).append('"');
    }
  }
}
