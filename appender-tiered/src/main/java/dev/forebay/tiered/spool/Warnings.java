package dev.forebay.tiered.spool;

import dev.forebay.observe.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Warnings for the user, each of the newest 500 only once. Thread-safe. */
final class Warnings {
  /** Bounds the memory that a directory full of garbage can take. */
  private static final int MAX_WARNINGS = 500;

  /** The newest ones. */
  private final Set<String> known =
      Collections.newSetFromMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > MAX_WARNINGS;
            }
          });

  private final List<String> pending = new ArrayList<>();

  synchronized void add(String warning) {
    String line = Printable.text(warning);
    if (known.add(line) && pending.size() < MAX_WARNINGS) {
      pending.add(line);
    }
  }

  synchronized List<String> take() {
    List<String> taken = List.copyOf(pending);
    pending.clear();
    return taken;
  }
}
