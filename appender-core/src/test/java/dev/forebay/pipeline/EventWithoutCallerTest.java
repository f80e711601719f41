package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.testkit.Events;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MarkerFactory;
import org.slf4j.event.KeyValuePair;

class EventWithoutCallerTest {

  private static final StackTraceElement[] CALLER = {
    new StackTraceElement("Application", "main", "Application.java", 1)
  };

  private final LoggingEvent event = event();
  private final ILoggingEvent without = EventWithoutCaller.of(event);

  private static LoggingEvent event() {
    LoggerContext context = Events.context("without-caller");
    LoggingEvent event =
        new LoggingEvent(
            EventWithoutCallerTest.class.getName(),
            context.getLogger("application"),
            Level.WARN,
            "{} of {}",
            new IllegalStateException("thrown"),
            new Object[] {1, 2});
    event.setThreadName("caller");
    event.setInstant(Instant.ofEpochSecond(1_767_268_800, 123_456_789));
    event.setSequenceNumber(42);
    event.setMDCPropertyMap(Map.of("user", "u1"));
    event.addMarker(MarkerFactory.getMarker("MARKER"));
    event.addKeyValuePair(new KeyValuePair("key", "value"));
    return event;
  }

  /** Those of the newest Logback too, whichever they are. */
  private static List<Method> questions() {
    return Stream.of(ILoggingEvent.class.getMethods())
        .filter(method -> method.getParameterCount() == 0 && method.getReturnType() != void.class)
        .filter(method -> !method.getName().equals("getCallerData"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("questions")
  void everyOtherQuestionIsAnsweredByTheEvent(Method question) throws Exception {
    assertThat(question.invoke(without)).isEqualTo(question.invoke(event));
  }

  @Test
  void itLooksAsTheEventDoes() {
    assertThat(without).hasToString(event.toString());
  }

  @Test
  void anUnknownCallerIsEmpty() {
    assertThat(without.hasCallerData()).isFalse();
    assertThat(without.getCallerData()).isEmpty();
  }

  @Test
  void aKnownCallerIsHandedOn() {
    event.setCallerData(CALLER);

    assertThat(EventWithoutCaller.of(event)).isSameAs(event);
    assertThat(without.hasCallerData()).isTrue();
    assertThat(without.getCallerData()).isEqualTo(CALLER);
  }

  @Test
  void preparingItPreparesTheEvent() throws Exception {
    LoggingEvent fresh = Events.event(Level.INFO, "event");
    EventWithoutCaller.of(fresh).prepareForDeferredProcessing();
    AtomicReference<String> seen = new AtomicReference<>();
    Thread other = new Thread(() -> seen.set(fresh.getThreadName()), "other");
    other.start();
    other.join();

    assertThat(seen).hasValue(Thread.currentThread().getName());
  }
}
