package dev.forebay.json;

import dev.forebay.tiered.encode.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Appends JSON to the bytes of one line. Text is escaped such that the line is valid UTF-8 and one
 * line for every reader, whatever the text is. For one thread at a time.
 */
final class JsonLine extends JsonText {

  /** Stands for what is left out. */
  static final String CUT = "...";

  final Values values = new Values(this);

  boolean hasThrowable;
  int tags;

  /** Looked at so far. */
  int markers;

  /** A name with the comma before it and the colon after it. */
  static byte[] name(String name) {
    JsonLine line = new JsonLine();
    line.name("", name);
    return line.end();
  }

  /** The line; the next one begins. */
  byte[] end() {
    byte[] bytes = toBytes();
    clear(); // not as the next line begins: until then a huge one would be kept
    return bytes;
  }

  void name(String prefix, String name) {
    ascii(',');
    ascii('"');
    text(prefix);
    escaped(name, name.length());
    ascii('"');
    ascii(':');
  }

  /** Appends a text field, nothing for null. */
  void field(byte[] name, @Nullable String text) {
    if (text != null) {
      literal(name);
      string(text);
    }
  }

  void string(String text) {
    ascii('"');
    escaped(text, text.length());
    ascii('"');
  }

  /** Appends the first characters of a text, as many as given. */
  void escaped(String text, int to) {
    boolean unused = escaped(text, to, true, true);
  }
}
