package dev.forebay.tiered;

import dev.forebay.tiered.spool.Voice;
import org.jspecify.annotations.Nullable;

/** Says nothing. */
final class SilentVoice implements Voice {

  @Override
  public void info(String text) {}

  @Override
  public void warn(String text, @Nullable Throwable cause) {}

  @Override
  public void error(String text, @Nullable Throwable cause) {}
}
