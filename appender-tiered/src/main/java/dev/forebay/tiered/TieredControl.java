package dev.forebay.tiered;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.TieredAppenderMXBean;
import dev.forebay.pipeline.ControlEndpoint;
import dev.forebay.pipeline.JmxRegistration;
import dev.forebay.pipeline.NamedBean;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.tiered.control.ControlPost;
import dev.forebay.tiered.control.TimedLevels;
import dev.forebay.tiered.spool.OwnSpool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What JMX and the socket may do to one start of a tiered appender. Any thread. */
final class TieredControl extends TieredView implements ControlMXBean {

  /** How long a request waits for the disk. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private TieredControl(TieredStart start) {
    super(start);
  }

  /** With {@code <control>false</control>}, or before the first start, it can only be looked at. */
  static AppenderMXBean bean(TieredAppender appender) {
    TieredStart start = appender.newest();
    if (start == null) {
      return new PipelineBean(appender.ledger, appender.gate);
    }
    return start.context.settings().control() ? new TieredControl(start) : new TieredView(start);
  }

  /** The endpoint: JMX and the socket, or read-only JMX with {@code <control>false</control>}. */
  static ControlEndpoint endpoint(TieredStart start) {
    if (!start.context.settings().control()) {
      return jmx(start, new NamedBean(new TieredView(start), TieredAppenderMXBean.class));
    }
    TieredControl control = new TieredControl(start);
    return new ControlPost(
        control,
        jmx(start, new NamedBean(control, ControlMXBean.class)),
        control::spoolDirectory,
        start.context.voice());
  }

  private static JmxRegistration jmx(TieredStart start, NamedBean bean) {
    return new JmxRegistration(
        start.context.loggers(), start.context.ring().appender(), bean, start.context.voice());
  }

  /** Null if no spool outlives the process. */
  private @Nullable Path spoolDirectory() {
    OwnSpool spool = start.spool();
    return spool == null || spool.isInHeap() ? null : spool.path();
  }

  @Override
  public Map<String, String> getLevels() {
    return hasLevels() ? TimedLevels.of(start.context.loggers()).show() : Map.of();
  }

  @Override
  public String setLevel(String logger, String level, int seconds) {
    if (!hasLevels()) {
      throw new IllegalStateException(
          "appender [%s] is of access events, which have no level: ask one of log events"
              .formatted(start.context.ring().appender()));
    }
    return TimedLevels.of(start.context.loggers()).set(logger, level, seconds);
  }

  private boolean hasLevels() {
    return start.appender.getContext() instanceof LoggerContext;
  }

  /** Flushes first, so that the file ends with what was logged before. */
  @Override
  public String rotate() {
    boolean unused = start.appender.flush(PATIENCE);
    CompletableFuture<String> answer = start.requestRoll();
    if (!start.context.clock().limit(PATIENCE).await(answer::isDone)) {
      throw new IllegalStateException(
          "not rolled in %d s, but as soon as the log can be written: %s"
              .formatted(PATIENCE.toSeconds(), getDegraded()));
    }
    String obstacle = answer.join();
    if (!obstacle.isEmpty()) {
      throw new IllegalStateException("not rolled: " + obstacle);
    }
    return "rolled " + start.appender.rawFileProperty();
  }
}
