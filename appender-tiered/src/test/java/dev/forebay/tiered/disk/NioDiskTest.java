package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class NioDiskTest {
  private final NioDisk disk = new NioDisk();
  @TempDir Path dir;

  @Test
  void noModeFollowsALink() throws IOException {
    Path target = Files.createFile(dir.resolve("target"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), target);
    Path dangling = Files.createSymbolicLink(dir.resolve("dangling"), dir.resolve("new"));

    for (Disk.Mode mode : Disk.Mode.values()) {
      assertThatThrownBy(() -> disk.open(link, mode)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> disk.open(dangling, mode)).isInstanceOf(IOException.class);
    }
    assertThat(dir.resolve("new")).doesNotExist();
  }

  @Test
  void aFileForCallsIsWrittenAtPositionsAndCreatesNothing() throws IOException {
    Path path = dir.resolve("f");
    assertThatThrownBy(() -> disk.open(path, Disk.Mode.UPDATE_BY_CALLS))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(path).doesNotExist();
    Files.createFile(path);
    try (DiskFile file = disk.open(path, Disk.Mode.UPDATE_BY_CALLS)) {
      ByteBuffer source = bytes("abcdef");
      source.limit(3);
      assertThat(file.write(source, 2)).isEqualTo(3);
      assertThat(source.position()).isEqualTo(3);
      assertThat(file.write(bytes("XYZ"), 5)).as("where it is").isEqualTo(3);
      assertThat(file.write(bytes("12"), 0)).as("elsewhere").isEqualTo(2);
      ByteBuffer large = ByteBuffer.allocateDirect(100_000);
      assertThat(file.write(large, 8)).as("a part").isEqualTo(64 * 1024);
      ByteBuffer target = ByteBuffer.allocateDirect(8);
      assertThat(file.read(target, 0)).isEqualTo(8);
      assertThat(text(target)).isEqualTo("12abcXYZ");
      file.truncate(9);
      file.truncate(20);
      file.force();
      assertThat(file.size()).isEqualTo(9);
    }
  }

  @Test
  void aLogIsReadWhereItIsAndOpenOnce() throws IOException {
    Path path = dir.resolve("log");
    Path moved = dir.resolve("moved");
    try (DiskFile log = disk.open(path, Disk.Mode.LOG)) {
      assertThat(log.write(bytes("abc"), 7)).isEqualTo(3);
      assertThat(log.write(bytes("def"), 0)).isEqualTo(3);
      assertRead(log, "bcdef");
      assertThat(OpenFiles.below(dir.toRealPath())).containsExactly("log");

      Files.move(path, moved);
      assertThatThrownBy(() -> assertRead(log, "")).hasMessageContaining("moved or removed");
      Files.writeString(path, "another");
      assertThatThrownBy(() -> assertRead(log, "")).hasMessageContaining("moved or removed");
      assertThat(log.write(bytes("g"), 0)).isEqualTo(1);
      Files.move(moved, path, StandardCopyOption.REPLACE_EXISTING);
      assertRead(log, "bcdefg");
    }
  }

  private static void assertRead(DiskFile file, String expected) throws IOException {
    ByteBuffer target = ByteBuffer.allocateDirect(9);
    assertThat(file.read(target, 1)).isEqualTo(expected.length());
    assertThat(text(target)).isEqualTo(expected);
  }

  @Test
  void knowsWhatIsInMemory() {
    assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "no /dev/shm");

    for (int i = 0; i < 2; i++) { // the second time from a table read before
      assertThat(disk.isInMemory(Path.of("/dev/shm"))).isTrue();
      assertThat(disk.isInMemory(Path.of("/proc"))).isFalse();
      assertThat(disk.isInMemory(dir.resolve("none"))).isFalse();
    }
  }

  /** As a tmpfs without a limit, ramfs, and each one where a profile forbids to ask. */
  @Test
  void aFileSystemThatTellsNoSizeIsNotFull() throws IOException {
    Path sizeless = Path.of("/proc");
    assumeTrue(Files.isDirectory(sizeless), "no /proc");

    assertThat(disk.usableBytes(sizeless)).isGreaterThan(1L << 40);
  }

  @ParameterizedTest
  @EnumSource(names = {"UPDATE", "UPDATE_BY_CALLS", "LOG"})
  void anInterruptedThreadKeepsItsFileAndItsFlag(Disk.Mode mode) throws IOException {
    Path path = Files.createFile(dir.resolve("f"));
    try (DiskFile file = disk.open(path, mode)) {
      Thread.currentThread().interrupt();
      file.write(bytes("abc"), 0);
      file.read(ByteBuffer.allocate(3), 0);
      file.force();
      file.truncate(2);
      boolean isLocked = file.tryLock();
      long size = file.size();
      disk.forceDirectory(dir);
      assertThat(Thread.interrupted()).isTrue();

      assertThat(isLocked).isTrue();
      assertThat(size).isEqualTo(2);
      assertThat(file.write(bytes("c"), 2)).isEqualTo(1);
    }
    assertThat(path).hasContent("abc");
  }

  @Test
  void aLockIsOfOneFileAndOutlivesTheGarbageCollector() throws Exception {
    Path path = dir.resolve("lock");
    try (DiskFile first = disk.open(path, Disk.Mode.CREATE_PRIVATE);
        DiskFile second = disk.open(path, Disk.Mode.UPDATE)) {
      assertThat(first.tryLock()).isTrue();
      WeakReference<Object> collected = new WeakReference<>(new Object());
      while (collected.get() != null) {
        System.gc();
      }
      assertThat(second.tryLock()).isFalse();
    }
  }

  @Test
  void userIdIsThatOfFilesNotOfTheProcessEntry() throws IOException {
    assertThat(NioDisk.userIn("Name:\tjava\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\n")).isEqualTo(4);
    assertThat(NioDisk.userIn("Name:\tjava\n")).isEqualTo(-1);
    assertThat(NioDisk.ownerOfNewFile()).isEqualTo(disk.userId());
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteBuffer buffer) {
    return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
  }

  @Test
  void aPipeHasNoEntriesAndNobodyWaitsForThem() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> disk.list(pipe)).isInstanceOf(NotDirectoryException.class);
  }

  /** As those of some shared folders of virtual machines. */
  @Test
  void aDirectoryOfAFileSystemThatForcesNoneIsTakenForForced() {
    assertThatCode(() -> new NioDisk().forceDirectory(Path.of("/proc/self")))
        .doesNotThrowAnyException();
  }
}
