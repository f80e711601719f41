package dev.forebay.it.demo.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class StallingDiskTest {

  @TempDir Path directory;

  private final StallGate gate = new StallGate();
  private Path logs;
  private Path spool;
  private Disk disk;

  @BeforeEach
  void createDirectories() throws IOException {
    logs = Files.createDirectory(directory.resolve("logs"));
    spool = Files.createDirectory(directory.resolve("spool"));
    disk = new StallingDisk(new NioDisk(), logs, gate);
  }

  private static int write(DiskFile file) throws IOException {
    return file.write(ByteBuffer.wrap(new byte[] {'x'}), 0);
  }

  private static void awaitStall(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  @Test
  void holdsUpWritesToTheLogUntilTheGateOpens() throws Exception {
    try (DiskFile log = disk.open(logs.resolve("app.log"), Disk.Mode.LOG)) {
      gate.close();
      FutureTask<Integer> writing = new FutureTask<>(() -> write(log));
      Thread thread = new Thread(writing);
      thread.setDaemon(true);
      thread.start();
      awaitStall(thread);

      assertThat(log.size()).isZero();
      gate.open();

      assertThat(writing.get()).isEqualTo(1);
      assertThat(log.size()).isEqualTo(1);
    }
  }

  @Test
  void leavesTheSpoolAlone() throws IOException {
    gate.close();

    try (DiskFile segment = disk.open(spool.resolve("segment"), Disk.Mode.CREATE_PRIVATE)) {
      assertThat(write(segment)).isEqualTo(1);
      segment.force();
    }
    disk.delete(spool.resolve("segment"));

    assertThat(spool).isEmptyDirectory();
  }

  @Test
  void letsTheLogBeReadWhileItIsStalled() throws IOException {
    Path file = Files.writeString(logs.resolve("app.log"), "line\n");
    gate.close();

    try (DiskFile log = disk.open(file, Disk.Mode.READ)) {
      assertThat(log.read(ByteBuffer.allocate(8), 0)).isEqualTo(5);
      assertThat(disk.list(logs)).containsExactly(file);
    }
  }
}
