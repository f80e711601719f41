package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the verbs print, for people and as JSON. */
class OutputTest {

  @Command(name = "verb")
  static final class Verb {
    @Mixin private Output output = new Output();
  }

  private final StringWriter out = new StringWriter();
  private final Verb verb = new Verb();

  private String watched(boolean onTerminal, String... arguments) {
    new CommandLine(verb).setOut(new PrintWriter(out, true)).parseArgs(arguments);
    for (String spool : new String[] {"/dev/shm/a b", "/dev/shm/\u001b[31m\nc"}) {
      verb.output.redraw(onTerminal);
      verb.output.print(
          new Json().put("time", "02:30Z").put("spool", spool).put("bytes", 4_089_446L));
    }
    return out.toString();
  }

  @Test
  void whatIsWatchedStaysInItsPlaceOnATerminal() {
    String clear = "\u001b[H\u001b[2J";
    assertThat(watched(true))
        .startsWith(clear + "time   02:30Z\nspool  /dev/shm/a b\nbytes  3.9 MB\n" + clear + "time")
        .as("nothing else steers it")
        .doesNotContain("\u001b[31m");
  }

  @Test
  void elsewhereEachIsALine() {
    assertThat(watched(false).lines())
        .containsExactly(
            "time 02:30Z, spool /dev/shm/a b, bytes 3.9 MB",
            "time 02:30Z, spool /dev/shm/?[31m?c, bytes 3.9 MB");
  }

  @Test
  void membersKeepTheirOrderAndTypesAndNoTextBreaksOutOfItsString() {
    assertThat(watched(true, "--json").lines()).hasSize(2).allMatch(line -> line.startsWith("{"));
    Json json =
        new Json()
            .put("number", -1L)
            .put("fact", true)
            .put("nothing", null)
            .put("text", "\"\\\n\t\u001b\u0000é😀\ud83d-\ude00")
            .put("list", List.of(new Json(), new Json().put("x", 1)));
    assertThat(json)
        .hasToString(
            "{\"number\":-1,\"fact\":true,\"nothing\":null,"
                + "\"text\":\"\\\"\\\\\\n\\t\\u001b\\u0000é😀\\ud83d-\\ude00\","
                + "\"list\":[{},{\"x\":1}]}");
  }
}
