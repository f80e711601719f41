package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventKeyTest {

  private static final Map<String, String> ONE = Map.of("traceId", "7f3a");

  private final EventKey key = new EventKey("traceId");

  private static ILoggingEvent event(Map<String, String> mdc) {
    LoggingEvent event = new LoggingEvent();
    event.setMDCPropertyMap(mdc);
    return event;
  }

  private String valueOf(Map<String, String> mdc) {
    return new String(key.of(event(mdc), false).bytes, StandardCharsets.UTF_8);
  }

  @Test
  void eventsOfOneRequestShareTheirValueAndOthersHaveTheirOwn() {
    assertThat(valueOf(ONE)).isEqualTo("7f3a");
    assertThat(key.of(event(ONE), false)).isSameAs(key.of(event(ONE), false));
    assertThat(valueOf(Map.of("traceId", "0"))).isEqualTo("0");
    assertThat(valueOf(Map.of("other", "1"))).isEmpty();
    assertThat(valueOf(ONE)).isEqualTo("7f3a");
  }

  @Test
  void aTriggerWithoutTheKeyMayComeFromAThreadThatNobodyKnows() {
    ILoggingEvent event =
        (ILoggingEvent)
            Proxy.newProxyInstance(
                EventKeyTest.class.getClassLoader(),
                new Class<?>[] {ILoggingEvent.class},
                (proxy, method, values) ->
                    method.getName().equals("getMDCPropertyMap") ? Map.of() : null);

    assertThat(key.of(event, true).exists()).isFalse();
  }
}
