package dev.forebay.tiered.spool;

import dev.forebay.observe.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Observations for the user, each kept once however often it is made. Safe for any thread. */
final class Warnings {
  /** Bounds the memory a directory full of rubbish can take. */
  private static final int MAX_WARNINGS = 500;

  private final Set<String> told = new HashSet<>();
  private final List<String> untold = new ArrayList<>();

  synchronized void add(String warning) {
    String line = Printable.text(warning);
    if (told.size() < MAX_WARNINGS && told.add(line)) {
      untold.add(line);
    }
  }

  synchronized List<String> take() {
    List<String> taken = List.copyOf(untold);
    untold.clear();
    return taken;
  }
}
