package dev.forebay.redact;

import static dev.forebay.redact.NamedPattern.BASIC;
import static dev.forebay.redact.NamedPattern.BEARER;
import static dev.forebay.redact.NamedPattern.CARD;
import static dev.forebay.redact.NamedPattern.CLOUD_KEY;
import static dev.forebay.redact.NamedPattern.EMAIL;
import static dev.forebay.redact.NamedPattern.IBAN;
import static dev.forebay.redact.NamedPattern.IPV4;
import static dev.forebay.redact.NamedPattern.IPV6;
import static dev.forebay.redact.NamedPattern.JWT;

import java.util.EnumSet;
import java.util.Set;

/**
 * Finds the named patterns in one pass over the bytes of a line: each begins at, or around, a byte
 * that is rare or starts a number; only there is more compared. Any thread.
 */
final class Scanner {

  /** Set in the result of {@link #scan} if the line has a backslash, which may begin an escape. */
  static final int HAS_BACKSLASH = 1;

  /** Set if it has a byte 0, as those of UTF-16 have. */
  static final int HAS_ZERO = 2;

  private static final byte NUMBER = 1;
  private static final byte COLON = 2;
  private static final byte AT = 3;
  private static final byte TOKEN = 4;
  private static final byte SCHEME = 5;
  private static final byte KEY = 6;
  private static final byte BACKSLASH = 7;
  private static final byte ZERO = 8;

  private static final int BYTES = 256;

  /** What begins at a byte; 0 for most. */
  private final byte[] triggers = new byte[BYTES];

  private final Numbers numbers;
  private final Tokens tokens;

  Scanner(Set<NamedPattern> patterns) {
    Set<NamedPattern> wanted = EnumSet.noneOf(NamedPattern.class);
    wanted.addAll(patterns);
    numbers = new Numbers(wanted);
    tokens = new Tokens(wanted);
    if (wanted.contains(CARD) || wanted.contains(IBAN) || wanted.contains(IPV4)) {
      set("0123456789", NUMBER);
    }
    if (wanted.contains(IPV6)) {
      set(":", COLON);
    }
    if (wanted.contains(EMAIL)) {
      set("@%", AT);
    }
    if (wanted.contains(JWT)) {
      set("J", TOKEN);
    }
    if (wanted.contains(BEARER) || wanted.contains(BASIC)) {
      set("bB", SCHEME);
    }
    if (wanted.contains(CLOUD_KEY)) {
      set("A_xkp", KEY);
    }
    set("\\", BACKSLASH);
    set("\0", ZERO);
  }

  private void set(String bytes, byte to) {
    for (int i = 0; i < bytes.length(); i++) {
      triggers[bytes.charAt(i)] = to;
    }
  }

  /** Adds what it finds in the first bytes of an array; returns what else there is. */
  int scan(byte[] line, int length, Hits hits) {
    byte[] table = triggers;
    int seen = 0;
    int i = 0;
    while (i < length) {
      byte trigger = table[line[i] & 0xFF];
      if (trigger == 0) {
        i++;
      } else if (trigger == NUMBER) {
        i = numbers.at(line, i, length, hits);
      } else if (trigger >= BACKSLASH) {
        seen |= trigger == ZERO ? HAS_ZERO : HAS_BACKSLASH;
        i++;
      } else {
        i = other(trigger, line, i, length, hits);
      }
    }
    return seen;
  }

  private int other(byte trigger, byte[] line, int at, int length, Hits hits) {
    return switch (trigger) {
      case COLON -> Addresses.ipv6(line, at, length, hits);
      case AT -> Addresses.email(line, at, length, hits);
      case TOKEN -> Tokens.jwt(line, at, length, hits);
      case SCHEME -> tokens.scheme(line, at, length, hits);
      default -> Tokens.key(line, at, length, hits);
    };
  }
}
