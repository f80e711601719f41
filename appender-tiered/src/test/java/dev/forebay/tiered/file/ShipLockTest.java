package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lock of the one shipper of a log, in every place where its spools may be: an appender may
 * change from one directory for spools to another, or to the same made anew.
 */
@Tag("once")
class ShipLockTest extends ShippingRig {

  /** A spool of a process in the directory of another one. */
  private static Spool spoolBeside(ShippingProcess process, ShippingProcess other)
      throws IOException {
    SpoolDirectory there = process.open(other.base);
    Spool spool = there.createSpool(ShippingProcess.LIMITS);
    process.queue.add(there, spool);
    return spool;
  }

  private static Path lockOf(Spool spool) {
    return spool.path().resolveSibling("ship.lock");
  }

  /** The first could not spool in the wanted place when it started; the second can. */
  @Test
  void aProcessThatWaitsForOneLockDoesNotHoldAnother() throws IOException {
    ShippingProcess first = process("tmp");
    Spool fallback = first.spool();
    first.turns(2);
    ShippingProcess second = process("shm");
    second.queue.addDirectory(second.open(first.base));
    second.spool();
    second.turns(2);
    first.retire(fallback);
    first.queue.addDirectory(first.open(second.base));
    ShippingProcess.write(fallback, List.of("a"));
    for (int i = 0; i < 6; i++) {
      first.turns(1);
      second.turns(1);
    }
    assertThat(first.account.committed).isEqualTo(1);
    first.die();
    second.turns(4);

    assertThat(LogRig.isOpen(second.log)).isTrue();
  }

  /** A seccomp profile refuses all locks, so that the spool is in the heap. */
  @Test
  void aDirectoryThatCannotBeLockedKeepsNoSpoolElsewhereWaiting() throws IOException {
    ShippingProcess dead = process("shm");
    ShippingProcess.write(dead.spool(), List.of("left"));
    dead.die();
    ShippingProcess process = process("shm");
    process.queue.addDirectory(process.open(process.base));
    disk.failFrom(FaultyDisk.Op.LOCK, 1, () -> new IOException("Operation not permitted"));
    ShippingProcess.write(process.heapSpool(), List.of("a"));
    process.turns(4);
    assertThat(process.log.records()).containsExactly("a");

    disk.heal();
    process.turns(30);
    assertThat(process.log.records()).containsExactly("a", "left");
  }

  /** Those share no directory, and so no lock. */
  @Test
  void ofTwoWithSpoolsInTheHeapBothAppend() throws IOException {
    ShippingProcess first = process("shm");
    Spool one = first.heapSpool();
    ShippingProcess second = process("shm");
    Spool two = second.heapSpool();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ShippingProcess.write(one, List.of("a" + i));
      ShippingProcess.write(two, List.of("b" + i));
      lines.addAll(List.of("a" + i, "b" + i));
      first.turns(1);
      second.turns(1);
    }
    first.retire(one);
    assertThat(first.stop()).isTrue();
    second.retire(two);
    assertThat(second.stop()).isTrue();

