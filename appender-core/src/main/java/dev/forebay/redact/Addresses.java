package dev.forebay.redact;

import static dev.forebay.redact.Chars.DOMAIN;
import static dev.forebay.redact.Chars.HEX;
import static dev.forebay.redact.Chars.LETTER;
import static dev.forebay.redact.Chars.LOCAL;
import static dev.forebay.redact.Chars.WORD;

/** Addresses of e-mail and IPv6. Methods return where to continue. */
final class Addresses {

  private static final int GROUPS = 8;
  private static final int GROUP_DIGITS = 4;

  private Addresses() {}

  /** At an @. */
  static int email(byte[] line, int at, int length, Hits hits) {
    int start = at;
    while (start > 0 && Chars.is(line[start - 1], LOCAL)) {
      start--;
    }
    int end = at + 1;
    int lastDot = -1;
    while (end < length && Chars.is(line[end], DOMAIN)) {
      lastDot = line[end] == '.' && end + 1 < length && isEndOfName(line[end + 1]) ? end : lastDot;
      end++;
    }
    while (end > at + 1 && (line[end - 1] == '.' || line[end - 1] == '-')) { // of the sentence
      end--;
    }
    if (start < at && lastDot > at + 1 && end > lastDot + 1) {
      hits.add(start, end, NamedPattern.EMAIL.ordinal());
      return end;
    }
    return at + 1;
  }

  private static boolean isEndOfName(byte b) {
    return b < 0 || Chars.is(b, LETTER);
  }

  /** At the first colon of perhaps one. */
  static int ipv6(byte[] line, int at, int length, Hits hits) {
    if (at + 1 >= length || (line[at + 1] != ':' && !Chars.is(line[at + 1], HEX))) {
      return at + 1;
    }
    int start = at;
    while (start > 0 && Chars.is(line[start - 1], HEX)) {
      start--;
    }
    boolean isWhole =
        at - start <= GROUP_DIGITS
            && (start == 0 || !(Chars.is(line[start - 1], WORD) || isJoint(line[start - 1])));
    int end = isWhole ? endOfIpv6(line, start, length) : -1;
    if (end < 0) {
      return at + 1;
    }
    hits.add(start, end, NamedPattern.IPV6.ordinal());
    return end;
  }

  private static boolean isJoint(byte before) {
    return before == ':' || before == '.' || before == '_';
  }

  /** The end of the address that begins there; -1 if none does. */
  private static int endOfIpv6(byte[] line, int start, int length) {
    int groups = 0;
    boolean isShort = false;
    int i = start;
    while (i < length) {
      int from = i;
      while (i < length && i - from <= GROUP_DIGITS && Chars.is(line[i], HEX)) {
        i++;
      }
      if (i - from > GROUP_DIGITS) {
        return -1;
      }
      groups += i > from ? 1 : 0;
      if (i < length && line[i] == '.' && i > from) {
        int end = Numbers.endOfIpv4(line, from, length);
        groups++; // it stands for two
        return end > 0 && isComplete(groups, isShort) ? end : -1;
      }
      boolean isDouble = i + 1 < length && line[i] == ':' && line[i + 1] == ':';
      boolean isNext = i + 1 < length && line[i] == ':' && Chars.is(line[i + 1], HEX);
      if (isDouble && !isShort) {
        isShort = true;
        i += 2;
        if (i >= length || !Chars.is(line[i], HEX)) {
          break;
        }
      } else if (isNext && groups < GROUPS) {
        i++;
      } else {
        break;
      }
    }
    boolean isOver = i >= length || !(Chars.is(line[i], WORD) || line[i] == '_');
    return isOver && isComplete(groups, isShort) ? i : -1;
  }

  private static boolean isComplete(int groups, boolean isShort) {
    return isShort ? groups >= 1 && groups < GROUPS : groups == GROUPS;
  }
}
