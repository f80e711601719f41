package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.testkit.Events;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.KeyValuePair;

class EventWeightTest {

  @ParameterizedTest
  @MethodSource("argumentsAndWeights")
  void textAndArraysAmongTheArgumentsCount(Object argument, long bytes) {
    LoggingEvent event = Events.info("");
    event.setArgumentArray(new Object[] {"", argument});

    assertThat(EventWeight.of(event)).isEqualTo(bytes);
  }

  static Stream<Arguments> argumentsAndWeights() {
    Object[] itself = new Object[1];
    itself[0] = itself;
    String[] thousand = new String[1000];
    Arrays.fill(thousand, Events.text(50));
    return Stream.of(
        Arguments.of(Events.text(100), 200),
        Arguments.of(new byte[100], 100),
        Arguments.of(new boolean[100], 100),
        Arguments.of(new char[100], 200),
        Arguments.of(new int[100], 400),
        Arguments.of(new double[100], 800),
        Arguments.of(new Object[0], 0),
        Arguments.of(new Object[] {Events.text(50), null, 7, new byte[30]}, 4 * 4 + 100 + 30),
        Arguments.of(thousand, 1000 * (4 + 100)),
        Arguments.of(itself, 4),
        Arguments.of(7, 0),
        Arguments.of(new Object(), 0),
        Arguments.of(new IllegalStateException("text"), 0));
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
  void ofKeyValuePairsTextAndArraysCount() {
    LoggingEvent event = Events.info("");
    event.addKeyValuePair(new KeyValuePair("text", Events.text(100)));
    event.addKeyValuePair(new KeyValuePair("number", 7));
    event.addKeyValuePair(new KeyValuePair("null", null));
    event.addKeyValuePair(new KeyValuePair("bytes", new byte[10]));

    assertThat(EventWeight.of(event)).isEqualTo(210);
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
