package dev.forebay.tiered.encode;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.core.pattern.CompositeConverter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Patterns of all words that the Logback at hand has, with options, modifiers and groups. */
final class RandomPatterns {

  /** Its counter begins with the time at which its converter is made. */
  private static final String COUNTS_FROM_NOW = "lsn";

  private static final List<String> MODIFIERS =
      List.of(
          "5", "-5", "20", "-20", "30", "1", ".10", ".-10", ".1", ".-1", ".2", ".-2", "5.10",
          "-5.10", "-5.-10", "5.-10", "3.3", "-3.-3", "0", ".0", ".-0", ".3", ".7", ".-22", ".-21",
          "40.40", "-40.40");

  private static final List<String> DATES =
      List.of(
          "",
          "{}",
          "{ISO8601}",
          "{STRICT}",
          "{\"yyyy-MM-dd HH:mm:ss,SSS\"}",
          "{HH:mm:ss.SSS}",
          "{HH:mm:ss}",
          "{yyyy-MM-dd'T'HH:mm:ss.SSSXXX}",
          "{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, Europe/Berlin}",
          "{yyyy-MM-dd HH:mm:ss.SSS zzz, America/St_Johns, de}",
          "{\"EEEE, d. MMMM y G HH:mm:ss.SSS\", Asia/Tokyo, ja}",
          "{\"EEE, MMM d, h:mm:ss.SSS a\", Australia/Lord_Howe, ar-EG}",
          "{uuuu-DDD HH:mm:ss.SSSSSS'µ'}",
          "{ss.S}",
          "{ss.SS}",
          "{ss.SSSSSSSSS}",
          "{SSS}",
          "{SSS SSS}",
          "{n}",
          "{nnn}",
          "{nnnnnnnnn}",
          "{A}",
          "{AAAA}",
          "{AAAAAAAA}",
          "{N}",
          "{NNN}",
          "{NNNNNNNNNNNNNNN}",
          "{ppppppppA}",
          "{pppppppppp S}",
          "{ppppppppppn}",
          "{ppA}",
          "{'SSS'ss[.SSS]}",
          "{'\uD83D\uDE00'HH:mm:ss.SSS'\uD83D\uDE00'}",
          "{yyyy}",
          "{y}",
          "{yy}",
          "{u}",
          "{h B}",
          "{Q e W w Y}",
          "{V}",
          "{VV}",
          "{OOOO}",
          "{b}",
          "{HH:mm:ss.SSS, No/Where}",
          "{HH:mm:ss.SSS, GMT+5}",
          "{HH:mm:ss.SSS, UTC, no-such}",
          "{'open}");

  private static final List<String> OPTIONS =
      List.of(
          "",
          "",
          "{}",
          "{0}",
          "{1}",
          "{3}",
          "{10}",
          "{39}",
          "{-5}",
          "{x}",
          "{short}",
          "{full}",
          "{5, java.base, RandomEvents}",
          "{full, junit}",
          "{key}",
          "{key:-none}",
          "{sch\u00FCssel:-\uD83D}",
          "{:-d}",
          "{a b}",
          "{seconds}",
          "{SINGLE}",
          "{DOUBLE}",
          "{NONE}",
          "{none, key}",
          "{2, key}",
          "{user.dir}",
          "{p}",
          "{..}",
          "{1..2}");

  private static final List<String> LITERALS =
      List.of(
          "a",
          " ",
          " - ",
          "[",
          "] ",
          "--- ",
          "\\(",
          "\\)",
          "\\%",
          "\\\\",
          "\\n",
          "\\t",
          "\\_x",
          "\u00E9",
          "\u6F22\u5B57",
          "\uD83D\uDE00",
          "\uD83D",
          "\uDE00",
          "{",
          "}",
          "'",
          "\"",
          ":-",
          "\n",
          "\r",
          "\u0000",
          "#",
          "\u001B[31m",
          "%",
          "%%",
          "\\");

  private final Random random;
  private final List<String> plain;
  private final List<String> groups;

  RandomPatterns(Random random) {
    this.random = random;
    Map<String, Supplier<?>> words = new TreeMap<>(PatternLayout.DEFAULT_CONVERTER_SUPPLIER_MAP);
    words.remove(COUNTS_FROM_NOW);
    groups =
        words.entrySet().stream()
            .filter(word -> word.getValue().get() instanceof CompositeConverter)
            .map(Map.Entry::getKey)
            .toList();
    plain = words.keySet().stream().filter(word -> !groups.contains(word)).toList();
  }

  String next() {
    return pattern(1 + random.nextInt(8), 0);
  }

  private String pattern(int parts, int depth) {
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < parts; i++) {
      pattern.append(part(depth));
    }
    return pattern.toString();
  }

  private String part(int depth) {
    int kind = random.nextInt(20);
    if (kind < 4) {
      return of(LITERALS);
    } else if (kind < 7) {
      return "%" + modifier() + of(List.of("d", "date")) + of(DATES);
    } else if (kind < 12) {
      String usual = of(List.of("level", "thread", "logger", "logger", "msg", "msg", "n", "X"));
      return "%" + modifier() + usual + (random.nextBoolean() ? of(OPTIONS) : "");
    } else if (kind < 17 || depth > 2) {
      return "%" + modifier() + of(plain) + of(OPTIONS) + (random.nextInt(4) == 0 ? "{x}" : "");
    } else if (kind < 18) {
      return "%no_such_word";
    }
    String inner = pattern(random.nextInt(4), depth + 1);
    String group = of(groups);
    String after =
        group.equals("replace")
            ? of(List.of("{'a', 'b'}", "{'\\d+', '#'}", "{'e|\u00E9', ''}", ""))
            : "";
    return "%" + modifier() + group + "(" + inner + ")" + after;
  }

  private String modifier() {
    return random.nextInt(3) == 0 ? of(MODIFIERS) : "";
  }

  private <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
