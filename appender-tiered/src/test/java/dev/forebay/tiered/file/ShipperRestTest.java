package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.OpenFiles;
import dev.forebay.tiered.ship.FsyncPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The files that an idle shipper has closed are opened again for the next record. */
@Tag("once")
class ShipperRestTest extends ShippingRig {

  @BeforeEach
  void rest() throws IOException {
    start(FsyncPolicy.ALWAYS, "a", "b");
    process.turns(1);
    spool.writer().rest();
    assertThat(process.account.committed).isEqualTo(2);
    assertThat(open()).doesNotContain("checkpoint").noneMatch(ShipperRestTest::isSegment);
  }

  @Test
  void anIdleAppenderHasThreeFilesOpen() throws IOException {
    assertThat(open()).containsExactlyInAnyOrder("lock", "ship.lock", "app.log");
  }

  @Test
  void onlyWhatIsNewIsRead() throws IOException {
    for (int i = 0; i < 20; i++) { // across segments
      write("c" + i);
      process.turns(1);
      spool.writer().rest();
    }
    assertThat(process.log.records()).hasSize(22).startsWith("a", "b", "c0").endsWith("c19");
    assertSettled(22, 0);
    assertThat(process.account.warnings).isEmpty();
  }

  @Test
  void itsSegmentCannotBeOpenedForSomeTime() throws IOException {
    write("c");
    disk.affecting(path -> isSegment(path.toString())).failOnce(Op.OPEN, 1, no());
    disk.failOnce(Op.OPEN, 2, no());
    process.turns(4);

    assertThat(process.account.unreadable).hasSize(2);
    assertThat(process.log.records()).containsExactly("a", "b", "c");
    assertSettled(3, 0);
  }

  @Test
  void itsCheckpointCannotBeOpenedForSomeTime() throws IOException {
    disk.affecting(path -> path.endsWith("checkpoint")).failOnce(Op.OPEN, 1, no());
    write("c");
    process.turns(1);
    assertThat(process.account.failures).hasSize(1);
    assertThat(process.account.committed).isEqualTo(2);
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "b", "c");
    assertSettled(3, 0);
  }

  @Test
  void itsSegmentWasReplacedByACopy() throws IOException {
    Path segment = segment();
    Path copy = Files.copy(segment, directory.resolve("copy"));
    Files.move(copy, segment, StandardCopyOption.ATOMIC_MOVE);
    write("c");
    process.turns(2);

    assertThat(process.log.records()).containsExactly("a", "b", "c");
    assertSettled(3, 0);
  }

  /** Only who may write there can do that: the user and root. */
  @Test
  void itsSegmentWasReplacedByAnotherFile() throws IOException {
    Path other = Files.writeString(directory.resolve("other"), "not a segment");
    Files.move(other, segment(), StandardCopyOption.ATOMIC_MOVE);
    write("c");
    process.turns(2);
    assertThat(process.account.warnings).anyMatch(text -> text.contains("suspect segment"));
    write(lines("d", 20).toArray(String[]::new));
    process.turns(4);

    assertThat(process.log.records()).startsWith("a", "b").endsWith(lines("d", 20).get(19));
    assertThat(process.account.committed + process.account.lost).isEqualTo(23);
    assertThat(process.log.records()).hasSize((int) process.account.committed);
  }

  /** As ext4 gives a pipe the number of the file that was just removed; to open it would block. */
  @Test
  void itsSegmentWasReplacedByAPipeWithItsNumber() throws IOException {
    write("c");
    disk.showing(
        (path, info) ->
            isSegment(path.toString())
                ? new FileInfo(FileInfo.Kind.OTHER, 0, info.key(), info.ownerId(), 0600, 1, 0)
                : info);
    process.turns(2);

    assertThat(process.account.warnings).anyMatch(text -> text.contains("cannot read"));
    assertThat(process.log.records()).containsExactly("a", "b");
    assertSettled(2, 1);
  }

  @Test
  void itsSegmentWasRemovedAfterItsWriterHadOpenedIt() throws IOException {
    write("c");
    Files.delete(segment());
    process.turns(2);

    assertThat(process.log.records()).containsExactly("a", "b");
    assertSettled(2, 1);
  }

  @Test
  void itsCheckpointWasReplaced() throws IOException {
    Path checkpoint = spool.path().resolveSibling("checkpoint");
    Files.delete(checkpoint);
    Files.createDirectory(checkpoint);
    write("c");
    process.turns(2);
    assertSettled(3, 0);
    process.die();

    assertThat(process().recover().log.records()).containsExactly("a", "b", "c");
  }

  /** Where the temporary directory is in memory, no name is. */
  @Test
  void theNameOfItsCheckpointIsForcedOnce() throws IOException {
    assumeThat(disk.isInMemory(directory)).isFalse();
    shipOne(); // it had created the file
    int forced = disk.calls(Op.FORCE_DIRECTORY);
    shipOne();
    assertThat(disk.calls(Op.FORCE_DIRECTORY)).isEqualTo(forced);
    Path checkpoint = spool.path().resolveSibling("checkpoint");
    Path copy = directory.resolve("copy");
    Files.copy(checkpoint, copy, StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(copy, checkpoint, StandardCopyOption.ATOMIC_MOVE);
    shipOne();
    shipOne();

    assertThat(disk.calls(Op.FORCE_DIRECTORY)).isEqualTo(forced + 1);
    assertSettled(6, 0);
  }

  private void shipOne() throws IOException {
    write("c");
    process.turns(1);
  }

  @Test
  void itWasKilledWhileItSlept() throws IOException {
    write("c");
    process.die();

    assertThat(process().recover().log.records()).containsExactly("a", "b", "c");
  }

  private void assertSettled(long committed, long lost) {
    assertThat(process.account.committed).isEqualTo(committed);
    assertThat(process.account.lost).isEqualTo(lost);
    assertThat(process.account.reached).isEqualTo(committed + lost);
  }

  private List<String> open() throws IOException {
    return OpenFiles.below(directory.toRealPath());
  }

  private Path segment() throws IOException {
    try (Stream<Path> files = Files.list(spool.path())) {
      return files.filter(file -> isSegment(file.toString())).findFirst().orElseThrow();
    }
  }

  private static boolean isSegment(String name) {
    return name.endsWith(".seg");
  }
}
