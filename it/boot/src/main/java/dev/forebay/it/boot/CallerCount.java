package dev.forebay.it.boot;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;

/**
 * Named in {@code logging.structured.json.customizer}: counts the events that log calls encode, for
 * each of Boot's encoders. Adds nothing to a line.
 */
public final class CallerCount implements StructuredLoggingJsonMembersCustomizer<ILoggingEvent> {

  private static final List<LongAdder> COUNTS = new CopyOnWriteArrayList<>();

  /** For Boot. */
  public CallerCount() {}

  @Override
  public void customize(JsonWriter.Members<ILoggingEvent> members) {
    LongAdder count = new LongAdder();
    COUNTS.add(count);
    members.add("unused", (ILoggingEvent event) -> count(event, count)).whenNotNull();
  }

  private static @Nullable String count(ILoggingEvent event, LongAdder count) {
    if (Thread.currentThread().getName().equals(event.getThreadName())) {
      count.increment();
    }
    return null;
  }

  /** The counts, in the order of the encoders in the configuration. */
  static String all() {
    return COUNTS.stream().map(LongAdder::toString).collect(Collectors.joining(" "));
  }
}
