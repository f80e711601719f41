package dev.forebay.redact;

import static dev.forebay.redact.Chars.CREDENTIAL;
import static dev.forebay.redact.Chars.DIGIT;
import static dev.forebay.redact.Chars.TOKEN;
import static dev.forebay.redact.Chars.WORD;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Base64;
import java.util.Set;

/** Tokens that begin with a word of their own. Methods return where to continue. */
final class Tokens {

  private static final String BEARER = "earer";
  private static final String BASIC = "asic";

  /** After which any credentials are some. */
  private static final String HEADER = "authorization";

  /** How far before a scheme its header begins at most. */
  private static final int HEADER_DISTANCE = HEADER.length() + 8;

  /** Longer ones are no word of a sentence. */
  private static final int LONG = 20;

  private static final int LEAST_JWT = 10;

  private static final int AWS_KEY = 20;

  private final boolean hasBearer;
  private final boolean hasBasic;

  Tokens(Set<NamedPattern> wanted) {
    hasBearer = wanted.contains(NamedPattern.BEARER);
    hasBasic = wanted.contains(NamedPattern.BASIC);
  }

  /** At the J of a token that begins with "eyJ", which is {" in base64. */
  static int jwt(byte[] line, int at, int length, Hits hits) {
    if (at < 2 || line[at - 1] != 'y' || line[at - 2] != 'e') {
      return at + 1;
    }
    if (at < hits.noTokenBefore) {
      return at + 1;
    }
    int start = at - 2;
    int dot = start;
    while (dot < length && line[dot] != '.' && Chars.is(line[dot], TOKEN)) {
      dot++;
    }
    if (dot < length && line[dot] == '.' && dot - start < LEAST_JWT) {
      return at + 1;
    }
    int end = endOf(line, dot, length, TOKEN);
    while (end > dot && line[end - 1] == '.') { // of the sentence
      end--;
    }
    if (end > dot + 1) {
      hits.add(start, end, NamedPattern.JWT.ordinal());
      return end;
    }
    hits.noTokenBefore = dot;
    return at + 1;
  }

  /** At a b, perhaps of Bearer or Basic. */
  int scheme(byte[] line, int at, int length, Hits hits) {
    boolean isBearer = hasBearer && follows(BEARER, line, at + 1, length);
    if (!isBearer && !(hasBasic && follows(BASIC, line, at + 1, length))) {
      return at + 1;
    }
    int after = at + 1 + (isBearer ? BEARER : BASIC).length();
    int start = after;
    while (start < length && (line[start] == ' ' || line[start] == '\t')) {
      start++;
    }
    if (start == after && start < length) { // in a form or URL
      start += line[start] == '+' ? 1 : follows("%20", line, start, length) ? 3 : 0;
    }
    int end = endOf(line, start, length, CREDENTIAL);
    while (isBearer && end > start && end < length && (line[end] == '|' || line[end] == '%')) {
      end = endOf(line, end + 1, length, CREDENTIAL);
    }
    if (start == after || start == end) {
      return after;
    }
    boolean isSecret =
        isAfterHeader(line, at)
            || (isBearer ? isToken(line, start, end) : isPair(line, start, end));
    if (!isSecret) {
      return start;
    }
    NamedPattern of = isBearer ? NamedPattern.BEARER : NamedPattern.BASIC;
    hits.add(start, end, of.ordinal());
    return end;
  }

