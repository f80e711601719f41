package dev.forebay.tiered.spool;

import org.jspecify.annotations.Nullable;

/** Reports to the user. Any thread but a log call's. */
public interface Voice {

  /** Tells of something good. */
  void info(String text);

  /** Warns the user. */
  void warn(String text, @Nullable Throwable cause);

  /** Something does not work at all. */
  default void error(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }
}
