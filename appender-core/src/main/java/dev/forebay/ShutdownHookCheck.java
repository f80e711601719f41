package dev.forebay;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.CoreConstants;
import org.jspecify.annotations.Nullable;

/**
 * Finds Logback's {@code <shutdownHook/>} in an application whose framework stops Logback itself.
 * The JVM runs all hooks at once, so Logback's stops the appenders while the framework's still
 * logs.
 *
 * <p>Logback registers the hook before it makes any appender, wherever the element stands. The
 * frameworks are known by what they leave in the context before they configure it; none of their
 * classes is looked for, since a class path may hold one that does not run.
 */
public final class ShutdownHookCheck {

  /** The name under which Spring Boot puts its environment for the configuration to read. */
  private static final String OF_BOOT = "org.springframework.core.env.Environment";

  /** What Play has Logback pass over when it looks for a caller. */
  private static final String OF_PLAY = "play.api.Logger";

  private ShutdownHookCheck() {}

  /**
   * Adds one warning if the hook and a framework are there. In any other application the hook is in
   * order.
   */
  public static void look(@Nullable Context context, ConfigFindings findings) {
    if (context == null || context.getObject(CoreConstants.SHUTDOWN_HOOK_THREAD) == null) {
      return;
    }
    String framework = framework(context);
    if (framework != null) {
      findings.warn(
          "<shutdownHook/> stops Logback while %s is still ending the application: what is logged"
                  .formatted(framework)
              + " from then on is dropped. Remove it: without it nothing is lost");
    }
  }

  /** Its name; null where there is none. */
  private static @Nullable String framework(Context context) {
    if (context.getObject(OF_BOOT) != null) {
      return "Spring Boot";
    }
    return context instanceof LoggerContext classic
            && classic.getFrameworkPackages().contains(OF_PLAY)
        ? "Play"
        : null;
  }
}
