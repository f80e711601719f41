package dev.forebay.tiered;

import org.jspecify.annotations.Nullable;

/** Says nothing. */
final class SilentVoice implements LogVoice {

  @Override
  public void info(String text) {}

  @Override
  public void warn(String text, @Nullable Exception cause) {}

  @Override
  public void error(String text, Exception cause) {}

  @Override
  public void lasting(String text) {}

  @Override
  public void over() {}

  @Override
  public void changedByOthers() {}
}
