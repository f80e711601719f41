package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The spool of a dead process, of which the disk fails to read a segment. */
@Tag("once")
class UnreadableOrphanTest extends ShippingRig {

  private static final List<String> LINES = lines("dead", 40);

  private Spool dead;

  @BeforeEach
  void leaveOrphan() throws IOException {
    ShippingProcess first = process();
    dead = first.spoolOf(LINES);
    first.die();
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> entries = Files.list(dead.path())) {
      return entries.filter(path -> path.toString().endsWith(".seg")).sorted().toList();
    }
  }

  private static int firstLine(Path segment) {
    return Integer.parseInt(segment.getFileName().toString().substring(0, 16), 16);
  }

  private FaultyDisk reading(Path segment) {
    return disk.affecting(path -> path.equals(segment));
  }

  /** A whole life beside the fault; its own line comes last. */
  private ShippingProcess live() throws IOException {
    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("own"));
    second.turns(30);
    second.retire(own);
    assertThat(second.stop()).isTrue();
    disk.heal();
    assertThat(second.account.committed).isEqualTo(1);
    assertThat(second.account.lost).isZero();
    return second;
  }

  private static List<String> without(int from, int to) {
    List<String> expected = new ArrayList<>(LINES);
    expected.subList(from, to).clear();
    expected.add("own");
    return expected;
  }

  @ParameterizedTest
  @CsvSource({"2, READ", "2, OPEN", "0, OPEN"})
  void aSegmentIsGivenUpAfterFiveTriesAndTheOthersGoOn(int segment, Op op) throws IOException {
    Path bad = segments().get(segment);
    int from = firstLine(bad);
    int to = firstLine(segments().get(segment + 1));
    IOException cause = new IOException("EIO");
    reading(bad).failFrom(op, 1, () -> cause);

    ShippingProcess second = live();

    assertThat(second.log.records()).isEqualTo(without(from, to));
    assertThat(second.account.unreadable)
        .hasSize(5)
        .allMatch(text -> text.equals("cannot read the spool " + dead.path() + ": " + cause));
    assertThat(second.account.warnings)
        .anyMatch(w -> w.startsWith(to - from + " records of the spool " + dead.path()))
        .anyMatch(w -> w.startsWith("skipped segment " + bad))
        .noneMatch(w -> w.contains("duplicated"));
    assertThat(dead.path()).doesNotExist();
    assertThat(process().recover().log.records()).isEqualTo(without(from, to));
  }

  @Test
  void aSegmentIsKeptWhileThereIsNoMemoryToReadIt() throws IOException {
    Path wanted = segments().get(2);
    reading(wanted)
        .failFrom(Op.READ, 1, () -> new IOException("no memory", new OutOfMemoryError("direct")));
    ShippingProcess second = process();
    Spool own = second.spoolOf(List.of("own"));
    second.turns(30);
    assertThat(second.account.unreadable).hasSizeGreaterThan(5);
    disk.heal();
    second.turns(30);
    second.retire(own);

    assertThat(second.stop()).isTrue();
    assertThat(second.log.records()).isEqualTo(without(0, 0));
    assertThat(second.account.warnings).noneMatch(w -> w.contains("skipped"));
  }

  /** There may be no descriptor left, which says nothing about the segment. */
  @Test
  void aSegmentIsNotGivenUpWhileNothingCanBeOpened() throws IOException {
    Path bad = segments().get(2);
    disk.affecting(path -> path.equals(bad) || path.equals(dead.path()));
    for (int i = 1; i < 15; i++) {
      disk.failOnce(Op.OPEN, i, new IOException("Too many open files"));
      disk.failOnce(Op.LIST, i + 1, new IOException("Too many open files"));
    }

    ShippingProcess second = live();

    assertThat(second.account.unreadable).hasSize(14);
    assertThat(second.log.records()).isEqualTo(without(0, 0));
    assertThat(second.account.warnings).isEmpty();
  }

  @Test
  void withTheLastOneTheSpoolEndsBeforeIt() throws IOException {
    Path last = segments().get(segments().size() - 1);
    int from = firstLine(last);
    reading(last).failFrom(Op.READ, 1, () -> new IOException("EIO"));

    ShippingProcess second = live();

    assertThat(second.log.records()).isEqualTo(without(from, LINES.size()));
    assertThat(second.account.warnings).anyMatch(w -> w.startsWith("skipped segment " + last));
    assertThat(dead.path()).doesNotExist();
    assertThat(second.log.lines()).endsWith("own", ">");
  }

  /** Nothing tells where in the log the records go on that can be read. */
  @Test
  void linesThatStandInTheLogAlreadyAreSaidToDouble() throws IOException {
    ShippingProcess first = process();
    first.queue.addDirectory(first.open(first.base));
    log().limitSpace(690);
    first.turns(1);
    disk.heal();
    first.die();
    List<String> inLog = first.log.records();
    int torn = inLog.size() - 1;
    assertThat(LINES.get(torn)).startsWith(inLog.get(torn)).isNotEqualTo(inLog.get(torn));
    List<Path> all = segments();
    int bad = 0;
    while (firstLine(all.get(bad + 1)) <= torn) {
      bad++;
    }
    reading(all.get(bad)).failFrom(Op.READ, 1, () -> new IOException("EIO"));

    ShippingProcess second = live();

    List<String> expected = new ArrayList<>(inLog);
    expected.addAll(without(firstLine(all.get(bad)), firstLine(all.get(bad + 1))));
    assertThat(second.log.records()).isEqualTo(expected);
    assertThat(second.account.warnings).anyMatch(w -> w.contains("may be duplicated"));
  }
}
