package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class HeapDiskTest {

  private static final Path FILE = HeapDisk.ROOT.resolve("file");
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
}
