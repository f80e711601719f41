package dev.forebay.tiered.spool;

import dev.forebay.observe.Printable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Warnings for the user, each of the newest 500 only once. Thread-safe. */
public final class Warnings {
  /** Bounds the memory that a directory full of garbage can take. */
  private static final int MAX_WARNINGS = 500;

  private final Set<String> known = new LinkedHashSet<>();

  private final List<String> pending = new ArrayList<>();

  public synchronized void add(String warning) {
    String line = Printable.text(warning);
    boolean isNew = !known.remove(line);
    known.add(line); // what is said again and again stays among the newest
    if (!isNew) {
      return;
    }
    if (known.size() > MAX_WARNINGS) {
      known.remove(known.iterator().next());
    }
    if (pending.size() < MAX_WARNINGS) {
      pending.add(line);
    }
  }

  synchronized List<String> take() {
    List<String> taken = List.copyOf(pending);
    pending.clear();
    return taken;
  }
}
