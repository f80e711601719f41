package dev.forebay.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.CallerData;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.Levels;
import dev.forebay.tiered.jvm.LineListener;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineEventsTest {

  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");
  private static final String ALL =
      "[2026-11-23T11:29:37.530+0000][2026-11-23T11:29:37.530+0000][0.012s][1795433377530ms]"
          + "[11ms][24697475530070ns][11942919ns][vm][21321][21323][debug][gc,heap  ] Heap [x] ";

  private final LoggerContext context = new LoggerContext();
  private final List<ILoggingEvent> events = new ArrayList<>();
  private final LineEvents lines = new LineEvents(context, InstantSource.fixed(NOW), events::add);

  LineEventsTest() {
    lines.begin("utctime,level,tags");
  }

  private void line(String text) {
    byte[] bytes = ("-" + text).getBytes(StandardCharsets.UTF_8);
    lines.line(bytes, 1, bytes.length - 1);
  }

  @Test
  void aLineIsAnEventWithTheJvmsTimeLevelAndTags() {
    line("[2026-11-23T11:29:37.530+0000][warning][gc,phases   ] GC(1) Größe {}\n");
    ILoggingEvent event = events.get(0);
    assertThat(event.getInstant()).isEqualTo("2026-11-23T11:29:37.530Z");
    assertThat(event.getTimeStamp()).isEqualTo(event.getInstant().toEpochMilli());
    assertThat(event.getLoggerName()).isEqualTo("jvm");
    assertThat(event.getLevel()).isEqualTo(Level.WARN);
    assertThat(event.getThreadName()).isEqualTo("JVM");
    assertThat(event.getFormattedMessage()).isEqualTo("GC(1) Größe {}");
    assertThat(event.getKeyValuePairs()).hasToString("[jvm.tags=\"gc,phases\"]");
    assertThat(event.getMDCPropertyMap()).isEmpty();
    assertThat(event.getCallerData()).containsExactly(CallerData.naInstance());
  }

  @Test
  void aLineOfAnotherFormBelongsToTheMessageBefore() {
    line("[2026-11-23T11:29:37.530+0000][error][gc] x\n");
    line("   - no decorations\n");
    line("[                             ] since JDK 22\n");
    line("[  ");
    line("[2026-11-23T11:29:37.530+0000][loud][gc] x");
    line("[99999-11-23T11:29:37.530+0000][info][gc] x");
    assertThat(events)
        .hasSize(6)
        .allSatisfy(
            event -> {
              assertThat(event.getInstant()).isEqualTo("2026-11-23T11:29:37.530Z");
              assertThat(event.getLevel()).isEqualTo(Level.ERROR);
              assertThat(event.getKeyValuePairs()).hasToString("[jvm.tags=\"gc\"]");
            });
    assertThat(events)
        .extracting(ILoggingEvent::getFormattedMessage)
        .startsWith("x", "   - no decorations", "since JDK 22", "[  ");
    assertThat(events.get(4).getFormattedMessage()).endsWith("[loud][gc] x");
  }

  @Test
  void theFirstLineMayBeOfAnotherForm() {
    line("cut short\n");
    assertThat(events.get(0).getInstant()).isEqualTo(NOW);
    assertThat(events.get(0).getLevel()).isEqualTo(Level.INFO);
    assertThat(events.get(0).getKeyValuePairs()).isNullOrEmpty();
  }

  @Test
  void theLevelOfTheLoggerDecides() {
    context.getLogger("jvm").setLevel(Level.WARN);
    line("[2026-11-23T11:29:37.530+0000][trace][gc] t\n");
    line("of that message\n");
    line("[2026-11-23T11:29:37.530+0000][error][gc,heap] e\n");
    context.getLogger("jvm").setLevel(Level.OFF); // at run time
    line("[2026-11-23T11:29:37.530+0000][error][gc,heap] f\n");
    assertThat(events).extracting(ILoggingEvent::getFormattedMessage).containsExactly("e");
  }

  /** Messages of exceptions may contain lines that look like any other. */
  @Test
  void noLineMakesALogger() {
    int before = context.getLoggerList().size();
    for (int i = 0; i < 10; i++) {
      line("[2026-11-23T11:29:37.530+0000][error][forged%d] x\n".formatted(i));
    }
    assertThat(context.getLoggerList()).hasSize(before);
  }

  /** It comes in pieces. */
  @Test
  void aVeryLongLineIsOneEventOfItsBeginning() {
    String head = "[2026-11-23T11:29:37.530+0000][info][gc] ";
    line(head + "x".repeat(LineListener.MAX_BYTES - head.length()));
    line("y".repeat(LineListener.MAX_BYTES));
    line("z\n");
    line(head + "then\n");
    assertThat(events)
        .extracting(event -> event.getFormattedMessage().replace("x", ""))
        .containsExactly("", "then");
    assertThat(events.get(0).getFormattedMessage()).hasSize(LineListener.MAX_BYTES - head.length());
  }

  @Test
  void everyDecorationIsPassedInTheJvmsOrder() {
    Decorations decorations = new Decorations("tg,l,ti,p,hn,un,tn,um,tm,u,utc,t", STARTED);
    assertThat(decorations.read(ALL)).isTrue();
    assertThat(decorations.time).isEqualTo("2026-11-23T11:29:37.530Z");
    assertThat(Levels.of(decorations.level)).hasToString("DEBUG");
    assertThat(decorations.tags).isEqualTo("gc,heap");
    assertThat(ALL.substring(decorations.messageStart)).isEqualTo("Heap [x] ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time              | [2026-11-23T11:29:37.530-0130]       | 2026-11-23T12:59:37.530Z",
        "utctime           | [2026-11-23T11:29:37.530+0000]       | 2026-11-23T11:29:37.530Z",
        "timemillis        | [1795433377530ms]                    | 2026-11-23T11:29:37.530Z",
        "uptime            | [0.012s]                             | 2026-01-01T00:00:00.012Z",
        "uptime            | [60,012s]                            | 2026-01-01T00:01:00.012Z",
        "uptimemillis      | [11ms]                               | 2026-01-01T00:00:00.011Z",
        "uptimenanos       | [11942919ns]                         | 2026-01-01T00:00:00.011942919Z",
        "uptime,timemillis | [0.012s][1795433377530ms]            | 2026-11-23T11:29:37.530Z",
        "uptime,timenanos  | [0.012s][60000000001ns]              | 2026-01-01T00:00:00.012Z",
      })
  void anyOfTheTimesTellsWhenALineWasWritten(String list, String line, String expected) {
    Decorations decorations = new Decorations(list, STARTED);
    assertThat(decorations.read(line + " x")).isTrue();
    assertThat(decorations.time).isEqualTo(expected);
  }
}
