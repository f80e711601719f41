package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A spool on a disk comes back after a power cut, but perhaps not as it was last. */
@Tag("once")
class PowerCutOnTheSpoolsDiskTest extends ShippingRig {

  PowerCutOnTheSpoolsDiskTest() {
    super(ShippingProcess.watched());
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(
        to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        Files.copy(entry, to.resolve(entry.getFileName()));
      }
    }
  }

  /** The name is forced, the deletion is not. */
  @Test
  void aSpoolThatWasDeletedAndIsThereAgainIsNotShippedTwice() throws IOException {
    ShippingProcess first = process();
    Spool deleted = first.spool();
    Path done = Path.of(deleted.path().toString().replace("/spool-", "/done-"));
    Path saved = directory.resolve("saved");
    ShippingProcess.write(deleted, List.of("a", "b"));
    first.turns(3);
    disk.affecting(done::equals).before(Op.LIST, 1, () -> copy(done, saved));
    first.retire(deleted);
    first.spoolOf(List.of("c"));
    first.turns(6);
    assertThat(done).doesNotExist();
    first.die();
    Files.move(saved, done);

    ShippingProcess second = process().recover();

    assertThat(second.log.records()).containsExactly("a", "b", "c");
    assertThat(second.account.warnings).isEmpty();
    assertThat(done).doesNotExist();
  }

  /** The cut comes before its new name is forced. */
  @Test
  void aShippedSpoolThatHasItsOldNameAgainIsNotShippedTwice() throws IOException {
    ShippingProcess first = process();
    Spool shipped = first.spool();
    Path done = Path.of(shipped.path().toString().replace("/spool-", "/done-"));
    ShippingProcess.write(shipped, List.of("a", "b"));
    first.turns(3);
    disk.failFrom(Op.FORCE_DIRECTORY, 1, () -> new IOException("cut"));
    first.retire(shipped);
    first.spoolOf(List.of("c"));
    first.turns(6);
    disk.heal();
    first.die();
    Files.move(done, shipped.path());

    ShippingProcess second = process().recover();

    assertThat(second.log.records()).containsExactly("a", "b", "c");
    assertThat(second.account.warnings).isEmpty();
  }

  @Test
  void linesBehindTheCheckpointThatCameBackWithHolesAreWrittenAgain() throws IOException {
    List<String> lines = lines("own", 9);
    start(ShippingProcess.EVERY_SECOND, lines.toArray(String[]::new));
    process.die();
    byte[] bytes = Files.readAllBytes(logFile());
    Arrays.fill(bytes, bytes.length / 3, bytes.length / 2, (byte) 0);
    Arrays.fill(bytes, bytes.length - 30, bytes.length, (byte) 0);
    Files.write(logFile(), Arrays.copyOf(bytes, bytes.length + 500));

    ShippingProcess second = process().recover();

    assertThat(second.log.records()).isEqualTo(lines);
    assertThat(second.account.warnings).isEmpty();
  }
}
