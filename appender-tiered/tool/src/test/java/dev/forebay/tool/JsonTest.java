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
            .put("number", -1L)
            .put("fact", true)
            .put("nothing", null)
            .put("list", List.of(new Json(), new Json().put("x", 1)));

    assertThat(json)
        .hasToString(
            "{\"text\":\"a\",\"number\":-1,\"fact\":true,\"nothing\":null,\"list\":[{},{\"x\":1}]}");
  }

  @Test
  void forPeopleEachMemberWithAValueIsALine() {
    Json json =
        new Json()
            .put("offered", 1000L)
            .put("spoolLimitBytes", 256L << 20)
            .put("pid", 12345)
            .put("nothing", null)
            .put("files", List.of("a", "b"))
            .put("spools", List.of(new Json().put("records", 5L)));

    assertThat(json.lines())
        .containsExactly(
            "offered          1,000",
            "spoolLimitBytes  256 MB",
            "pid              12345",
            "files            a",
            "files            b",
            "",
            "records  5");
  }

  @Test
  void noTextBreaksOutOfItsString() {
    assertThat(new Json().put("x", "\"\\\n\t\u001b\u0000é😀"))
        .hasToString("{\"x\":\"\\\"\\\\\\n\\t\\u001b\\u0000é😀\"}");
    assertThat(new Json().put("x", "\ud83d-\ude00")).hasToString("{\"x\":\"\\ud83d-\\ude00\"}");
  }
}
