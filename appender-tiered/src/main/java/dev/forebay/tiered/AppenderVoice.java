package dev.forebay.tiered;

import dev.forebay.Statuses;
import dev.forebay.tiered.spool.Voice;
import org.jspecify.annotations.Nullable;

/** Reports as Logback statuses of the appender. */
record AppenderVoice(Statuses statuses) implements Voice {

  @Override
  public void info(String text) {
    statuses.info(text);
  }

  @Override
  public void warn(String text, @Nullable Throwable cause) {
    statuses.warn(text, cause);
  }

  @Override
  public void error(String text, @Nullable Throwable cause) {
    statuses.error(text, cause);
  }
}
