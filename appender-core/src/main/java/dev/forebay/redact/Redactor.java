package dev.forebay.redact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Replaces what the rules match in lines, and counts it. Any thread. */
public final class Redactor {

  static final String MASK = "***";

  private static final byte[] MASK_BYTES = MASK.getBytes(US_ASCII);
  private static final byte[] JSON_MASK = ('"' + MASK + '"').getBytes(US_ASCII);

  final @Nullable KeyRules names;

  /** Whether texts are searched, and not only names. */
  final boolean searches;

  private final Scanner scanner;
  private final List<RegexRule> regexes = new ArrayList<>();

  /** Gets the warnings; does not block. Set before the first event. */
  private volatile Consumer<String> voice = text -> {};

  /** By number: the named patterns, the regular expressions, the keys. */
  private final List<String> rules = new ArrayList<>();

  private final LongAdder[] counts;

  /** By rule: whether it was said that it takes too long. */
  private final AtomicIntegerArray said;

  public Redactor(RedactRules all) {
    for (NamedPattern each : NamedPattern.values()) {
      rules.add(each.text());
    }
    for (Pattern each : all.regexes()) {
      regexes.add(new RegexRule(each, rules.size()));
      rules.add("regex-" + regexes.size());
    }
    names = all.keys().isEmpty() ? null : new KeyRules(all.keys(), rules.size());
    all.keys().forEach(key -> rules.add("key-" + key));
    counts = new LongAdder[rules.size()];
    Arrays.setAll(counts, i -> new LongAdder());
    said = new AtomicIntegerArray(rules.size());
    scanner = new Scanner(all.patterns());
    searches = !all.patterns().isEmpty() || !regexes.isEmpty();
  }

  /** What the warnings go to. */
  public void reportTo(Consumer<String> voiceOfAppender) {
    voice = voiceOfAppender;
  }

  void count(int rule) {
    counts[rule].increment();
  }

  /** How many values were replaced since the start, by the rule that did. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (int i = 0; i < counts.length; i++) {
      long count = counts[i].sum();
      if (count > 0 || i >= NamedPattern.values().length) {
        all.put(rules.get(i), count);
      }
    }
    return all;
  }

  /**
   * The line without secrets; null if there are none.
   *
   * @param line begins with so many bytes of it
   * @param hasObjects whether fields of JSON are searched by name
   */
  public byte @Nullable [] redact(byte[] line, int length, boolean hasObjects) {
    boolean isByName = hasObjects && names != null;
    return searches || isByName ? redact(line, length, isByName, this::count) : null;
  }

  /** The same of a line in another encoding than UTF-8 or one byte of ISO 8859-1 a character. */
  public byte @Nullable [] redact(byte[] line, int length, boolean hasObjects, Charset charset) {
    byte[] known = new String(line, 0, length, charset).getBytes(UTF_8);
    byte[] redacted = redact(known, known.length, hasObjects);
    return redacted == null ? null : new String(redacted, UTF_8).getBytes(charset);
  }

  /** A value of the MDC without secrets, which is not counted. */
  public String value(String key, String value) {
    return names != null && names.of(key) >= 0 ? MASK : text(value);
  }

  /** A text that is shown elsewhere without what would be found in a line; not counted. */
  public String text(String text) {
    return searches ? text(text, rule -> {}) : text;
  }

  String text(String text, IntConsumer counting) {
    byte[] bytes = text.getBytes(UTF_8);
    byte[] redacted = redact(bytes, bytes.length, false, counting);
    return redacted == null ? text : new String(redacted, UTF_8);
  }

  private byte @Nullable [] redact(
      byte[] line, int length, boolean hasObjects, IntConsumer counting) {
    Hits hits = new Hits();
    int seen = scanner.scan(line, length, hits);
    if (hasObjects && names != null) {
      JsonKeys.find(line, length, names, true, hits);
    }
    boolean isWide = false;
    if (seen != 0 || !regexes.isEmpty()) {
      Units plain = Units.plain(line, length);
      RegexRule slow = searchRegexes(plain, hits);
      if (slow == null && (seen & Scanner.HAS_BACKSLASH) != 0) {
        slow = search(plain.unescaped(), hasObjects, hits);
      }
      if (slow == null && (seen & Scanner.HAS_ZERO) != 0 && hits.count() == 0) {
        Units wide = Units.wide(line, length);
        slow = search(wide, hasObjects, hits);
        slow = slow == null ? search(wide.unescaped(), hasObjects, hits) : slow;
        isWide = hits.count() > 0 || slow != null;
        plain = isWide ? wide : plain;
      }
      if (slow != null) {
        return withoutAll(slow, line, length, plain, counting);
      }
      if (isWide) {
        return replaced(line, length, hits, plain, counting);
      }
    }
    return hits.count() == 0 ? null : replaced(line, length, hits, null, counting);
  }

