package dev.forebay.tiered;

import org.jspecify.annotations.Nullable;

/** Reports on the log to the user. Used by the shipper's thread. */
interface LogVoice {

  /** Reports a recovery. */
  void info(String text);

  /** Warns the user. */
  void warn(String text, @Nullable Exception cause);

  /** The log could not be opened when the appender started. */
  void error(String text, Exception cause);

  /** Called after each failed attempt to write the log. */
  void lasting(String text);

  /** Called after each successful attempt to write the log. */
  void over();

  /** Others have changed the log. */
  void changedByOthers();
}
