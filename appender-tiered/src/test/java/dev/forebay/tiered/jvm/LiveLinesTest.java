package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.spool.LiveSpool;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolHead;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/**
 * A JVM's directory that another process ships while its owner lives, frees what is shipped, and is
 * killed before any file operation; the shipper is killed too. Every line is in the log once.
 */
@Tag("once")
class LiveLinesTest {

  private static final byte[] DESCRIPTION = {'d'};

  private static final long AHEAD_BYTES = 900;
  private static final int MOST_BATCH_BYTES = 250;

  private Random random = new Random(0);
  private MemoryDisk memory;
  private JvmRescueTest.Log log = new JvmRescueTest.Log();
  private boolean isOwnersTurn;

  LiveLinesTest() throws IOException {
    memory = JvmRescueTest.disk();
  }

  private void begin(long seed) throws IOException {
    random = new Random(seed);
    memory = JvmRescueTest.disk();
    log = new JvmRescueTest.Log();
    isOwnersTurn = false;
  }

  /** The disk of processes of which each sees the other's locks. */
  private FaultyDisk shared() {
    return new FaultyDisk(memory)
        .showing(
            (path, info) ->
                info.kind() != FileInfo.Kind.DIRECTORY
                    ? info
                    : new FileInfo(
                        info.kind(),
                        info.sizeBytes(),
                        path.toString(),
                        info.ownerId(),
                        info.mode(),
                        info.links(),
                        info.modifiedMs()));
  }

  /** An owner of lines, and the JVM that writes them. */
  private final class Owner {
    final JvmAccount account = new JvmAccount();
    final JvmRescueTest.Heard heard = new JvmRescueTest.Heard();
    final LineSpool spool;
    final JvmReading reading;
    final FakeJvm jvm;

    /** Files are given up beyond a limit. */
    Owner(Disk disk, long limitBytes) throws IOException {
      JvmSettings settings = JvmRescueTest.settings(account, heard);
      spool = LineSpool.create(JvmRescueTest.open(disk), limitBytes);
      UlOutput output = UlOutput.ours(spool, settings.rotation(), "level");
      output.noteIn(spool);
      spool.add(LineFile.FIRST - 1, Gap.beginLine(), Gap.NONE);
      jvm = JvmRescueTest.begun(memory, spool, settings);
      spool.describe(DESCRIPTION, AHEAD_BYTES);
      reading = JvmReading.begin(spool, output, settings);
    }

    /** What its follower does: counts and frees what the checkpoint says. */
    void follow() throws IOException {
      long committed = log.committed.getOrDefault(spool.instanceId(), 0L);
      spool.source().seek(committed);
      spool.source().release(committed);
    }

    void turn() throws IOException {
      JvmRescueTest.write(jvm, random.nextInt(12));
      isOwnersTurn = true;
      int unused = reading.turn();
      if (random.nextInt(3) == 0) {
        follow();
      }
      isOwnersTurn = false;
    }
  }

  private static List<LiveSpool> live(Disk disk) throws IOException {
    return LiveSpool.in(JvmRescueTest.open(disk), instance -> false, new JvmLines());
  }

  private RecordSource shipper(Disk disk) throws IOException {
    List<LiveSpool> found = live(disk);
    assertThat(found).hasSize(1);
    RecordSource source = found.get(0).source();
    log.take(source);
    return source;
  }

  private Owner live(Disk mortal, int turns) throws IOException {
    Owner owner = new Owner(mortal, Long.MAX_VALUE);
    try {
      RecordSource source = shipper(mortal);
      for (int turn = 0; turn < turns; turn++) {
        owner.turn();
        if (random.nextInt(20) == 0) {
          source.close();
          source = shipper(mortal);
        }
        log.ship(source, random);
      }
    } catch (JvmRescueTest.Killed e) {
      JvmRescueTest.write(owner.jvm, random.nextInt(20));
    }
    isOwnersTurn = false;
    return owner;
  }

