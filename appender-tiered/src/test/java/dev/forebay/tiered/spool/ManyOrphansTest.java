package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.fill;
import static dev.forebay.tiered.spool.Spools.names;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of dead processes may have left spools. */
class ManyOrphansTest {
  private static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 256);

  private final Disk disk = new NioDisk();
  @TempDir Path base;
  private SpoolDirectory directory;

  @BeforeEach
  void open() throws IOException {
    directory = Spools.open(disk, base);
  }

  /** Each has two files open, and there may be thousands. */
  @Test
  void someAreTakenOverAtATimeTheNamedOneFirst() throws IOException {
    List<InstanceId> dead = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Spool spool = directory.createSpool(LIMITS);
      fill(spool, 0, 1);
      spool.close();
      dead.add(spool.instanceId());
    }

    List<RecordSource> some = directory.orphans(dead.get(18));
    assertThat(some).hasSize(16);
    assertThat(some.get(0).instanceId()).isEqualTo(dead.get(18));
    assertThat(some.get(1).instanceId()).isEqualTo(dead.get(0));
    for (RecordSource orphan : some) {
      orphan.discard();
    }
    assertThat(directory.orphans(null))
        .extracting(RecordSource::instanceId)
        .containsExactly(dead.get(15), dead.get(16), dead.get(17), dead.get(19));
  }

  /** Memory outside the heap is freed late, and has a limit of its own. */
  @Test
  void theirWindowsAreInTheHeap() throws IOException {
    for (int i = 0; i < 16; i++) {
      Spool spool = directory.createSpool(LIMITS);
      fill(spool, 0, 1);
      spool.close();
    }
    List<RecordSource> orphans = directory.orphans(null);
    long before = directBytes();
    for (RecordSource orphan : orphans) {
      assertThat(orphan.limitSequence()).isEqualTo(1);
    }
    assertThat(directBytes() - before).isLessThan(8L * RecordSource.WINDOW_BYTES);
    orphans.forEach(RecordSource::close);
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void theSparesOfADeadProcessAreFreedAtOnce() throws IOException {
    Spool spool = directory.createSpool(LIMITS);
    fill(spool, 0, 30);
    drain(spool.source());
    spool.source().release(30);
    assertThat(names(spool.path())).anyMatch(name -> name.startsWith("spare-"));
    fill(spool, 30, 31);
    spool.close();
    RecordSource orphan = Spools.orphan(directory);
    assertThat(names(orphan.path())).noneMatch(name -> name.startsWith("spare-"));
    orphan.close();
  }
}
