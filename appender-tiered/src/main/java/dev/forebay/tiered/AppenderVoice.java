package dev.forebay.tiered;

import dev.forebay.Statuses;
import dev.forebay.tiered.spool.Voice;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports as Logback statuses of the appender. */
record AppenderVoice(Statuses statuses)
    implements Voice, Consumer<String>, BiConsumer<String, @Nullable Throwable> {

  /** Warns. */
  @Override
  public void accept(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }

  /** Warns. */
  @Override
  public void accept(String text) {
    warn(text, null);
  }

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
