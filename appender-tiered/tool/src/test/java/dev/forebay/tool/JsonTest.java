package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void membersKeepTheirOrderAndTypes() {
    Json json =
        new Json()
            .put("text", "a")
            .put("number", -1)
            .put("fact", true)
            .put("nothing", (String) null)
            .put("list", List.of(new Json(), new Json().put("x", 1)));

    assertThat(json)
        .hasToString(
            "{\"text\":\"a\",\"number\":-1,\"fact\":true,\"nothing\":null,\"list\":[{},{\"x\":1}]}");
  }

  @Test
  void noTextBreaksOutOfItsString() {
    assertThat(new Json().put("x", "\"\\\n\t\u001b\u0000é😀"))
        .hasToString("{\"x\":\"\\\"\\\\\\n\\t\\u001b\\u0000é😀\"}");
    assertThat(new Json().put("x", "\ud83d-\ude00")).hasToString("{\"x\":\"\\ud83d-\\ude00\"}");
  }
}
