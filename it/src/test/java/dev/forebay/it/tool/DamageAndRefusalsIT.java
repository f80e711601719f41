package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Command;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Spools that are damaged, foreign or of another format, and arguments that mean nothing. */
class DamageAndRefusalsIT {

  private static final int MESSAGES = 2000;

  @AutoClose private final Places places = Places.create();

  /** The segments of a spool whose process has ended before its log could be written. */
  private List<Path> leftSegments() throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    try (Tiered tiered =
        Tiered.with(places.xml() + Xml.FAST + Xml.MESSAGES + "<segmentSize>64KB</segmentSize>")) {
      tiered.log("p", 0, MESSAGES);
    }
    Files.delete(places.logDirectory());
    Files.createDirectory(places.logDirectory());
    assertThat(SpoolPeek.lines(places.spool(), places.log())).hasSize(MESSAGES);
    return segments(SpoolPeek.spools(places.spool()).get(0));
  }

  private static List<Path> segments(Path spool) throws IOException {
    try (Stream<Path> files = Files.list(spool)) {
      return files.filter(file -> file.toString().endsWith(".seg")).sorted().toList();
    }
  }

  @Test
  void oneFlippedBitIsFoundAndTheOtherLinesAreRead() throws Exception {
    Path segment = leftSegments().get(1);
    assertThat(Tool.run(places, "verify").exitCode()).isZero();
    byte[] bytes = Files.readAllBytes(segment);
    bytes[bytes.length / 2] ^= 4;
    Files.write(segment, bytes);

    Tool.Run verify = Tool.run(places, "verify");
    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.out())
        .contains("1,999 records, 1 damaged", "damaged at offset", segment.toString());
    assertThat(Tool.run(places, "verify", "--json").out())
        .contains("\"records\":1999,\"damaged\":1,\"faults\":[");
    Tool.Run cat = Tool.run(places, "cat", places.log());
    assertThat(cat.exitCode()).isEqualTo(1);
    assertThat(cat.lines()).hasSize(MESSAGES - 1);
    assertThat(cat.err()).contains("1 lines cannot be read");
  }

  private static int uid() throws IOException {
    return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  @Test
  void anotherUserIsRefused() throws Exception {
    OtherUser.assumePossible();
    leftSegments();
    Path spool = SpoolPeek.spools(places.spool()).get(0);
    Files.setAttribute(places.spool(), "unix:mode", 01777);
    Command.run("chmod", "755", places.root().toString());
    Path jar = Files.copy(Tool.jar(), places.root().resolve("forebay.jar"));
    List<String> stranger = List.of(OtherUser.STRANGER.command());

    Tool.Run verify = Tool.run(stranger, jar, "verify", "--spool-directory", places.spool(), spool);
    assertThat(verify.exitCode()).isEqualTo(4);
    assertThat(verify.err()).contains("belongs to user " + uid(), "run this as that user");
    Tool.Run ls = Tool.run(stranger, jar, "ls", "--spool-directory", places.spool());
    assertThat(ls.exitCode()).isZero();
    assertThat(ls.out()).isEmpty();
    assertThat(ls.err()).contains("left out", "of user " + uid());
    Tool.Run stat = Tool.run(stranger, jar, "stat", ProcessHandle.current().pid());
    assertThat(stat.exitCode()).isEqualTo(4);
    assertThat(stat.err()).contains("belongs to user " + uid(), "setpriv --reuid " + uid());
    Tool.Run doctor = Tool.run(stranger, jar, "doctor", ProcessHandle.current().pid());
    assertThat(doctor.exitCode()).isEqualTo(4);
    assertThat(doctor.err()).contains("belongs to user " + uid());
    assertThat(SpoolPeek.lines(places.spool(), places.log())).hasSize(MESSAGES);
  }
}
