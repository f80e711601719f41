package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.testkit.Events;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class EventWeightTest {

  @Test
  void aMessageWeighsTwoBytesACharacter() {
    assertThat(EventWeight.of(Events.info(Events.text(1000)))).isEqualTo(2000);
    assertThat(EventWeight.of(Events.info(""))).isZero();
  }

  @Test
  void theFormattedMessageCountsNotItsPattern() {
    LoggingEvent event = Events.info("{}");
    event.setArgumentArray(new Object[] {Events.text(500)});

    assertThat(EventWeight.of(event)).isEqualTo(1000);
  }

  @Test
  void aStackTraceWeighsByItsFramesWithCausesAndSuppressed() {
    Throwable cause = thrown("c", 10);
    Throwable top = new IllegalStateException("top", cause);
    top.setStackTrace(frames(20));
    top.addSuppressed(thrown("s", 5));

    assertThat(EventWeight.of(Events.event(Level.ERROR, "", top)))
        .isEqualTo(35L * EventWeight.FRAME_BYTES + 2L * ("c" + "top" + "s").length());
  }

  @Test
  void endlessCausesHaveAnEnd() {
    Throwable first = thrown("first", 1);
    Throwable second = new IllegalStateException("second", first);
    first.initCause(second);

    assertThat(EventWeight.of(Events.event(Level.ERROR, "", first))).isPositive();
  }

  @Test
  void textValuesCountAndOthersDoNot() {
    LoggingEvent event = Events.info("");
    event.addKeyValuePair(new KeyValuePair("text", Events.text(100)));
    event.addKeyValuePair(new KeyValuePair("number", 7));
    event.addKeyValuePair(new KeyValuePair("null", null));

    assertThat(EventWeight.of(event)).isEqualTo(200);
  }

  private static Throwable thrown(String message, int frames) {
    Throwable thrown = new IllegalStateException(message);
    thrown.setStackTrace(frames(frames));
    return thrown;
  }

  private static StackTraceElement[] frames(int count) {
    StackTraceElement[] frames = new StackTraceElement[count];
    for (int i = 0; i < count; i++) {
      frames[i] = new StackTraceElement("C", "m" + i, "C.java", i);
    }
    return frames;
  }
}
