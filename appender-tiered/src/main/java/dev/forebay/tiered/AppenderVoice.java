package dev.forebay.tiered;

import dev.forebay.Statuses;
import org.jspecify.annotations.Nullable;

/** Reports as Logback statuses of the appender. */
final class AppenderVoice implements LogVoice {

  private final TieredAppender appender;
  private final Statuses statuses;
  private final LastResort lastResort;
  private boolean checkedNeighbours;

  AppenderVoice(TieredAppender appender, LastResort lastResort) {
    this.appender = appender;
    this.statuses = appender.statuses();
    this.lastResort = lastResort;
  }

  @Override
  public void info(String text) {
    statuses.info(text);
  }

  @Override
  public void warn(String text, @Nullable Exception cause) {
    statuses.warn(text, cause);
  }

  @Override
  public void error(String text, Exception cause) {
    statuses.error(text, cause);
  }

  @Override
  public void lasting(String text) {
    lastResort.failed("Appender [%s]: %s".formatted(appender.getName(), text));
  }

  @Override
  public void over() {
    lastResort.succeeded();
  }

  /** Checks once whether a Logback appender that started later writes to the same log. */
  @Override
  public void changedByOthers() {
    if (!checkedNeighbours) {
      checkedNeighbours = true;
      LogNames names = LogNames.of(appender.rawFileProperty(), appender.rollingPolicy());
      LogNames.Shared shared = new Neighbours(appender).find(names);
      if (shared != null) {
        statuses.error(shared.text() + ": change one of the two", null);
      }
    }
  }
}
