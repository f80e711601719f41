package dev.forebay.tiered.jvm;

import org.jspecify.annotations.Nullable;

/** Tells the user. Must not throw. */
public interface JvmVoice {

  /** A mistake in the configuration. */
  void error(String text);

  /** Something else that the user should know. */
  void warn(String text, @Nullable Throwable cause);
}
