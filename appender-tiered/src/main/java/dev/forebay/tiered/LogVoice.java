package dev.forebay.tiered;

import org.jspecify.annotations.Nullable;

/** What the user hears of the log. Used by the shipper's thread. */
interface LogVoice {

  /** Good news. */
  void info(String text);

  /** What is worth knowing. */
  void warn(String text, @Nullable Exception cause);

  /** The log could not be opened when the appender started. */
  void error(String text, Exception cause);

  /** An attempt to write the log has failed, the first one or another one. */
  void lasting(String text);

  /** The log could be written. */
  void over();

  /** Others have changed the log. */
  void changedByOthers();
}
