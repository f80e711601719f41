package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is watched stays in its place on a terminal, and is one line with a clock elsewhere. */
class WatchTest {

  /** A verb that prints. */
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
          new Json().put("time", "02:30Z").put("spool", spool).put("bytes", 3L << 20));
    }
    return out.toString();
  }

  @Test
  void aTerminalIsDrawnAgain() {
    String clear = "\u001b[H\u001b[2J";
    assertThat(watched(true))
        .startsWith(clear + "time   02:30Z\nspool  /dev/shm/a b\nbytes  3 MB\n" + clear + "time")
        .as("nothing else steers it")
        .doesNotContain("\u001b[31m");
  }

  @Test
  void elsewhereEachIsALine() {
    assertThat(watched(false).lines())
        .containsExactly(
            "time 02:30Z, spool /dev/shm/a b, bytes 3 MB",
            "time 02:30Z, spool /dev/shm/?[31m?c, bytes 3 MB");
  }

  @Test
  void jsonStaysAsItIs() {
    assertThat(watched(true, "--json").lines()).hasSize(2).allMatch(line -> line.startsWith("{"));
  }
}
