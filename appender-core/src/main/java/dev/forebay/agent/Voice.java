package dev.forebay.agent;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports of our threads to the user. Any thread but a log call's. */
public interface Voice extends Consumer<String>, BiConsumer<String, @Nullable Throwable> {

  void info(String text);

  void warn(String text, @Nullable Throwable cause);

  /** Something does not work at all. */
  default void error(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }

  @Override
  default void accept(String text) {
    warn(text, null);
  }

  @Override
  default void accept(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }
}
