package dev.forebay.tiered;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.ControlEndpoint;
import dev.forebay.pipeline.NamedBean;
import dev.forebay.tiered.control.ControlPost;
import dev.forebay.tiered.control.TimedLevels;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.spool.OwnSpool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What JMX and the socket may do to one start of a tiered appender. Any thread. */
final class TieredControl extends TieredView implements ControlMXBean {

  /** How long a request waits for the disk. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final AppendGate gate;
  private final FileAppender<?> appender;
  private final Supplier<CompletableFuture<String>> rolls;

  /**
   * @param rolls has the log rolled soon; answers as {@link RollingLog#requestRoll}
   */
  TieredControl(
      StartContext context,
      AppendGate gate,
      Supplier<? extends @Nullable OwnSpool> place,
      @Nullable Flight flight,
      FileAppender<?> appender,
      Supplier<CompletableFuture<String>> rolls) {
    super(context, gate, place, flight);
    this.gate = gate;
    this.appender = appender;
    this.rolls = rolls;
  }

  /** JMX and the socket. */
  @Override
  ControlEndpoint endpoint() {
    return new ControlPost(
        this, jmx(new NamedBean(this, ControlMXBean.class)), this::spoolDirectory, context.voice());
  }

  /** Null if no spool outlives the process. */
  private @Nullable Path spoolDirectory() {
    OwnSpool spool = place.get();
    return spool == null || spool.isInHeap() ? null : spool.path();
  }

  @Override
  public Map<String, String> getLevels() {
    return hasLevels() ? TimedLevels.of(context.loggers()).show() : Map.of();
  }

  @Override
  public String setLevel(String logger, String level, int seconds) {
    if (!hasLevels()) {
      throw new IllegalStateException(
          "appender [%s] is of access events, which have no level: ask one of log events"
              .formatted(context.ring().appender()));
    }
    return TimedLevels.of(context.loggers()).set(logger, level, seconds);
  }

  private boolean hasLevels() {
    return appender.getContext() instanceof LoggerContext;
  }

  /** Flushes first, so that the file ends with what was logged before. */
  @Override
  public String rotate() {
    boolean unused = gate.flush(PATIENCE);
    CompletableFuture<String> answer = rolls.get();
    if (!context.clock().limit(PATIENCE).await(answer::isDone)) {
      throw new IllegalStateException(
          "not rolled in %d s, but as soon as the log can be written: %s"
              .formatted(PATIENCE.toSeconds(), getDegraded()));
    }
    String obstacle = answer.join();
    if (!obstacle.isEmpty()) {
      throw new IllegalStateException("not rolled: " + obstacle);
    }
    return "rolled " + appender.rawFileProperty();
  }
}
