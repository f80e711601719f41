package dev.forebay.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.observe.Levels;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class DecorationsTest {

  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

  private static final String ALL =
      "[2026-11-23T11:29:37.530+0000][2026-11-23T11:29:37.530+0000][0.012s][1795433377530ms]"
          + "[11ms][24697475530070ns][11942919ns][vm][21321][21323][debug][gc,heap  ] Heap [x] ";

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
