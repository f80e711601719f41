package dev.forebay.tiered.spool;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports to the user. Any thread but a log call's. */
public interface Voice extends Consumer<String>, BiConsumer<String, @Nullable Throwable> {

  /** Tells of something good. */
  void info(String text);

  /** Warns the user. */
  void warn(String text, @Nullable Throwable cause);

  /** Something does not work at all. */
  default void error(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }

  /** Warns. */
  @Override
  default void accept(String text) {
    warn(text, null);
  }

  /** Warns. */
  @Override
  default void accept(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }
}