  private static boolean isAfterHeader(byte[] line, int at) {
    for (int from = Math.max(0, at - HEADER_DISTANCE); from < at; from++) {
      if (follows(HEADER, line, from, at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is no word of a sentence. */
  private static boolean isToken(byte[] line, int start, int end) {
    for (int i = start; i < end; i++) {
      if (Chars.is(line[i], DIGIT)) {
        return true;
      }
    }
    return end - start >= LONG;
  }

  /** Whether it begins with base64 of a name and a password. */
  private static boolean isPair(byte[] line, int start, int end) {
    int whole = start;
    while (whole < end && line[whole] != '=') {
      whole++;
    }
    whole -= (whole - start) % 4 == 1 ? 1 : 0;
    try {
      byte[] decoded = Base64.getDecoder().decode(Arrays.copyOfRange(line, start, whole));
      return new String(decoded, ISO_8859_1).indexOf(':') >= 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** At a byte that all keys have near their beginning. */
  static int key(byte[] line, int at, int length, Hits hits) {
    return switch (line[at]) {
      case 'A' -> starting(line, at, length, hits);
      case 'x' -> slack(line, at, length, hits);
      case '_' -> gitHub(line, at, length, hits);
      case 'k' -> secretKey(line, at, length, hits);
      default -> gitLab(line, at, length, hits);
    };
  }

  private static int slack(byte[] line, int at, int length, Hits hits) {
    boolean isKey =
        follows("xox", line, at, length)
            && at + 4 < length
            && Chars.is(line[at + 3], WORD)
            && line[at + 4] == '-';
    return isKey ? add(line, at, at + 5, length, 10, hits) : at + 1;
  }

  private static int starting(byte[] line, int at, int length, Hits hits) {
    boolean isAws =
        follows("AKIA", line, at, length)
            || follows("ASIA", line, at, length)
            || follows("ABIA", line, at, length)
            || follows("ACCA", line, at, length);
    if (isAws) { // words may begin so, but not in capitals without a hyphen
      int end = at + 4;
      while (end < length && isCapital(line[end])) {
        end++;
      }
      return end - at < AWS_KEY ? at + 1 : add(line, at, at + 4, length, 16, hits);
    }
    if (follows("AIza", line, at, length)) {
      return add(line, at, at + 4, length, 30, hits);
    }
    if (follows("AccountKey=", line, at, length)) {
      int start = at + 11;
      int end = endOf(line, start, length, CREDENTIAL);
      hits.add(start, end, NamedPattern.CLOUD_KEY.ordinal());
      return Math.max(start, end);
    }
    return at + 1;
  }

  private static boolean isCapital(byte b) {
    return Chars.isDigit(b) || (b >= 'A' && b <= 'Z');
  }

  private static int gitHub(byte[] line, int at, int length, Hits hits) {
    if (at >= 3
        && follows("gh", line, at - 3, length)
        && "pousr".indexOf(line[at - 1] | 0x20) >= 0) {
      return add(line, at - 3, at + 1, length, LONG, hits);
    }
    boolean isToken = at >= 6 && follows("github_pat_", line, at - 6, length);
    return isToken ? add(line, at - 6, at + 5, length, LONG, hits) : at + 1;
  }

  private static int gitLab(byte[] line, int at, int length, Hits hits) {
    boolean isToken = at >= 2 && follows("pat-", line, at, length) && line[at - 1] == 'l';
    return isToken && line[at - 2] == 'g' ? add(line, at - 2, at + 4, length, LONG, hits) : at + 1;
  }

  /** Of Stripe and OpenAI: sk_live_, rk_test_, sk-. */
  private static int secretKey(byte[] line, int at, int length, Hits hits) {
    byte before = at == 0 ? 0 : line[at - 1];
    if (before != 's' && before != 'r') {
      return at + 1;
    }
    if (follows("_live_", line, at + 1, length) || follows("_test_", line, at + 1, length)) {
      return add(line, at - 1, at + 7, length, 10, hits);
    }
    boolean isOpenAi =
        before == 's'
            && follows("-", line, at + 1, length)
            && (at == 1 || !Chars.is(line[at - 2], WORD));
    return isOpenAi ? add(line, at - 1, at + 2, length, LONG, hits) : at + 1;
  }

  /** Adds a key from its beginning if it has at least so many characters from {@code rest} on. */
  private static int add(byte[] line, int start, int rest, int length, int least, Hits hits) {
    int end = rest;
    while (end < length && (Chars.is(line[end], WORD) || line[end] == '_' || line[end] == '-')) {
      end++;
    }
    if (end - rest < least) {
      return rest;
    }
    hits.add(start, end, NamedPattern.CLOUD_KEY.ordinal());
    return end;
  }

  private static int endOf(byte[] line, int from, int length, int of) {
    int end = from;
    while (end < length && Chars.is(line[end], of)) {
      end++;
    }
    return end;
  }

  /** Whether a text follows; letters in lower case match both. */
  private static boolean follows(String text, byte[] line, int from, int length) {
    if (from < 0 || length - from < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char wanted = text.charAt(i);
      int is = line[from + i];
      if (is != wanted && (wanted < 'a' || wanted > 'z' || is != wanted - 0x20)) {
        return false;
      }
    }
    return true;
  }
}
