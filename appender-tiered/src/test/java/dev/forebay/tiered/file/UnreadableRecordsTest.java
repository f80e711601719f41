package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our own spool, of which somebody has removed a segment before it was shipped. */
@Tag("once")
class UnreadableRecordsTest {

  private static final List<String> LINES = ShippingProcess.lines("own", 40);

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private ShippingProcess process;
  private Spool spool;

  /** The records that are gone are those from this one on, up to the other. */
  private int from;

  private int to;

  @BeforeEach
  void removeASegment() throws IOException {
    process = ShippingProcess.in(directory, disk, ShippingProcess.EVERY_HOUR);
    spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, LINES);
    List<Path> segments;
    try (Stream<Path> entries = Files.list(spool.path())) {
      segments = entries.filter(path -> path.toString().endsWith(".seg")).sorted().toList();
    }
    from = firstLine(segments.get(2));
    to = firstLine(segments.get(3));
    Files.delete(segments.get(2));
  }

  private static int firstLine(Path segment) {
    return Integer.parseInt(segment.getFileName().toString().substring(0, 16), 16);
  }

  private List<String> readable() {
    List<String> lines = new ArrayList<>(LINES);
    lines.subList(from, to).clear();
    return lines;
  }

  @Test
  void countAsLostAndTheOthersAsCommitted() throws IOException {
    process.turns(2);
    process.retire(spool);

    assertThat(process.stop()).isTrue();
    assertThat(process.log.records()).isEqualTo(readable());
    assertThat(process.account.lost).isEqualTo(to - from);
    assertThat(process.account.committed).isEqualTo(LINES.size() - (to - from));
    assertThat(process.account.reached).isEqualTo(LINES.size());
    assertThat(process.account.warnings)
        .anyMatch(w -> w.startsWith(to - from + " records of the spool " + spool.path()));
  }

  /** The lines before and after them are in the log when the process is killed. */
  @Test
  void doNotHinderTheNextStartFromFindingTheLinesAroundThem() throws IOException {
    process.turns(2);
    assertThat(process.log.records()).isEqualTo(readable());
    assertThat(process.account.committed).isLessThan(LINES.size() - (to - from));
    process.die();

    ShippingProcess next =
        ShippingProcess.in(directory, disk, ShippingProcess.EVERY_SECOND).recover();
    assertThat(next.log.records()).isEqualTo(readable());
    assertThat(next.account.warnings).noneMatch(w -> w.contains("duplicated"));
  }
}
