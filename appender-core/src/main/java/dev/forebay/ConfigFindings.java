package dev.forebay;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.status.Status;
import dev.forebay.agent.Voice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Problems of a configuration. Errors make it unusable; warnings name settings with no or a reduced
 * effect. Every text names the element, its value and the limit.
 *
 * @hidden
 */
public final class ConfigFindings {

  /** The beginning of a message of Logback 1.5.13 to 1.6.6; names of element and class follow. */
  private static final String IGNORED = "Ignoring unknown property [";

  private final List<String> errors = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  public ConfigFindings() {}

  public void error(String text) {
    errors.add(text);
  }

  public void warn(String text) {
    warnings.add(text);
  }

  /** Adds an error unless {@code value} is between two limits, inclusive. */
  public void requireRange(String element, long value, long min, long max, String unit) {
    if (value < min || value > max) {
      error(
          "<%s> is %d%s: must be between %d and %d%s"
              .formatted(element, value, unit, min, max, unit));
    }
  }

  /**
   * Parses a time to milliseconds; if it is invalid, adds an error and returns {@code instead}.
   *
   * @param text a time for {@link TimeText}; null if not configured
   */
  public long timeMs(String element, @Nullable String text, long instead) {
    if (text == null) {
      return instead;
    }
    OptionalLong ms = TimeText.toMs(text);
    if (ms.isEmpty()) {
      error(
          "<%s> is \"%s\": must be a time, such as %s".formatted(element, text, TimeText.EXAMPLES));
    }
    return ms.orElse(instead);
  }

  /**
   * Adds a warning if log calls do not determine their callers and a pattern has words for that.
   */
  public void checkCallers(PipelineOptions options, List<String> words) {
    if (!options.includeCallerData && !words.isEmpty()) {
      warn(
          "the encoder has %s, which will be question marks or missing: set <includeCallerData> to true, at about 8 µs a log call, or remove it"
              .formatted(String.join(", ", words)));
    }
  }

  /** Adds a warning if an encoder has parts of which it is not known what they read. */
  public void checkForeign(Collection<String> parts, String otherwise) {
    if (!parts.isEmpty()) {
      warn(
          "the encoder has %s, which is not one of Logback's and runs on a thread of the appender: what it reads from the thread that logs, such as a ThreadLocal, is missing; put that into the MDC, %s"
              .formatted(String.join(", ", parts), otherwise));
    }
  }

  /**
   * Adds a warning if there are Logback's {@code <shutdownHook/>} and a framework that stops
   * Logback itself: the JVM runs all hooks at once, so Logback's stops the appenders while the
   * framework still logs. {@code LoggerContext.stop} of the hook takes the context's configuration
   * lock and then its monitor; Play's {@code LogbackLoggerConfigurator.shutdown} takes the monitor
   * first.
   *
   * <p>A framework is recognised by what it stores in the context before it configures Logback, not
   * by its classes, which may be on the class path but not in use.
   */
  public void checkShutdownHook(@Nullable Context context) {
    if (context == null || context.getObject(CoreConstants.SHUTDOWN_HOOK_THREAD) == null) {
      return;
    }
    boolean isBoot = context.getObject("org.springframework.core.env.Environment") != null;
    boolean isPlay =
        context instanceof LoggerContext classic
            && classic.getFrameworkPackages().contains("play.api.Logger");
    if (isBoot || isPlay) {
      warn(
          "<shutdownHook/> stops Logback while %s is still ending the application: events logged from then on are dropped.%s Remove it: without it nothing is lost"
              .formatted(
                  isBoot ? "Spring Boot" : "Play",
                  isBoot
                      ? ""
                      : " Play stops Logback too, and the two may deadlock, so that the process never ends."));
    }
  }

  /** Adds a warning for each element of ours that Logback did not know and has ignored. */
  public void checkElements(@Nullable Context context) {
    List<Status> statuses =
        context == null ? List.of() : context.getStatusManager().getCopyOfStatusList();
    for (Status status : statuses) {
      String text = status.getLevel() == Status.INFO ? "" : String.valueOf(status.getMessage());
      if (text.startsWith(IGNORED) && text.contains("] in [dev.forebay.")) {
        checkElement(
            text.substring(IGNORED.length(), text.length() - 1).split("] in \\["), statuses);
      }
    }
  }

  private void checkElement(String[] element, List<Status> statuses) {
    try {
      Class<?> type = Class.forName(element[1], false, getClass().getClassLoader());
      String nearest = Misspellings.nearest(element[0], Misspellings.elements(type));
      String text =
          "<%s> is no element of %s: ignored; the nearest one is <%s>"
              .formatted(element[0], element[1], nearest);
      if (statuses.stream().noneMatch(one -> String.valueOf(one.getMessage()).endsWith(text))) {
        warn(text); // no other appender has warned
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      // A class of another class loader: Logback's own text must do.
    }
  }

  /** Adds an error in a server's access log: log calls would throw on its events. */
  public void checkEvents(@Nullable Context context, PipelineOptions options) {
    if (context != null
        && !options.carriesOthers
        && context.getClass().getName().startsWith("ch.qos.logback.access.")) {
      error(
          "it takes log events, no requests: in an access log write dev.forebay.access.AccessTieredAppender or AccessNonBlockingAppender");
    }
  }

  /** Whether the configuration is unusable. */
  public boolean hasErrors() {
    return !errors.isEmpty();
  }

  /** Reports everything. */
  public void reportTo(Voice voice) {
    for (String text : warnings) {
      voice.warn(text);
    }
    for (String text : errors) {
      voice.error("not started: " + text, null);
    }
  }
}
