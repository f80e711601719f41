package dev.forebay.agent;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Warns of each thing once, until it is over. For one thread at a time. */
public final class Once {

  private final Voice voice;
  private final Set<String> said = new HashSet<>();

  public Once(Voice voice) {
    this.voice = voice;
  }

  /** Warns, unless it has since the thing, a name that the user does not see, was last over. */
  public void warn(String thing, String text, @Nullable Throwable cause) {
    if (said.add(thing)) {
      voice.warn(text, cause);
    }
  }

  public void warn(String thing, String text) {
    warn(thing, text, null);
  }

  /** Whether a warning of the thing would be given; asked where making its text costs too much. */
  public boolean isOver(String thing) {
    return !said.contains(thing);
  }

  public void over(String thing) {
    said.remove(thing);
  }
}
