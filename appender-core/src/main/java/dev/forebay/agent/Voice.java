package dev.forebay.agent;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reports to the user. Any thread; never blocks one of ours or a log call. */
public interface Voice extends BiConsumer<String, @Nullable Throwable> {

  default void info(String text) {}

  void warn(String text);

  default void warn(String text, @Nullable Throwable cause) {
    warn(text);
  }

  /** Reports that something does not work at all. */
  default void error(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }

  /** Printed on standard error, unless a listener receives reports. */
  default void lastResort(String text) {}

  /** Waits until all reports so far are made. */
  default void await(TimeLimit limit) {}

  @Override
  default void accept(String text, @Nullable Throwable cause) {
    warn(text, cause);
  }
}
