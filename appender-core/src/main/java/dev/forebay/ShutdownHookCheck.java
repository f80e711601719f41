package dev.forebay;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.CoreConstants;
import org.jspecify.annotations.Nullable;

/**
 * Detects Logback's {@code <shutdownHook/>} in an application whose framework stops Logback itself.
 * The JVM runs all hooks at once, so Logback's stops the appenders while the framework still logs.
 *
 * <p>Logback registers the hook before it creates any appender, wherever the element is. A
 * framework is recognised by the objects it stores in the context before it configures Logback, not
 * by its classes, which may be on the class path but not in use.
 */
public final class ShutdownHookCheck {

  /** The key under which Spring Boot stores its environment for the configuration. */
  private static final String OF_BOOT = "org.springframework.core.env.Environment";

  /** The package that Play excludes from the search for callers. */
  private static final String OF_PLAY = "play.api.Logger";

  private static final String PLAY = "Play";

  /**
   * {@code LoggerContext.stop} of the hook takes the context's configuration lock and then its
   * monitor; Play's {@code LogbackLoggerConfigurator.shutdown} takes the monitor first.
   */
  private static final String DEADLOCK =
      " Play stops Logback too, and the two may deadlock, so that the process never ends.";

  private ShutdownHookCheck() {}

  /** Adds one warning if there are both the hook and a framework. Otherwise the hook is fine. */
  public static void look(@Nullable Context context, ConfigFindings findings) {
    if (context == null || context.getObject(CoreConstants.SHUTDOWN_HOOK_THREAD) == null) {
      return;
    }
    String framework = framework(context);
    if (framework != null) {
      findings.warn(
          "<shutdownHook/> stops Logback while %s is still ending the application: events logged"
                  .formatted(framework)
              + " from then on are dropped."
              + (framework.equals(PLAY) ? DEADLOCK : "")
              + " Remove it: without it nothing is lost");
    }
  }

  /** Its name; null if there is none. */
  private static @Nullable String framework(Context context) {
    if (context.getObject(OF_BOOT) != null) {
      return "Spring Boot";
    }
    return context instanceof LoggerContext classic
            && classic.getFrameworkPackages().contains(OF_PLAY)
        ? PLAY
        : null;
  }
}