  /** Returns the rule that takes too long; null if none does. */
  private @Nullable RegexRule search(Units units, boolean hasObjects, Hits hits) {
    byte[] ascii = units.ascii();
    Hits found = new Hits();
    int unused = scanner.scan(ascii, ascii.length, found);
    if (hasObjects && names != null) {
      JsonKeys.find(ascii, ascii.length, names, false, found);
    }
    for (int i = 0; i < found.count(); i++) {
      hits.add(units.start(found.start(i)), units.start(found.end(i)), found.rule(i));
    }
    return searchRegexes(units, hits);
  }

  private @Nullable RegexRule searchRegexes(Units units, Hits hits) {
    for (RegexRule each : regexes) {
      if (!each.find(units, hits)) {
        return each;
      }
    }
    return null;
  }

  /** The mask and the end of the line. */
  private byte[] withoutAll(
      RegexRule slow, byte[] line, int length, Units units, IntConsumer counting) {
    counting.accept(slow.number());
    if (said.compareAndSet(slow.number(), 0, 1)) {
      voice.accept(
          "<redact>: regular expression number %d looks at the characters of a line more than %d times each, and %d times in all, or nests too deep: such lines become %s; write it without nested repetition"
              .formatted(
                  slow.number() - NamedPattern.values().length + 1,
                  RegexRule.STEPS,
                  RegexRule.STEPS_MORE,
                  MASK));
    }
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    made.writeBytes(units.encode(MASK));
    int end = units.start(units.contentLength());
    made.write(line, end, length - end);
    return made.toByteArray();
  }

  /**
   * The line with masks.
   *
   * @param wide the line in UTF-16 or UTF-32; null for other encodings
   */
  private static byte[] replaced(
      byte[] line, int length, Hits hits, @Nullable Units wide, IntConsumer counting) {
    ByteArrayOutputStream made = new ByteArrayOutputStream(length + MASK.length());
    JsonTexts texts = wide == null && isJson(line, length) ? new JsonTexts(line) : null;
    hits.order();
    int copied = 0;
    for (int i = 0; i < hits.count(); i++) {
      counting.accept(hits.rule(i));
      int start = withEscape(line, hits.start(i), wide);
      int end = hits.end(i);
      if (end <= copied) {
        continue;
      }
      boolean isBare = texts != null && start >= copied && !texts.contain(start);
      if (isBare) { // the whole number becomes a text
        start = startOf(line, start, copied);
        end = endOf(line, end, length);
      } else if (texts != null && end < length) { // what an escape's backslash escapes goes with it
        end += end - withEscape(line, end, null);
      }
      if (start >= copied) { // else it goes on after a mask
        made.write(line, copied, start - copied);
        made.writeBytes(wide != null ? wide.encode(MASK) : isBare ? JSON_MASK : MASK_BYTES);
      }
      copied = end;
    }
    made.write(line, copied, length - copied);
    return made.toByteArray();
  }

  private static boolean isJson(byte[] line, int length) {
    int i = 1;
    while (i < length && (line[i] == ' ' || line[i] == '\n' || line[i] == '\r')) {
      i++;
    }
    return line[0] == '{' && i < length && line[i] == '"';
  }

  /** Where the number, or other literal of JSON, begins. */
  private static int startOf(byte[] line, int within, int from) {
    int i = within;
    while (i > from && Chars.is(line[i - 1], Chars.CREDENTIAL)) {
      i--;
    }
    return i;
  }

  private static int endOf(byte[] line, int within, int to) {
    int i = within;
    while (i < to && Chars.is(line[i], Chars.CREDENTIAL)) {
      i++;
    }
    return i;
  }

  /** A backslash that would escape the mask belongs to what is replaced. */
  private static int withEscape(byte[] line, int start, @Nullable Units wide) {
    int width = wide == null ? 1 : wide.width;
    int at = wide != null && wide.isBigEndian ? width - 1 : 0;
    int from = start;
    while (from >= width && line[from - width + at] == '\\') {
      from -= width;
    }
    return start - (start - from) % (2 * width);
  }
}
