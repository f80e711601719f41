package dev.forebay.redact;

import static dev.forebay.redact.Chars.DIGIT;
import static dev.forebay.redact.Chars.LETTER;
import static dev.forebay.redact.Chars.WORD;

import java.util.Set;

/** What begins with digits, or has them after a country: cards, bank accounts, IPv4. */
final class Numbers {

  private static final int LEAST_CARD = 13;
  private static final int MOST_CARD = 19;
  private static final int LEAST_GROUP = 3;
  private static final int MOST_OCTET = 255;
  private static final int OCTETS = 4;
  private static final int OCTET_DIGITS = 3;
  private static final int COUNTRY = 2;
  private static final int YEAR_DIGITS = 4;

  /** Country and length, as registered. */
  private static final String IBANS =
      "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29"
          + "ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30"
          + "KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24"
          + "PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29"
          + "VA22VG24XK20YE30";

  private final boolean hasCards;
  private final boolean hasIbans;
  private final boolean hasIpv4;

  Numbers(Set<NamedPattern> wanted) {
    hasCards = wanted.contains(NamedPattern.CARD);
    hasIbans = wanted.contains(NamedPattern.IBAN);
    hasIpv4 = wanted.contains(NamedPattern.IPV4);
  }

  /** At the first digit of a run. Returns where to continue. */
  int at(byte[] line, int start, int length, Hits hits) {
    int end = start + 1;
    while (end < length && Chars.isDigit(line[end])) {
      end++;
    }
    int digits = end - start;
    byte before = start == 0 ? (byte) ' ' : line[start - 1];
    byte after = end < length ? line[end] : (byte) ' ';
    if (Chars.is(before, LETTER)) {
      int found = hasIbans && digits >= 2 ? iban(line, start - COUNTRY, length, hits) : -1;
      return Math.max(end, found);
    }
    if (after == '-' && digits == YEAR_DIGITS && line[start] == '2' && line[start + 1] < '2') {
      return afterDate(line, end, length); // no card begins so
    }
    if (after == '.' ? digits <= OCTET_DIGITS && hasIpv4 : digits < LEAST_GROUP || !hasCards) {
      return after == '.'
          ? ipv4(line, start, end, length, hits)
          : after == ':' && digits == 2 ? Math.max(end, afterTime(line, start, length)) : end;
    }
    return mayBeCard(line, start, end, length) && !isFraction(line, start)
        ? Math.max(end, card(line, start, length, hits))
        : end;
  }

  /** Most lines have a time, of which no part is a secret. At the end of its year. */
  private static int afterDate(byte[] line, int year, int length) {
    int end = year + 6;
    boolean isDate =
        end < length
            && line[year + 3] == '-'
            && Chars.isDigit(line[year + 1])
            && Chars.isDigit(line[year + 2])
            && Chars.isDigit(line[year + 4])
            && Chars.isDigit(line[year + 5])
            && (line[end] == ' ' || line[end] == 'T');
    return isDate ? Math.max(end, afterTime(line, end + 1, length)) : year;
  }

  /** After a time that begins there, with its milliseconds; -1 if none does. */
  private static int afterTime(byte[] line, int start, int length) {
    int end = start + 8;
    boolean isTime =
        end < length
            && line[start + 2] == ':'
            && line[start + 5] == ':'
            && Chars.isDigit(line[start])
            && Chars.isDigit(line[start + 1])
            && Chars.isDigit(line[start + 3])
            && Chars.isDigit(line[start + 4])
            && Chars.isDigit(line[start + 6])
            && Chars.isDigit(line[start + 7])
            && line[end] != ':'
            && !Chars.is(line[end], WORD);
    if (!isTime) {
      return -1;
    }
    boolean hasMillis =
        end + 4 < length
            && (line[end] == ',' || line[end] == '.')
            && Chars.isDigit(line[end + 1])
            && Chars.isDigit(line[end + 2])
            && Chars.isDigit(line[end + 3])
            && !Chars.isDigit(line[end + 4])
            && line[end + 4] != '-';
    return hasMillis ? end + 4 : end;
  }

  private static int ipv4(byte[] line, int start, int end, int length, Hits hits) {
    int found = isFraction(line, start) ? -1 : endOfIpv4(line, start, length);
    hits.add(start, found, NamedPattern.IPV4.ordinal());
    return Math.max(end, found);
  }

  /** Whether a number with a period is before it. */
  private static boolean isFraction(byte[] line, int start) {
    return start > 1 && line[start - 1] == '.' && Chars.isDigit(line[start - 2]);
  }

