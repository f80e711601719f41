package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Strace;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The tool on a terminal. */
class TerminalIT {

  private static final int SEGMENT_BYTES = 64 * 1024;
  private static final int RECORDS = 3000;

  /** A read that takes longer than the tool is silent. */
  private static final String SLOW = "inject=pread64:delay_enter=1300000:when=1";

  @AutoClose private final Places places = Places.create();

  /** What a dead process has left; its second segment. */
  private Path leaveSpool() throws IOException {
    NioDisk disk = new NioDisk();
    SpoolDirectory directory =
        SpoolDirectory.open(disk, places.spool(), LogIdentity.of(disk, places.log()));
    Spool spool = directory.createSpool(new SpoolLimits(16L * SEGMENT_BYTES, SEGMENT_BYTES));
    byte[] line = ("a line".repeat(10) + "\n").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < RECORDS; i++) {
      spool.writer().append(line, 0, line.length, 2);
    }
    spool.writer().flush();
    Path path = spool.path();
    spool.close();
    try (Stream<Path> files = Files.list(path)) {
      List<Path> segments =
          files.filter(file -> file.toString().endsWith(".seg")).sorted().toList();
      assertThat(segments).hasSizeGreaterThan(2);
      return segments.get(1);
    }
  }

  @Test
  void whatTakesLongerThanASecondShowsABarAndRemovesIt() throws Exception {
    assumeTrue(Strace.works(), Strace.MISSING);
    assumeTrue(Command.exists("script"), "no script: install bsdutils");
    Path slow = leaveSpool();
    List<String> around =
        List.of("strace", "-f", "-qq", "-o", "/dev/null", "-P", slow.toString(), "-e", SLOW);
    List<String> verify =
        Tool.command(
            around, Tool.jar(), "verify", "--spool-directory", places.spool(), places.log());
    Path shown = places.root().resolve("shown");

    assertThat(Command.exitCode("script", "-qec", String.join(" ", verify), shown.toString()))
        .isZero();

    assertThat(Files.readString(shown))
        .containsPattern("\rverify \\[#+ *\\] \\d+ %")
        .contains("\r\u001b[K", "3,000 records, all whole");
    Tool.Run piped =
        Tool.run(around, Tool.jar(), "verify", "--spool-directory", places.spool(), places.log());
    assertThat(piped.err()).isEmpty();
    assertThat(piped.out()).contains("3,000 records, all whole").doesNotContain("%");
  }
}
