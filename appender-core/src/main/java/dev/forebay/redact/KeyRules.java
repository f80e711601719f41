package dev.forebay.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which names are those of secrets. The decision for a name is kept. Any thread. */
final class KeyRules {

  private static final int KEPT = 512;
  private static final int SPREAD = 9;

  /** Longer names are not kept. */
  private static final int LONG = 128;

  /** A decision, immutable: whichever thread's is in the array, it is right. */
  private record Decision(String name, int rule) {}

  private final List<Pattern> globs = new ArrayList<>();
  private final int firstRule;
  private final @Nullable Decision[] kept = new @Nullable Decision[KEPT];

  /**
   * @param keys names, in which * stands for any characters
   * @param firstRule number of the first; the others follow
   */
  KeyRules(List<String> keys, int firstRule) {
    this.firstRule = firstRule;
    for (String key : keys) {
      StringBuilder glob = new StringBuilder();
      for (String part : key.toLowerCase(Locale.ROOT).split("\\*", -1)) {
        glob.append(glob.length() == 0 ? "" : ".*").append(Pattern.quote(part));
      }
      globs.add(Pattern.compile(glob.toString(), Pattern.DOTALL));
    }
  }

  /** The rule for a name; -1 if there is none. */
  @SuppressWarnings("ReferenceEquality") // faster, and nearly always the same
  int of(@Nullable String name) {
    if (name == null) {
      return -1;
    }
    int hash = name.hashCode();
    int slot = (hash ^ hash >>> SPREAD) & KEPT - 1;
    Decision known = kept[slot];
    return known != null && (known.name == name || known.name.equals(name))
        ? known.rule
        : decide(name, slot);
  }

  private int decide(String name, int slot) {
    String lower = name.toLowerCase(Locale.ROOT);
    int rule = -1;
    for (int i = 0; i < globs.size() && rule < 0; i++) {
      rule = globs.get(i).matcher(lower).matches() ? firstRule + i : -1;
    }
    if (name.length() <= LONG) {
      kept[slot] = new Decision(name, rule);
    }
    return rule;
  }
}
