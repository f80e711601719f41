package dev.forebay.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ValuesTest {

  private static Object written(@Nullable Object value) {
    JsonLine line = new JsonLine();
    line.text("{\"v\":");
    line.values.write(value);
    line.ascii('}');
    return Lines.parsed(new String(line.end(), UTF_8)).get("v");
  }

  @Test
  void bytesAreBase64AndCharactersText() {
    assertThat(written(new byte[] {0, 1, -1})).isEqualTo("AAH/");
    assertThat(written("ab".toCharArray())).isEqualTo("ab");
  }

  @Test
  void keysThatAreTheSameTextAreWrittenOnce() {
    Map<@Nullable Object, Object> map = new LinkedHashMap<>();
    map.put(1, "number");
    map.put("1", "text");
    map.put(null, "none");
    map.put("null", "text");
    assertThat(written(map)).isEqualTo(Map.of("1", "number", "null", "none"));
  }

  @Test
  void whatContainsItselfEnds() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThat(written(list)).asString().isEqualTo("[".repeat(17) + "..." + "]".repeat(17));
    list.addAll(Collections.nCopies(99, list));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("list", list);
    list.add(0, map);
    JsonLine line = new JsonLine();
    line.values.write(new Object[] {map, list});
    assertThat(line.length()).isLessThan(100_000);
  }

  @Test
  void aLongListIsCut() {
    assertThat(written(Collections.nCopies(20_000, 1)))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(10_000)
        .last()
        .isEqualTo("...");
    assertThat(written(List.of(1, 2))).isEqualTo(List.of(1, 2));
  }

  @Test
  void aCollectionThatThrowsLeavesNoHalfValue() {
    List<Object> failing =
        new AbstractList<>() {
          @Override
          public Object get(int index) {
            if (index > 0) {
              throw new IllegalStateException();
            }
            return "first";
          }

          @Override
          public int size() {
            return 2;
          }
        };
    assertThat(written(List.of(1, failing)))
        .asString()
        .matches("\\[content of .*List.* failed: java.lang.IllegalStateException\\]");
  }
}
