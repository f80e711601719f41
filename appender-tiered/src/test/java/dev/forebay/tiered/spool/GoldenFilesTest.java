package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.records;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files written once, by the first release with format version 1, and never changed: what was
 * spooled by an old release is shipped by a new one.
 */
@Tag("once")
class GoldenFilesTest {
  private static final InstanceId INSTANCE = InstanceId.parse("000102030405060708090a0b0c0d0e0f");
  private static final int RECORDS = 20;

  private final Disk disk = new NioDisk();
  @TempDir Path base;

  @Test
  void version1IsRead() throws Exception {
    assertThat(read("valid")).isEqualTo(records(0, RECORDS));
  }

  @Test
  void version1TornIsReadToWhereItIsTorn() throws Exception {
    assertThat(read("torn")).isEqualTo(records(0, RECORDS - 1));
  }

  @Test
  void version1CorruptIsReadAroundTheGap() throws Exception {
    List<String> expected = new ArrayList<>(records(0, 3));
    expected.add("gap 3+1");
    expected.addAll(records(4, RECORDS));
    assertThat(read("corrupt")).isEqualTo(expected);
  }

  @Test
  void version1IsWrittenByteForByte() throws Exception {
    SpoolDirectory directory = Spools.open(disk, base);
    Path path = directory.path().resolve("spool-" + SpoolNames.spoolSuffix(0, INSTANCE));
    write(path);

    List<Path> expected = Spools.segments(golden("valid"));
    List<Path> written = Spools.segments(path);
    assertThat(written).extracting(Path::getFileName).isEqualTo(names(expected));
    for (int i = 0; i < expected.size(); i++) {
      assertThat(written.get(i)).hasSameBinaryContentAs(expected.get(i));
    }
  }

  private void write(Path path) throws IOException {
    disk.createDirectory(path);
    SpoolLock lock = Objects.requireNonNull(SpoolLock.tryTake(disk, path.resolve("lock")));
    Warnings warnings = new Warnings();
    Quarantine quarantine = new Quarantine(disk, path, warnings);
    SpoolLease lease = new SpoolLease(disk, path, INSTANCE, lock);
    SpoolLimits limits = new SpoolLimits(1 << 20, 512);
    try (Spool spool = new Spool(disk, lease, limits, quarantine, warnings)) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] payload = Spools.bytes("record " + i);
        spool.writer().append(payload, 0, payload.length, i % 5);
      }
      spool.writer().flush();
    }
  }

  private List<String> read(String kind) throws Exception {
    SpoolDirectory directory = Spools.open(disk, base);
    Path spool = directory.path().resolve("spool-" + SpoolNames.spoolSuffix(0, INSTANCE));
    disk.createDirectory(spool);
    for (Path file : Spools.segments(golden(kind))) {
      Path copy = Files.copy(file, spool.resolve(file.getFileName()));
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
    }
    try (RecordSource orphan = Spools.orphan(directory)) {
      return drain(orphan);
    }
  }

  private static List<Path> names(List<Path> paths) {
    return paths.stream().map(Path::getFileName).toList();
  }

  private static Path golden(String kind) throws URISyntaxException {
    return Path.of(
        Objects.requireNonNull(GoldenFilesTest.class.getResource("/spool-v1/" + kind)).toURI());
  }
}
