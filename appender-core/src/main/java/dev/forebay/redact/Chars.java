package dev.forebay.redact;

/** Classes of ASCII characters, by byte. */
final class Chars {

  static final int DIGIT = 1;
  static final int LETTER = 2;
  static final int WORD = DIGIT | LETTER;
  static final int HEX = 4;

  /** Of base64url, with a period between its parts. */
  static final int TOKEN = 8;

  /** Of a token after Bearer, or base64. */
  static final int CREDENTIAL = 16;

  /** Before the @ of an address. */
  static final int LOCAL = 32;

  /** After it. */
  static final int DOMAIN = 64;

  private static final int BYTES = 256;
  private static final int ASCII = 128;
  private static final byte[] CLASSES = new byte[BYTES];

  static {
    add("0123456789", DIGIT | HEX | TOKEN | CREDENTIAL | LOCAL | DOMAIN);
    add("abcdefABCDEF", HEX);
    for (char c = 'a'; c <= 'z'; c++) {
      add("" + c + Character.toUpperCase(c), LETTER | TOKEN | CREDENTIAL | LOCAL | DOMAIN);
    }
    add("-", TOKEN | CREDENTIAL | LOCAL | DOMAIN);
    add("_", TOKEN | CREDENTIAL | LOCAL);
    add(".", TOKEN | CREDENTIAL | LOCAL | DOMAIN);
    add("~+/=", CREDENTIAL);
    add("%+", LOCAL);
    for (int other = ASCII; other < BYTES; other++) { // letters of other languages
      CLASSES[other] = LOCAL | DOMAIN;
    }
  }

  private Chars() {}

  private static void add(String characters, int of) {
    for (int i = 0; i < characters.length(); i++) {
      CLASSES[characters.charAt(i)] |= (byte) of;
    }
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  static boolean is(byte b, int of) {
    return (CLASSES[b & 0xFF] & of) != 0;
  }
}
