package dev.forebay.tiered.flight;

import org.jspecify.annotations.Nullable;

/** Reports on the flight recorder to the user. Any thread but a log call's. */
public interface FlightVoice {

  /** Tells of something good. */
  void info(String text);

  /** Warns the user. */
  void warn(String text, @Nullable Throwable cause);
}
