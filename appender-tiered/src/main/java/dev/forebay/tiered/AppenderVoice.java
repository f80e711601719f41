package dev.forebay.tiered;

import dev.forebay.Statuses;
import org.jspecify.annotations.Nullable;

/** Speaks as Logback statuses of the appender. */
final class AppenderVoice implements LogVoice {

  private final TieredAppender appender;
  private final Statuses statuses;
  private final LastResort lastResort;
  private boolean toldNeighbour;

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

  /** One of these others may be an appender of Logback's that started later. Looks once. */
  @Override
  public void changedByOthers() {
    if (!toldNeighbour) {
      toldNeighbour = true;
      LogNames names = LogNames.of(appender.file(), appender.rollingPolicy());
      LogClaims.Shared shared = new Neighbours(appender).find(names);
      if (shared != null) {
        statuses.error(shared.text() + ": give one of the two another", null);
      }
    }
  }
}
