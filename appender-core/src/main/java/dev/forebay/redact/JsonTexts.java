package dev.forebay.redact;

/** Where the texts of a line of JSON are: a mask elsewhere needs quotes. For one thread. */
final class JsonTexts {

  private final byte[] line;
  private int at;
  private boolean isText;

  JsonTexts(byte[] line) {
    this.line = line;
  }

  /** Whether a place is in a text; no earlier one is asked for later. */
  boolean contain(int place) {
    while (at < place) {
      byte b = line[at++];
      isText ^= b == '"';
      at += isText && b == '\\' ? 1 : 0;
    }
    return isText;
  }
}
