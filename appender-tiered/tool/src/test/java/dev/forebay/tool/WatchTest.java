package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is watched stays in its place on a terminal, and is one line with a clock elsewhere. */
class WatchTest {

  private static final List<Json> ACCOUNTS =
      List.of(account("/dev/shm/a b"), account("/dev/shm/\u001b[31m\nc"));

  private static Json account(String spool) {
    return new Json().put("time", "02:30:00Z").put("spool", spool).put("usedBytes", 3L << 20);
  }

  @Test
  void aTerminalIsDrawnAgain() {
    assertThat(Output.watched(ACCOUNTS, true))
        .startsWith(
            "\u001b[H\u001b[2Jtime       02:30:00Z\nspool      /dev/shm/a b\nusedBytes  3 MB\n")
        .as("nothing else steers it")
        .containsOnlyOnce("\u001b[H")
        .doesNotContain("\u001b[31m");
  }

  @Test
  void elsewhereEachIsALine() {
    assertThat(Output.watched(ACCOUNTS, false).lines())
        .hasSize(2)
        .first()
        .isEqualTo("time 02:30:00Z, spool /dev/shm/a b, usedBytes 3 MB");
    assertThat(Output.watched(ACCOUNTS, false)).doesNotContain("\u001b");
  }

  @ParameterizedTest
  @CsvSource({
    "/dev/pts/3, true",
    "/dev/tty1, true",
    "/dev/console, true",
    "/dev/null, false",
    "pipe:[1234], false",
    "/home/dev/pts/x, false"
  })
  void aTerminalIsKnownByItsDescriptor(String opened, boolean isTerminal, @TempDir Path directory)
      throws Exception {
    Path descriptor = Files.createSymbolicLink(directory.resolve("1"), Path.of(opened));
    assertThat(Output.isTerminal(descriptor)).isEqualTo(isTerminal);
    assertThat(Output.isTerminal(directory.resolve("2"))).isFalse();
  }
}
