package dev.forebay.jvm;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.CallerData;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.observe.Levels;
import dev.forebay.tiered.jvm.LineListener;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Makes an event of each of the JVM's lines, of one logger, if its level allows, with the JVM's
 * time, level and tags. The tags name no logger: a message that contains lines can forge them. For
 * the flusher's thread.
 */
final class LineEvents implements LineListener {

  static final String LOGGER = "jvm";
  static final String THREAD = "JVM";
  static final String TAGS = "jvm.tags";

  /** Has the form of a caller, so that none is determined and no warning says there is none. */
  private static final StackTraceElement[] NO_CALLER = {CallerData.naInstance()};

  private final LoggerContext context;
  private final Logger logger;
  private final InstantSource clock;
  private final Consumer<ILoggingEvent> events;

  private Decorations decorations;

  /** Whether the next piece is the rest of a line that was longer than one piece. */
  private boolean isRestNext;

  LineEvents(LoggerContext context, InstantSource clock, Consumer<ILoggingEvent> events) {
    this.context = context;
    this.logger = context.getLogger(LOGGER);
    this.decorations = new Decorations("");
    this.clock = clock;
    this.events = events;
  }

  @Override
  public void begin(String decorators) {
    decorations = new Decorations(decorators);
    isRestNext = false;
  }

  @Override
  public void line(byte[] bytes, int start, int length) {
    boolean isRest = isRestNext;
    boolean hasEnd = bytes[start + length - 1] == '\n';
    isRestNext = !hasEnd && length == MAX_BYTES;
    if (isRest) {
      return;
    }
    String line = new String(bytes, start, length - (hasEnd ? 1 : 0), StandardCharsets.UTF_8);
    boolean unused = decorations.read(line);
    Level level = Level.convertAnSLF4JLevel(Levels.of(decorations.level));
    if (level.isGreaterOrEqual(logger.getEffectiveLevel())) {
      events.accept(event(level, line.substring(decorations.messageStart), decorations.time));
    }
  }

  private ILoggingEvent event(Level level, String message, @Nullable Instant written) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerName(LOGGER);
    event.setLoggerContextRemoteView(context.getLoggerContextRemoteView());
    event.setLevel(level);
    event.setMessage(message);
    event.setThreadName(THREAD);
    event.setInstant(written == null ? clock.instant() : written);
    event.setMDCPropertyMap(Map.of());
    event.setCallerData(NO_CALLER);
    if (!decorations.tags.isEmpty()) {
      event.addKeyValuePair(new KeyValuePair(TAGS, decorations.tags));
    }
    return event;
  }
}
