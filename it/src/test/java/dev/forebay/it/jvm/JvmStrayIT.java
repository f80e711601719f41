package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a dead JVM has left for a log that no appender opens again. */
class JvmStrayIT {

  @AutoClose private final JvmLives lives = new JvmLives();

  /** Nothing gets into the log meanwhile. */
  private void leave() throws Exception {
    Path directory = lives.places().logDirectory();
    Files.delete(directory);
    Files.writeString(directory, "in the way");
    try (JvmLives.Life left = lives.start("left", "1 MB", 1_000_000, 1, "stop")) {
      left.awaitOpen();
      Await.until("lines", () -> lives.allPausesOf("left").size() > 30);
      assertThat(left.isAlive()).as(left.output()).isTrue();
      left.kill();
    }
    Files.delete(directory);
    Files.createDirectory(directory);
  }

  private boolean isAnyLeft(String word) throws IOException {
    try (Stream<Path> left = Files.walk(lives.places().spool())) {
      return left.anyMatch(path -> path.getFileName().toString().startsWith(word));
    }
  }

  private void requireMoved() throws Exception {
    assertThat(isAnyLeft("lines-")).isFalse();
    assertThat(lives.requireAll()).isEqualTo(1);
    assertThat(lives.pausesOf("left")).hasSizeGreaterThan(10);
  }

  @Test
  void theToolListsAndRecoversIt() throws Exception {
    leave();
    Path spool = lives.places().spool();
    assertThat(Tool.run("ls", "--spool-directory", spool).lines())
        .filteredOn(row -> row.startsWith("jvm "))
        .singleElement()
        .asString()
        .endsWith(lives.log().toString())
        .contains(" dead ");
    assertThat(Tool.run("ls", "--json", "--spool-directory", spool).lines())
        .filteredOn(json -> json.contains("/lines-"))
        .singleElement()
        .asString()
        .contains("\"jvm\":", "\"alive\":false");
    Tool.Run run =
        Tool.run("recover", "--spool-directory", spool, "--to", lives.log(), lives.log());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains(" 0 left");
    assertThat(isAnyLeft("spool-")).isFalse();
    requireMoved();
  }
}