    assertThat(second.log.records()).containsExactlyInAnyOrderElementsOf(lines);
    assertThat(second.account.warnings)
        .singleElement()
        .asString()
        .contains("is also written to by others");
  }

  /** What the first had appended stands somewhere before the lines of the second. */
  @Test
  void whatIsUncommittedWhenAnotherTakesADeletedLockIsSaidToDouble() throws IOException {
    ShippingProcess first = process(ShippingProcess.EVERY_HOUR);
    Spool one = first.spoolOf(List.of("before"));
    first.shipper.requestCommit();
    first.turns(1);
    ShippingProcess.write(one, List.of("a", "b"));
    first.turns(1);
    Files.delete(lockOf(one));
    ShippingProcess second =
        ShippingProcess.in(
            directory, "shm", new FaultyDisk(disk).ofOtherProcess(), ShippingProcess.EVERY_SECOND);
    Spool two = second.spoolOf(List.of("c"));
    second.turns(3);
    first.turns(2);
    second.retire(two);
    assertThat(second.stop()).isTrue();
    first.retire(one);
    assertThat(first.stop()).isTrue();

    assertThat(first.log.records()).startsWith("before", "a", "b", "c");
    assertThat(first.account.committed).isEqualTo(3);
    assertThat(first.account.warnings).anyMatch(w -> w.contains("up to 2 lines may be duplicated"));
  }

  /** The checkpoints saved before are newer only in number, if it starts to count again. */
  @Test
  void aDeletedLockIsTakenAgainAndWhatIsCommittedThenStaysCommitted() throws IOException {
    ShippingProcess first = process();
    Spool spool = first.spool();
    List<String> all = lines("a", 100);
    for (int from = 0; from < 80; from += 20) {
      ShippingProcess.write(spool, all.subList(from, from + 20));
      first.turns(2);
    }
    Files.delete(lockOf(spool));
    ShippingProcess.write(spool, all.subList(80, 100));
    while (first.account.committed < 100) {
      first.turns(1);
    }
    assertThat(lockOf(spool)).exists();
    first.die();

    ShippingProcess second = process().recover();
    assertThat(second.log.records()).containsExactlyElementsOf(all);
    assertThat(second.account.warnings).isEmpty();
  }

  /** Another ships from a second place that we begin to use, or from ours after it was removed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingMoreIsWrittenOnceAnotherShipsFromAPlaceThatWeUseToo(boolean isMadeAnew)
      throws IOException {
    ShippingProcess first = process("shm");
    Spool before = first.spoolOf(List.of("a"));
    first.shipper.doWork();
    assertThat(first.log.records()).containsExactly("a");
    if (isMadeAnew) {
      FileTree.delete(first.base);
    }
    ShippingProcess second = process(isMadeAnew ? "shm" : "tmp");
    second.spool();
    second.turns(2);
    if (isMadeAnew) {
      first.retire(before);
      before = first.spool();
    } else {
      spoolBeside(first, second);
    }
    ShippingProcess.write(before, List.of("b"));
    first.shipper.doWork();
    assertThat(first.account.warnings).noneMatch(w -> w.contains("Another appender ships to"));
    first.turns(2); // half a second later: it is not one that just ends

    assertThat(first.log.records()).containsExactly("a");
    assertThat(first.account.warnings).anyMatch(w -> w.contains("Another appender ships to"));
  }

  /** One was left at a clean end of the log; the other then wrote after that. */
  @Test
  void ofTwoOrphansTheOneWhoseRecordsMayEndTheLogGoesFirst() throws IOException {
    ShippingProcess one = process("tmp", ShippingProcess.EVERY_HOUR);
    Spool left = one.spoolOf(List.of("a"));
    one.turns(1);
    one.shipper.onClose();
    assertThat(left.path()).exists();
    start(ShippingProcess.EVERY_HOUR, "b", "c");
    process.die();

    ShippingProcess next = process("tmp");
    next.queue.addDirectory(next.open(one.base));
    next.queue.addDirectory(next.open(process.base));
    next.turns(4);
    assertThat(next.log.records()).containsExactly("a", "b", "c");
    assertThat(next.account.warnings).isEmpty();
  }

  /** Its own checkpoint went with the directory. */
  @Test
  void whatIsShippedFromAPlaceThatWasMadeAnewIsNotShippedAgain() throws IOException {
    ShippingProcess process = process();
    Spool removed = process.spoolOf(List.of("a"));
    process.turns(3);
    FileTree.delete(process.base);
    process.retire(removed);
    Files.createDirectories(process.base);
    ShippingProcess.write(process.spool(), List.of("b"));
    process.shipper.doWork();
    process.shipper.doWork();
    process.shipper.requestCommit();
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(2);
    process.die();

    assertThat(process().recover().log.records()).containsExactly("a", "b");
  }
}
