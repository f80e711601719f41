package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An appender that changes from one directory for spools to another, or to the same made anew. */
@Tag("once")
class SpoolsInTwoPlacesTest {

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();

  private ShippingProcess process(String base) throws IOException {
    return process(base, ShippingProcess.EVERY_SECOND);
  }

  private ShippingProcess process(String base, FsyncPolicy fsync) throws IOException {
    return ShippingProcess.in(directory, base, disk, fsync);
  }

  /** A spool of a process in the directory of another one. */
  private static Spool spoolBeside(ShippingProcess process, ShippingProcess other)
      throws IOException {
    SpoolDirectory there = process.open(other.base);
    Spool spool = there.createSpool(ShippingProcess.LIMITS);
    process.queue.add(there, spool);
    return spool;
  }

  /** Until then neither knew of the other. */
  @Test
  void nothingMoreIsWrittenOnceAnotherShipsFromAPlaceThatWeUseToo() throws IOException {
    ShippingProcess second = process("tmp");
    second.spool();
    second.turns(2);
    ShippingProcess first = process("shm");
    Spool before = first.spoolOf(List.of("a"));
    first.shipper.doWork();
    assertThat(first.log.records()).containsExactly("a");

    spoolBeside(first, second);
    ShippingProcess.write(before, List.of("b"));
    first.shipper.doWork();
    assertThat(first.log.records()).containsExactly("a");
    assertThat(first.account.warnings).anyMatch(w -> w.contains("Another appender ships to"));
    second.die();
    first.die();
  }

  @Test
  void whatADeadProcessLeftInASecondPlaceGoesBeforeOurOwnSpoolThere() throws IOException {
    ShippingProcess dead = process("tmp");
    dead.spoolOf(List.of("dead"));
    dead.die();
    ShippingProcess process = process("shm");
    Spool first = process.spoolOf(List.of("first"));
    process.turns(3);
    process.retire(first);
    ShippingProcess.write(spoolBeside(process, dead), List.of("second"));
    process.turns(3);

    assertThat(process.log.records()).containsExactly("first", "dead", "second");
    process.die();
  }

  /** One was left at a clean end of the log; the other then wrote after that. */
  @Test
  void ofTwoOrphansTheOneWhoseRecordsMayEndTheLogGoesFirst() throws IOException {
    ShippingProcess one = process("tmp", ShippingProcess.EVERY_HOUR);
    Spool left = one.spoolOf(List.of("a"));
    one.turns(1);
    one.shipper.onClose();
    assertThat(left.path()).exists();
    ShippingProcess two = process("shm", ShippingProcess.EVERY_HOUR);
    Spool torn = two.spool();
    two.turns(1);
    ShippingProcess.write(torn, List.of("b", "c"));
    two.turns(1);
    two.die();

    ShippingProcess next = process("tmp");
    next.queue.addDirectory(next.open(one.base));
    next.queue.addDirectory(next.open(two.base));
    next.turns(4);

    assertThat(next.log.records()).containsExactly("a", "b", "c");
    assertThat(next.account.warnings).isEmpty();
    next.die();
  }

  @Test
  void aPlaceThatNothingIsShippedFromGetsNoCheckpoint() throws IOException {
    ShippingProcess process = process("shm");
    process.spoolOf(List.of("a"));
    SpoolDirectory unused = process.open(Files.createDirectories(directory.resolve("tmp")));
    process.queue.addDirectory(unused);
    process.turns(3);

    assertThat(unused.path().resolve("checkpoint")).doesNotExist();
    process.die();
  }

  @Test
  void twoSpoolsOfOnePlaceAreShippedInTheirOrder() throws IOException {
    ShippingProcess process = process("shm");
    SpoolDirectory place = process.open(process.base);
    Spool first = place.createSpool(ShippingProcess.LIMITS);
    process.queue.add(place, first);
    ShippingProcess.write(first, List.of("a"));
    process.queue.retire(place, first);
    Spool second = place.createSpool(ShippingProcess.LIMITS);
    process.queue.add(place, second);
    ShippingProcess.write(second, List.of("b"));
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "b");
    process.die();
  }

  @Test
  void whatIsFoundInAPlaceThatWasMadeAnewIsReported() throws IOException {
    ShippingProcess process = process("shm");
    Spool removed = process.spool();
    process.turns(2);
    Scratch.delete(process.base);
    process.retire(removed);
    Files.createDirectories(process.base);
    Spool fresh = process.spool();
    process.turns(2);
    ShippingProcess.write(fresh, ShippingProcess.lines("own", 30));
    Path segment = fresh.path().resolve("0000000000000000.seg");
    Files.delete(segment);
    Files.createDirectory(segment);
    process.turns(2);

    assertThat(process.account.warnings).contains("cannot read " + segment + ": is a directory");
    process.die();
  }

  /** Its own checkpoint went with the directory. */
  @Test
  void whatIsShippedFromAPlaceThatWasMadeAnewIsNotShippedAgain() throws IOException {
    ShippingProcess process = process("shm");
    Spool removed = process.spoolOf(List.of("a"));
    process.turns(3);
    Scratch.delete(process.base);
    process.retire(removed);
    Files.createDirectories(process.base);
    ShippingProcess.write(process.spool(), List.of("b"));
    process.shipper.doWork();
    process.shipper.doWork();
    process.shipper.requestCommit();
    process.shipper.doWork();
    assertThat(process.account.committed).isEqualTo(2);
    process.die();

    assertThat(process("shm").recover().log.records()).containsExactly("a", "b");
  }

  @Test
  void nothingMoreIsWrittenOnceAnotherShipsFromOurPlaceMadeAnew() throws IOException {
    ShippingProcess first = process("shm");
    Spool removed = first.spoolOf(List.of("a"));
    first.shipper.doWork();
    Scratch.delete(first.base);
    ShippingProcess second = process("shm");
    second.spool();
    second.turns(2);
    first.retire(removed);
    ShippingProcess.write(first.spool(), List.of("b"));
    first.shipper.doWork();

    assertThat(first.log.records()).containsExactly("a");
    assertThat(first.account.warnings).anyMatch(w -> w.contains("Another appender ships to"));
    second.die();
    first.die();
  }
}
