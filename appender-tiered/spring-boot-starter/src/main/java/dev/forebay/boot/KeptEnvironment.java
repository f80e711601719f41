package dev.forebay.boot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Keeps Boot's environment in a context: a reset removes it, and after a reset by Logback's scan
 * Boot does not put it back. On the thread that configures Logback.
 */
final class KeptEnvironment implements LoggerContextListener {

  private static final String KEY = "org.springframework.core.env.Environment";

  private final ConfigurableEnvironment environment;

  private KeptEnvironment(ConfigurableEnvironment environment) {
    this.environment = environment;
  }

  /** The environment, kept from now on; null if Boot has not configured the context yet. */
  static @Nullable ConfigurableEnvironment of(LoggerContext context) {
    if (!(context.getObject(KEY) instanceof ConfigurableEnvironment found)) {
      return null;
    }
    for (LoggerContextListener each : context.getCopyOfListenerList()) {
      if (each instanceof KeptEnvironment) {
        context.removeListener(each);
      }
    }
    context.addListener(new KeptEnvironment(found));
    return found;
  }

  @Override
  public boolean isResetResistant() {
    return true;
  }

  @Override
  public void onReset(LoggerContext context) {
    context.putObject(KEY, environment);
  }

  @Override
  public void onStart(LoggerContext context) {}

  /** A stop resets the context first, and forgets its listeners after. */
  @Override
  public void onStop(LoggerContext context) {
    context.removeObject(KEY);
  }

  @Override
  public void onLevelChange(Logger logger, Level level) {}
}
