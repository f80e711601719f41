package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class LockOwnerTest {
  private static final LockOwner NOBODY = new LockOwner(false, 0);
  private static final String LOCKS =
      """
      1: POSIX  ADVISORY  WRITE 4711 00:1a:27 0 EOF
      2: FLOCK  ADVISORY  WRITE 4712 00:1a:28 0 EOF
      3: POSIX  ADVISORY  READ 4713 00:1a:29 0 EOF
      4: -> POSIX  ADVISORY  WRITE 4714 00:1a:30 0 EOF
      5: POSIX  ADVISORY  WRITE 4715 103:12345:31 0 EOF
      """;

  @TempDir Path directory;

  @Test
  void theHolderOfAnExclusivePosixLockIsNamed() {
    assertThat(LockOwner.listed(LOCKS, 0x1a, 27)).isEqualTo(new LockOwner(true, 4711));
    assertThat(LockOwner.listed(LOCKS, 0x1b, 27)).isEqualTo(NOBODY);
    assertThat(LockOwner.listed(LOCKS, 0x1a, 28)).isEqualTo(NOBODY);
    assertThat(LockOwner.listed(LOCKS, 0x1a, 29)).isEqualTo(NOBODY);
    assertThat(LockOwner.listed(LOCKS, 0x1a, 30)).as("only waits for it").isEqualTo(NOBODY);
  }

  /** Whose digits are not those of the kernel. */
  @Test
  void theLocaleOfTheProcessDoesNotMatter() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      assertThat(LockOwner.listed(LOCKS, 0x1a, 27)).isEqualTo(new LockOwner(true, 4711));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void largeDeviceNumbersAreReadAsTheKernelWritesThem() {
    long device = 0x12300000L | (0x103 << 8) | 0x45; // minor 12345 is split
    assertThat(LockOwner.listed(LOCKS, device, 31)).isEqualTo(new LockOwner(true, 4715));
  }

  @Test
  void aLockOfThisProcessIsSeenAndKept() throws IOException {
    Path file = Files.createFile(directory.resolve("lock"));
    assertThat(LockOwner.of(file)).isEqualTo(NOBODY);

    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      assertThat(held.isValid()).isTrue();
      LockOwner owner = new LockOwner(true, ProcessHandle.current().pid());
      assertThat(LockOwner.of(file)).isEqualTo(owner);
      assertThat(LockOwner.of(file)).as("still").isEqualTo(owner);
    }
    assertThat(LockOwner.of(directory.resolve("missing"))).isEqualTo(NOBODY);
  }

  @TempDir Path base;

  private final Disk disk = new NioDisk();

  @Test
  void staysWithADirectoryThatGetsItsFinalName() throws Exception {
    Path unfinished = Files.createDirectory(base.resolve("lines-1-bb"));
    AutoCloseable claim = ProcessClaim.tryTake(disk, unfinished.resolve("lock"));
    Path finished = Files.move(unfinished, base.resolve("spool-1-bb"));

    assertThat(ProcessClaim.tryTake(disk, finished.resolve("lock"))).isNull();
    claim.close();
  }

  /** The rename stands for a file system that gives a new directory the number of a removed one. */
  @Test
  void isNotThatOfASpoolWithTheNumberOfARemovedOne() throws Exception {
    Path removed = Files.createDirectory(base.resolve("spool-1-cc"));
    AutoCloseable left = ProcessClaim.tryTake(disk, removed.resolve("lock"));
    Path fresh = Files.move(removed, base.resolve("spool-2-dd"));

    AutoCloseable claim = ProcessClaim.tryTake(disk, fresh.resolve("lock"));

    assertThat(claim).isNotNull();
    claim.close();
    left.close();
  }
}
