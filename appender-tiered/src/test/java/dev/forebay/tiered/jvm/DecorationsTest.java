package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.observe.Levels;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class DecorationsTest {

  private static final JvmTimes TIMES =
      new JvmTimes(Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-02-01T00:00:00Z"));

  private static final String ALL =
      "[2026-11-23T11:29:37.530+0000][2026-11-23T11:29:37.530+0000][0.012s][1795433377530ms]"
          + "[11ms][24697475530070ns][11942919ns][vm][21321][21323][debug][gc,heap  ] Heap [x] ";

  private static boolean read(Decorations decorations, String line) {
    byte[] bytes = ("--" + line + "--").getBytes(StandardCharsets.UTF_8);
    return decorations.read(bytes, 2, bytes.length - 2);
  }

  @Test
  void everyDecorationIsPassedInTheJvmsOrder() {
    Decorations decorations = new Decorations("tg,l,ti,p,hn,un,tn,um,tm,u,utc,t", TIMES);
    assertThat(read(decorations, ALL)).isTrue();
    assertThat(decorations.time()).isEqualTo("2026-11-23T11:29:37.530Z");
    assertThat(Levels.of(decorations.level())).hasToString("DEBUG");
    assertThat(decorations.tags()).isEqualTo("gc,heap");
    assertThat(ALL.substring(decorations.messageStart() - 2)).isEqualTo("Heap [x] ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time              | [2026-11-23T11:29:37.530-0130]       | 2026-11-23T12:59:37.530Z",
        "utctime           | [2026-11-23T11:29:37.530+0000]       | 2026-11-23T11:29:37.530Z",
        "timemillis        | [1795433377530ms]                    | 2026-11-23T11:29:37.530Z",
        "timenanos         | [60000000001ns]                      | 2026-02-01T00:01:00.000000001Z",
        "timenanos         | [-1000000000ns]                      | 2026-01-31T23:59:59Z",
        "uptime            | [0.012s]                             | 2026-01-01T00:00:00.012Z",
        "uptime            | [60,012s]                            | 2026-01-01T00:01:00.012Z",
        "uptimemillis      | [11ms]                               | 2026-01-01T00:00:00.011Z",
        "uptimenanos       | [11942919ns]                         | 2026-01-01T00:00:00.011942919Z",
        "uptime,timemillis | [0.012s][1795433377530ms]            | 2026-11-23T11:29:37.530Z",
        "uptime,timenanos  | [0.012s][60000000001ns]              | 2026-01-01T00:00:00.012Z",
      })
  void anyOfTheTimesTellsWhenALineWasWritten(String list, String line, String expected) {
    Decorations decorations = new Decorations(list, TIMES);
    assertThat(read(decorations, line + " x")).isTrue();
    assertThat(decorations.time()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text",
        "[0.012s]",
        "[0.012s][info]",
        "[0.012s][info][gc",
        "[0.012s] [info][gc] x",
        "[0.012s][loud][gc] x",
        "[0.012s][info][] x",
        "[soon][info][gc] x",
        "[0.012ms][info][gc] x",
        "[99999999999999999999s][info][gc] x",
      })
  void aLineOfAnotherFormIsAllMessage(String line) {
    Decorations decorations = new Decorations("uptime,level,tags", TIMES);
    assertThat(read(decorations, "[0.012s][error][gc] before")).isTrue();
    assertThat(read(decorations, line)).isFalse();
    assertThat(decorations.time()).isNull();
    assertThat(decorations.level()).isEqualTo(Levels.INFO);
    assertThat(decorations.tags()).isEmpty();
    assertThat(decorations.messageStart()).isEqualTo(2);
  }

  @Test
  void aLineWithoutTextHasAnEmptyMessage() {
    Decorations decorations = new Decorations("level,tags", TIMES);
    assertThat(read(decorations, "[info][gc] ")).isTrue();
    assertThat(decorations.messageStart()).isEqualTo(2 + "[info][gc] ".length());
  }

  @Test
  void whatAListLacksIsNamed() {
    assertThat(Decorations.missing("t,l,tg")).isEmpty();
    assertThat(Decorations.missing("uptimenanos,level,tags,pid,pid")).isEmpty();
    assertThat(Decorations.missing("pid,level")).isEqualTo(List.of("time", "tags"));
    assertThat(Decorations.missing("none")).isEqualTo(List.of("time", "level", "tags"));
  }
}
