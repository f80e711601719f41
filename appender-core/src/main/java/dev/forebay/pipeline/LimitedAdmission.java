package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The callers' side of a pipeline with rate limits: refuses an event before its message is
 * formatted, and counts it by logger.
 *
 * <p>A subclass, so that without limits it is not loaded and log calls have no additional branch.
 * With a limit, a call that it concerns reads the clock: the time in the event is that of a wall
 * clock, which is set back and forth, or of another machine.
 */
final class LimitedAdmission extends Admission {

  /** Longer names first: the first one that covers a logger applies. */
  private final RateLimit[] limits;

  private LimitedAdmission(PipelineSettings settings, CallTurns turns) {
    super(settings, turns);
    long nowNs = clock.nanoTime();
    this.limits =
        settings.limits().stream()
            .sorted(Comparator.comparing(limit -> -limit.logger().length()))
            .map(limit -> new RateLimit(limit, nowNs, settings.redactor()))
            .toArray(RateLimit[]::new);
    ledger.countLimitedByLogger();
    rehearse(nowNs);
  }

  /** An admission with the limits of the settings. */
  static Admission of(PipelineSettings settings, CallTurns turns) {
    return new LimitedAdmission(settings, turns);
  }

  /** First uses take more of a caller's stack, as {@link LogCallWarmup} says. */
  private static void rehearse(long nowNs) {
    Ledger other = new Ledger();
    other.countLimitedByLogger();
    RateLimit limit = new RateLimit(new LimitSettings("a", 1, 1, 1, 0), nowNs, null);
    for (int i = 0; i < 2 && limit.covers("a.b"); i++) {
      String refused = limit.refuse("a.b", "{}", nowNs);
      if (refused != null) {
        other.limit(0, refused, 0);
      }
    }
  }

  @Override
  void offer(ILoggingEvent event, int[] caller) {
    if (closed || !refuses(event)) {
      super.offer(event, caller);
    }
  }

  private boolean refuses(ILoggingEvent event) {
    String name = EventPart.of(event, ILoggingEvent::getLoggerName);
    String logger = Objects.requireNonNullElse(name, ""); // if made by hand
    RateLimit limit = limitOf(logger);
    int level = Levels.indexOf(event);
    if (limit == null
        || level >= limit.exemptFrom
        || logger.equals(OwnEvent.LOGGER)) { // a refused report would cause another one
      return false;
    }
    String refused =
        limit.refuse(logger, EventPart.of(event, ILoggingEvent::getMessage), clock.nanoTime());
    if (refused != null) {
      ledger.limit(level, refused, event.getTimeStamp());
    }
    return refused != null;
  }

  private @Nullable RateLimit limitOf(String logger) {
    for (RateLimit limit : limits) {
      if (limit.covers(logger)) {
        return limit;
      }
    }
    return null;
  }
}
