package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.drain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files written once, by the first release with format version 1, and never changed: what was
 * spooled by an old release is shipped by a new one.
 */
@Tag("once")
class GoldenFilesTest {
  private static final InstanceId INSTANCE = InstanceId.parse("000102030405060708090a0b0c0d0e0f");
  private static final int RECORDS = 20;
  private static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 512);

  private final Disk disk = new NioDisk();
  @TempDir Path base;

  @ParameterizedTest
  @CsvSource({"valid, 20, 20", "torn, 19, 19", "corrupt, 3, 20"})
  void version1IsReadAroundAGapAndToWhereItIsTorn(String kind, int whole, int end)
      throws Exception {
    List<String> expected = new ArrayList<>(records(0, whole));
    if (whole < end) {
      expected.add("gap " + whole + "+1");
      expected.addAll(records(whole + 1, end));
    }
    assertThat(read(kind)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"valid", "loop"})
  void version1IsWrittenByteForByte(String kind) throws Exception {
    SpoolDirectory directory = Spools.open(disk, base);
    boolean isLoop = kind.equals("loop");
    String word = isLoop ? SpoolNames.FLIGHT : SpoolNames.SPOOL;
    Path path = directory.path().resolve(word + SpoolNames.spoolSuffix(0, INSTANCE));
    if (isLoop) {
      writeLoop(path);
    } else {
      write(path);
    }

    List<Path> expected = Spools.segments(golden(kind));
    assertThat(names(Spools.segments(path))).isEqualTo(names(expected)).isNotEmpty();
    for (Path file : expected) {
      assertThat(path.resolve(file.getFileName())).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void aLoopIsRead() throws Exception {
    SpoolDirectory directory = Spools.open(disk, base);
    copy("loop", directory.path().resolve("flight-" + SpoolNames.spoolSuffix(0, INSTANCE)));
    List<RecordSource> loops = directory.orphans(SpoolNames.FLIGHT);
    assertThat(loops).hasSize(1);
    try (RecordSource loop = loops.get(0)) {
      assertThat(drain(loop))
          .isEqualTo(
              IntStream.range(0, RECORDS)
                  .mapToObj(i -> new String(loopPayload(i), StandardCharsets.UTF_8))
                  .toList());
    }
  }

  /** Every third record has no key, the others "k1" or "k2". */
  private static byte[] loopPayload(int record) {
    String key = record % 3 == 0 ? "" : "k" + record % 3;
    return Spools.bytes((char) key.length() + "\0" + key + "record " + record);
  }

  private SpoolLease lease(Path path) throws IOException {
    disk.createDirectory(path);
    SpoolLock lock = Objects.requireNonNull(SpoolLock.tryTake(disk, path.resolve("lock")));
    return new SpoolLease(disk, path, lock);
  }

  private void writeLoop(Path path) throws IOException {
    try (Loop loop =
        new Loop(disk, lease(path), LIMITS, Long.MAX_VALUE, n -> {}, () -> 1_700_000_000_000L, 0)) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] payload = loopPayload(i);
        loop.append(payload, 0, payload.length, i % 5, true);
      }
      loop.flush();
    }
  }

  private void write(Path path) throws IOException {
    SpoolDirectory directory = Spools.open(disk, base);
    try (Spool spool = new Spool(directory, lease(path), LIMITS.share(), null, new Warnings())) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] payload = Spools.bytes("record " + i);
        spool.writer().append(payload, 0, payload.length, i % 5);
      }
      spool.writer().flush();
    }
  }

  private static List<String> records(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "record " + i).toList();
  }

  private List<String> read(String kind) throws Exception {
    SpoolDirectory directory = Spools.open(disk, base);
    Path spool = directory.path().resolve("spool-" + SpoolNames.spoolSuffix(0, INSTANCE));
    copy(kind, spool);
    try (RecordSource orphan = Spools.orphan(directory)) {
      return drain(orphan);
    }
  }

  private void copy(String kind, Path spool) throws Exception {
    disk.createDirectory(spool);
    for (Path file : Spools.segments(golden(kind))) {
      Path copy = Files.copy(file, spool.resolve(file.getFileName()));
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
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
