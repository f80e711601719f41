package dev.forebay.tiered.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Paths of Windows, on a file system without owners, modes and numbers of links. It has no {@code
 * File} and no locks to speak of, so {@code UPDATE_BY_CALLS} and free space are not shown.
 */
@Tag("once")
class NioDiskOnWindowsTest {

  @AutoClose private final FileSystem system = Jimfs.newFileSystem(Configuration.windows());
  private final NioDisk disk = new NioDisk();
  private final Path root = system.getPath("C:\\work");

  private void write(Path file, Disk.Mode mode, String text) throws IOException {
    try (DiskFile open = disk.open(file, mode)) {
      open.writeFully(ByteBuffer.wrap(text.getBytes(UTF_8)), open.size());
      open.force();
      assertThat(open.tryLock()).isTrue();
    }
  }

  @Test
  void whatTheFileSystemDoesNotHaveIsUnknownAndNotRequired() throws IOException {
    Path spool = root.resolve("spool");
    disk.createDirectory(spool);
    Path file = spool.resolve("one");
    write(file, Disk.Mode.CREATE_PRIVATE, "first");

    FileInfo info = Objects.requireNonNull(disk.stat(file));
    assertThat(info.kind()).isEqualTo(FileInfo.Kind.FILE);
    assertThat(info.sizeBytes()).isEqualTo(5);
    assertThat(new int[] {info.ownerId(), info.mode(), info.links()}).containsOnly(-1);
    assertThat(disk.stat(spool.resolve("none"))).isNull();
    disk.forceDirectory(spool);
  }
}