  @Property(tries = 400)
  void everyLineIsInTheLogOnceWhoeverIsKilled(
      @ForAll long seed,
      @ForAll @IntRange(min = 60, max = 6000) int killed,
      @ForAll @IntRange(min = 0, max = 6) int lives)
      throws Exception {
    begin(seed);
    Disk mortal =
        shared()
            .from(
                killed,
                () -> {
                  if (isOwnersTurn) {
                    throw new JvmRescueTest.Killed();
                  }
                });
    Owner owner = live(mortal, 200);
    JvmRescueTest.takeOverInLives(memory, log, random, lives);

    assertThat(owner.heard.lines).isEqualTo(owner.jvm.lines.subList(0, owner.heard.lines.size()));
    JvmRescueTest.requireJvms(log.lines, owner.jvm.lines);
    assertThat(log.gaps).isZero();
    assertThat(owner.account.lostBytes()).isZero();
  }

  @Example
  void theFilesThatAreShippedAreFreedByTheirOwnerAlone() throws Exception {
    Disk disk = shared();
    Owner owner = new Owner(disk, JvmRescueTest.MEMORY_BYTES);
    RecordSource source = shipper(disk);
    for (int turn = 0; turn < 50; turn++) {
      JvmRescueTest.write(owner.jvm, 10);
      int unused = owner.reading.turn();
      List<Path> before = memory.list(owner.spool.path());
      while (log.copy(source, 1000)) {
        // until all is copied
      }
      log.commit(source);
      assertThat(memory.list(owner.spool.path())).hasSameElementsAs(before);
      owner.follow();
      assertThat(owner.spool.publishedSequence()).isEqualTo(source.nextSequence());
    }
    JvmRescueTest.requireJvms(log.lines, owner.jvm.lines);
    assertThat(owner.account.lostBytes()).isZero();
    assertThat(owner.spool.usedBytes()).isLessThan(JvmRescueTest.MEMORY_BYTES);
  }

  /** The log's disk hangs, and the other process has read what is given up meanwhile. */
  @Property(tries = 100)
  void whatIsGivenUpIsCountedAndStandsInTheLog(@ForAll long seed) throws Exception {
    begin(seed);
    Disk disk = shared();
    Owner owner = new Owner(disk, JvmRescueTest.MEMORY_BYTES);
    RecordSource source = shipper(disk);
    for (int turn = 0; turn < 200; turn++) {
      owner.follow();
      owner.turn();
      int copiedBytes = log.copied.stream().mapToInt(String::length).sum();
      if (copiedBytes < AHEAD_BYTES - MOST_BATCH_BYTES) {
        boolean unused = log.copy(source, 1 + random.nextInt(MOST_BATCH_BYTES - 50));
      }
      if (random.nextInt(15) == 0) {
        log.commit(source);
      }
    }
    while (log.copy(source, 100_000)) {
      // until all is copied
    }
    log.commit(source);
    owner.follow();
    assertThat(owner.account.accepted()).isEqualTo(log.lines.size() + log.gaps);
    assertThat(JvmRescueTest.missingLines(log.lines.subList(1, log.lines.size()), owner.jvm.lines))
        .isPositive();
  }

  @Example
  void aDirectoryWithoutHeadIsItsOwnersAlone() throws Exception {
    Disk disk = shared();
    LineSpool spool = LineSpool.create(JvmRescueTest.open(disk), JvmRescueTest.MEMORY_BYTES);
    assertThat(live(disk)).isEmpty();

    spool.describe(DESCRIPTION);
    spool.describe(DESCRIPTION); // the first try may have failed
    assertThat(live(disk)).hasSize(1);
    assertThat(memory.stat(spool.path().resolve(SpoolNames.DESCRIPTION))).isNotNull();
    SpoolDirectory directory = JvmRescueTest.open(disk);
    assertThat(LiveSpool.in(directory, spool.instanceId()::equals, new JvmLines())).isEmpty();
  }

  @Example
  void theHeadShowsWhatIsAskedForAndTheEnd() throws Exception {
    Disk disk = shared();
    Owner owner = new Owner(disk, JvmRescueTest.MEMORY_BYTES);
    LiveSpool seen = live(disk).get(0);
    JvmRescueTest.write(owner.jvm, 3);
    assertThat(seen.publishedSequence()).isZero();
    int unused = owner.reading.turn();
    assertThat(seen.publishedSequence()).isEqualTo(4);
    assertThat(SpoolHead.publishedIn(disk, owner.spool.path())).isEqualTo(4);
    owner.spool.requestCommit();
    owner.spool.retire();
    assertThat(seen.publishedSequence()).isEqualTo(4);
    assertThat(seen.awaited()).isEqualTo(4);
    assertThat(seen.isRetired()).isTrue();
  }
}
