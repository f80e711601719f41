package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class HeapDiskTest {

  private static final int LIMIT_BYTES = 100_000;

  @Test
  void atTheLimitWritesAreShortAndThenRefused() throws IOException {
    HeapDisk disk = new HeapDisk(LIMIT_BYTES);
    DiskFile file = disk.open(HeapDisk.ROOT.resolve("file"), Disk.Mode.CREATE_PRIVATE);
    ByteBuffer much = ByteBuffer.allocate(2 * LIMIT_BYTES);
    int taken = file.write(much, 0);

    assertThat(taken).isBetween(80_000, LIMIT_BYTES);
    assertThat(much.position()).isEqualTo(taken);
    assertThatThrownBy(() -> file.write(much, taken)).hasMessageContaining("limit 100000");
    assertThat(file.size()).isEqualTo(taken);
    assertThat(disk.usableBytes(HeapDisk.ROOT)).isNotNegative();
  }
}
