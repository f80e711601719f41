package dev.forebay.it.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Processes that see other files under the same path, or the same files under other paths, as
 * containers do, and share the place of their spools.
 */
class MountNamespacesIT {

  private static final int MESSAGES = 300;

  @AutoClose private final Places places = Places.create();

  private final String inner = places.xml() + Xml.FAST + Xml.MESSAGES;

  @BeforeEach
  void assumePossible() throws Exception {
    Needs.root("mount namespaces");
    assumeTrue(
        Command.exitCode("unshare", "-m", "true") == 0,
        "no unshare: install util-linux, and allow namespaces");
  }

  /** A process that sees another directory at the place of the log's. */
  private Child start(String name, Path directory) throws IOException {
    return Child.start(
        new Child.Task(name, 1, MESSAGES, 0, 0, "wait"),
        Xml.configuration(inner),
        places.directory(name),
        "unshare",
        "-m",
        "sh",
        "-c",
        "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"",
        "sh",
        directory.toString(),
        places.logDirectory().toString());
  }

  @Test
  void theSamePathInTwoContainersIsTwoLogs() throws Exception {
    Path theirs = places.directory("theirs");
    Path theirLog = theirs.resolve("app.log");
    Files.createDirectory(theirLog); // so that nothing of theirs leaves the spool
    try (Child other = start("b", theirs)) {
      other.awaitOffered(0, MESSAGES);
      Await.until(
          "spooled",
          () -> SpoolPeek.segmentBytes(places.spool()) >= (long) MESSAGES * "b 1 ".length());
      other.kill();
    }
    List<String> spooled = SpoolPeek.lines(places.spool(), theirLog);
    assertThat(spooled).isNotEmpty().allMatch(line -> line.startsWith("b"));

    try (Tiered own = Tiered.with(inner)) {
      own.log("a", 0, MESSAGES).flush();
      assertThat(own.warnings()).isEmpty();
    }
    assertThat(places.lines()).hasSize(MESSAGES).allMatch(line -> line.startsWith("a"));

    Files.delete(theirLog);
    try (Child again = start("c", theirs)) {
      Await.until(
          "both lives are in the log",
          () -> LogFiles.of(theirLog).lines().size() >= spooled.size() + MESSAGES);
      again.release();
      assertThat(again.awaitEnd()).as(again.output()).isZero();
    }
    List<String> lines = LogFiles.of(theirLog).lines();
    assertThat(lines.subList(0, spooled.size())).isEqualTo(spooled);
    assertThat(lines.subList(spooled.size(), lines.size()))
        .hasSize(MESSAGES)
        .allMatch(line -> line.startsWith("c"));
    assertThat(places.lines()).hasSize(MESSAGES);
  }

  @Test
  void oneDirectoryUnderTwoPathsIsOneLogWithOneShipper() throws Exception {
    Path theirs = places.directory("theirs");
    Path theirLog = theirs.resolve("app.log");
    String direct = Xml.places(theirLog, places.spool()) + Xml.FAST + Xml.MESSAGES;
    try (Tiered own = Tiered.with(direct)) {
      own.log("a", 0, MESSAGES).flush();
      try (Child other = start("b", theirs)) {
        other.awaitOffered(0, MESSAGES);
        other.release();
        assertThat(other.awaitEnd()).as(other.output()).isZero();
        assertThat(other.status()).contains("Another appender ships to " + places.log());
      }
      assertThat(LogFiles.of(theirLog).lines())
          .hasSize(MESSAGES)
          .allMatch(line -> line.startsWith("a"));
    }
    try (Tiered again = Tiered.with(direct)) {
      again.log("c", 0, 1).flush();
    }
    assertThat(LogFiles.of(theirLog).lines()).hasSize(2 * MESSAGES + 1);
  }
}
