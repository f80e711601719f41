package dev.forebay.jvm;

import static dev.forebay.jvm.JvmRig.LONG;
import static dev.forebay.jvm.JvmRig.collect;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import dev.forebay.host.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The lines of this very JVM's log as events for other appenders. */
class JvmEventsTest {

  private static final Pattern LINE =
      Pattern.compile("\\[\\d+ns\\]\\[(\\w+)\\]\\[([\\w,]+)\\] (.*)");

  @AutoClose private final JvmRig rig = JvmRig.create();

  private ListAppender<ILoggingEvent> list() {
    ListAppender<ILoggingEvent> list = new ListAppender<>();
    list.setContext(rig.context);
    list.setName("LIST");
    list.start();
    return list;
  }

  private JvmLogAppender started(Appender<ILoggingEvent> attached) {
    JvmLogAppender appender = rig.appender();
    appender.addAppender(attached);
    return rig.started(appender);
  }

  /** As the line of the log, without its time. */
  private static String described(ILoggingEvent event) {
    return "%s %s %s"
        .formatted(
            event.getKeyValuePairs().get(0).value, event.getLevel(), event.getFormattedMessage());
  }

  private static String described(String line) {
    Matcher matcher = LINE.matcher(line);
    assertThat(matcher.matches()).as(line).isTrue();
    return "%s %s %s"
        .formatted(
            matcher.group(2),
            matcher.group(1).replace("warning", "warn").toUpperCase(java.util.Locale.ROOT),
            matcher.group(3));
  }

  @Test
  void eachLineOfTheLogIsOneEvent() throws Exception {
    ListAppender<ILoggingEvent> list = list();
    Instant before = Instant.now();
    JvmLogAppender appender = started(list);
    collect(20);
    assertThat(appender.flush(LONG)).isTrue();
    assertThat(list.list).isNotEmpty();
    collect(5); // read by the stop
    appender.stop();
    assertThat(rig.pauses()).isPositive();
    assertThat(list.list)
        .extracting(JvmEventsTest::described)
        .isEqualTo(rig.text().lines().map(JvmEventsTest::described).toList());
    assertThat(list.list)
        .extracting(ILoggingEvent::getInstant)
        .allSatisfy(time -> assertThat(time).isBetween(before.minusMillis(50), Instant.now()));
    assertThat(list.isStarted()).as("it is not ours").isTrue();
    assertThat(rig.problems()).isEmpty();
  }

  /** As a file appender on a disk that hangs. */
  @Test
  void anAppenderThatBlocksHoldsUpNoLine() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AppenderBase<ILoggingEvent> blocking =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            Await.latch(end);
          }
        };
    blocking.setContext(rig.context);
    blocking.setName("BLOCKING");
    blocking.start();
    UlTruth truth = rig.truth();
    JvmLogAppender appender = started(blocking);
    collect(10);
    String written = truth.text();
    Await.until(
        "the log has all lines",
        () ->
            rig.text().contains(written.substring(written.lastIndexOf('[', written.length() - 2))));
    assertThat(appender.flush(Duration.ofMillis(500))).as("the events wait").isFalse();
    end.countDown();
    appender.stop();
    // Two threads write to one output after the other: there their lines may change places.
    List<String> lines = rig.text().lines().toList();
    assertThat(lines).doesNotHaveDuplicates();
    assertThat(truth.end().lines().toList()).containsAll(lines);
    assertThat(rig.problems()).isEmpty();
  }
}
