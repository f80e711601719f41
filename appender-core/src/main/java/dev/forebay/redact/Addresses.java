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

  /** Before an encoded @: percent signs belong to it, and a line may be full of such. */
  private static final int MOST_ENCODED = 192;

  private Addresses() {}

  /** At an @, or at a percent sign that may be that of one in a URL. */
  static int email(byte[] line, int at, int length, Hits hits) {
    boolean isEncoded = line[at] == '%';
    if (isEncoded && !(at + 2 < length && line[at + 1] == '4' && line[at + 2] == '0')) {
      return at + 1;
    }
    int start = at;
    int first = isEncoded ? Math.max(0, at - MOST_ENCODED) : 0;
    while (start > first && Chars.is(line[start - 1], LOCAL)) {
      start--;
    }
    int domain = at + (isEncoded ? 3 : 1);
    int end = domain;
    int lastDot = -1;
    while (end < length && Chars.is(line[end], DOMAIN)) {
      lastDot = line[end] == '.' && end + 1 < length && isEndOfName(line[end + 1]) ? end : lastDot;
      end++;
    }
    while (end > domain && (line[end - 1] == '.' || line[end - 1] == '-')) { // of the sentence
      end--;
    }
    if (start < at && lastDot > domain && end > lastDot + 1) {
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
    while (start > 0 && at - start <= GROUP_DIGITS && Chars.is(line[start - 1], HEX)) {
      start--;
    }
    byte before = start == 0 ? (byte) ' ' : line[start - 1];
    boolean isAfterWord =
        at - start > GROUP_DIGITS || Chars.is(before, WORD) || before == '.' || before == '_';
    if (isAfterWord) { // a name, such as "ip:"; its colon is none of the address
      start = at + 1;
    }
    boolean isStart =
        before != ':' && (!isAfterWord || line[start] != ':' || isColon(line, start + 1, length));
    int end = isStart ? endOfIpv6(line, start, length) : -1;
    if (end < 0) {
      return at + 1;
    }
    hits.add(start, end, NamedPattern.IPV6.ordinal());
    return end;
  }

  private static boolean isColon(byte[] line, int at, int length) {
    return at < length && line[at] == ':';
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
