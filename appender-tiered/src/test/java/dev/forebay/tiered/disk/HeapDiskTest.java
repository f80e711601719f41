package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class HeapDiskTest {

  private static final Path FILE = HeapDisk.ROOT.resolve("file");
  private static final Path DIRECTORY = HeapDisk.ROOT.resolve("directory");
  private static final int LIMIT_BYTES = 100_000;

  private final HeapDisk disk = new HeapDisk(LIMIT_BYTES);

  private static ByteBuffer bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private long usedBytes() {
    return LIMIT_BYTES - disk.usableBytes(HeapDisk.ROOT);
  }

  private DiskFile create(Path path) throws IOException {
    return disk.open(path, Disk.Mode.CREATE_PRIVATE);
  }

  @Test
  void whatIsWrittenIsReadAlsoThroughAnotherFileOfTheSameName() throws IOException {
    DiskFile file = create(FILE);
    assertThat(file.write(bytes(20_000), 40_000)).isEqualTo(20_000);
    assertThat(file.size()).isEqualTo(60_000);
    ByteBuffer read = ByteBuffer.allocateDirect(70_000);
    DiskFile other = disk.open(FILE, Disk.Mode.READ);
    assertThat(other.read(read, 0)).isEqualTo(60_000);
    assertThat(other.read(read, 60_000)).isEqualTo(-1);

    assertThat(read.slice(0, 40_000)).as("a hole").isEqualTo(ByteBuffer.allocate(40_000));
    assertThat(read.slice(40_000, 20_000)).isEqualTo(bytes(20_000));
  }

  @Test
  void memoryIsTakenAsItFillsAndGivenBack() throws IOException {
    DiskFile file = create(FILE);
    assertThat(usedBytes()).isZero();
    file.write(bytes(40_000), 0);
    assertThat(usedBytes()).isBetween(40_000L, 60_000L);
    file.truncate(10);
    assertThat(usedBytes()).isBetween(10L, 20_000L);
    Path other = HeapDisk.ROOT.resolve("other");
    create(other).write(bytes(10), 0);
    long used = usedBytes();
    disk.move(other, FILE);
    assertThat(usedBytes()).as("replaced").isEqualTo(used / 2);
    assertThat(disk.list(HeapDisk.ROOT)).containsExactly(FILE);
    disk.delete(FILE);
    assertThat(usedBytes()).isZero();
  }

  @Test
  void atTheLimitWritesAreShortAndThenRefused() throws IOException {
    DiskFile file = create(FILE);
    ByteBuffer much = bytes(200_000);
    int taken = file.write(much, 0);

    assertThat(taken).isBetween(80_000, LIMIT_BYTES);
    assertThat(much.position()).isEqualTo(taken);
    assertThatThrownBy(() -> file.write(much, taken)).hasMessageContaining("limit 100000");
    assertThat(file.size()).isEqualTo(taken);
    assertThat(usedBytes()).isLessThanOrEqualTo(LIMIT_BYTES);
  }

  @Test
  void aDirectoryMovesWithWhatIsInIt() throws IOException {
    disk.createDirectory(DIRECTORY);
    DiskFile file = create(DIRECTORY.resolve("file"));
    Path target = HeapDisk.ROOT.resolve("target");
    String key = disk.stat(DIRECTORY).key();
    disk.move(DIRECTORY, target);
    file.write(bytes(3), 0);

    assertThat(disk.stat(DIRECTORY)).isNull();
    assertThat(disk.isRemoved(DIRECTORY)).isTrue();
    assertThat(disk.stat(target).key()).isEqualTo(key);
    assertThat(disk.stat(target.resolve("file")).sizeBytes()).isEqualTo(3);
    assertThatThrownBy(() -> disk.delete(target)).isInstanceOf(DirectoryNotEmptyException.class);
  }

  @Test
  void namesAreTakenOnce() throws IOException {
    create(FILE);
    assertThatThrownBy(() -> create(FILE)).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk.createDirectory(FILE))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk.open(DIRECTORY, Disk.Mode.READ))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> create(FILE.resolve("below"))).hasMessageContaining("not a directory");
  }

  @Test
  void aWriterAndAReaderShareAFile() throws Exception {
    DiskFile file = create(FILE);
    ByteBuffer read = ByteBuffer.allocate(90_000);
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () -> {
              try (DiskFile other = disk.open(FILE, Disk.Mode.READ)) {
                while (read.hasRemaining()) {
                  other.read(read, read.position());
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    ByteBuffer source = bytes(90_000);
    for (int at = 0; at < 90_000; at += 9) {
      file.write(source.limit(at + 9).position(at), at);
    }
    reader.get();

    assertThat(read.array()).isEqualTo(bytes(90_000).array());
  }
}