  /** The end of the four numbers that begin there; -1 if they do not. */
  static int endOfIpv4(byte[] line, int start, int length) {
    int i = start;
    for (int octet = 1; ; octet++) {
      int from = i;
      int value = 0;
      while (i < length && i - from < OCTET_DIGITS && Chars.is(line[i], DIGIT)) {
        value = value * 10 + line[i++] - '0';
      }
      if (i == from || value > MOST_OCTET) {
        return -1;
      }
      boolean isNumbered = i + 1 < length && (line[i] == '.' && Chars.is(line[i + 1], DIGIT));
      if (octet == OCTETS) {
        boolean isOver = i >= length || !(Chars.is(line[i], WORD) || isNumbered);
        return isOver ? i : -1;
      }
      if (!isNumbered) {
        return -1;
      }
      i++;
    }
  }

  /** Rejects dates and most other numbers by the first digits, which name the issuer. */
  private static boolean mayBeCard(byte[] line, int start, int end, int length) {
    int digits = end - start;
    byte first = line[start];
    boolean isIssuer = first >= '3' && first <= '6' || (first == '2' && line[start + 1] >= '2');
    return isIssuer
        && (digits >= LEAST_CARD
            ? digits <= MOST_CARD
            : end + 1 < length
                && (line[end] == ' ' || line[end] == '-')
                && Chars.isDigit(line[end + 1]));
  }

  /** Digits, perhaps in groups; the longest number with a valid check digit. */
  private static int card(byte[] line, int start, int length, Hits hits) {
    int digits = 0;
    int sumEven = 0; // of the digits as they are where the number of digits so far is even
    int sumOdd = 0;
    int found = -1;
    int i = start;
    while (i < length && digits < MOST_CARD) {
      int from = i;
      while (i < length && Chars.isDigit(line[i]) && digits < MOST_CARD + 1) {
        int digit = line[i++] - '0';
        int twice = digit > 4 ? 2 * digit - 9 : 2 * digit;
        digits++;
        sumEven += digits % 2 == 0 ? digit : twice;
        sumOdd += digits % 2 == 0 ? twice : digit;
      }
      boolean isOver = i >= length || !Chars.is(line[i], WORD);
      int sum = digits % 2 == 0 ? sumEven : sumOdd;
      if (digits >= LEAST_CARD && digits <= MOST_CARD && isOver && sum % 10 == 0) {
        found = i;
      }
      boolean isGroup =
          i + 1 < length
              && (line[i] == ' ' || line[i] == '-')
              && Chars.is(line[i + 1], DIGIT)
              && i - from >= LEAST_GROUP;
      if (!isGroup) {
        break;
      }
      i++;
    }
    hits.add(start, found, NamedPattern.CARD.ordinal());
    return found;
  }

  /** An account that begins with the letters of its country there. */
  private static int iban(byte[] line, int start, int length, Hits hits) {
    if (start < 0
        || !Chars.is(line[start], LETTER)
        || (start > 0 && Chars.is(line[start - 1], WORD))) {
      return -1;
    }
    int left = ibanLength(line[start] & ~0x20, line[start + 1] & ~0x20);
    if (left == 0) {
      return -1;
    }
    int rest = 0;
    int i = start;
    for (int n = 0; n < left; i++) {
      if (i >= length) {
        return -1;
      }
      byte b = line[i];
      if (b == ' ' || b == '-') {
        if (n < 4 || line[i - 1] == ' ' || line[i - 1] == '-') {
          return -1;
        }
        continue;
      }
      if (!Chars.is(b, WORD)) {
        return -1;
      }
      rest = n < 4 ? 0 : append(rest, b);
      n++;
    }
    // Country and check digits are weighed last.
    for (int n = start; n < start + 4; n++) {
      rest = append(rest, line[n]);
    }
    boolean isOver = i >= length || !Chars.is(line[i], WORD);
    if (rest != 1 || !isOver) {
      return -1;
    }
    hits.add(start, i, NamedPattern.IBAN.ordinal());
    return i;
  }

  private static int ibanLength(int first, int second) {
    for (int i = 0; i < IBANS.length(); i += 4) {
      if (IBANS.charAt(i) == first && IBANS.charAt(i + 1) == second) {
        return (IBANS.charAt(i + 2) - '0') * 10 + IBANS.charAt(i + 3) - '0';
      }
    }
    return 0;
  }

  /** The remainder by 97 of a number with another digit, or a letter as two, appended. */
  private static int append(int remainder, byte b) {
    return Chars.is(b, DIGIT)
        ? (remainder * 10 + b - '0') % 97
        : (remainder * 100 + (b & ~0x20) - 'A' + 10) % 97;
  }
}
