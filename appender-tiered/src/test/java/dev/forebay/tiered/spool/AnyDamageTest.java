package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.spool.RandomDamage.Frame;
import dev.forebay.tiered.spool.RandomDamage.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Spools of dead processes, with records and segments of any size, to which anything happens. */
@Tag("once")
class AnyDamageTest {
  private static final long A_WEEK_LATER_MS = 8L * 24 * 60 * 60 * 1000;

  private final Disk disk = new NioDisk();
  private Scratch scratch;
  private SpoolDirectory directory;
  private Path spool;
  private InstanceId instance;
  private final List<byte[]> written = new ArrayList<>();

  /** What was read, and where the spool ended. */
  private final NavigableMap<Long, byte[]> read = new TreeMap<>();

  private long end;

  /**
   * A spool to be written.
   *
   * @param sizes of the records
   * @param committedPercent how many of them are committed before the others are written, so that
   *     their segments are recycled
   */
  record Plan(int segmentBytes, List<Integer> sizes, int committedPercent, int batchBytes) {
    int committed() {
      return sizes.size() * committedPercent / 100;
    }
  }

  @Provide
  Arbitrary<Plan> plans() {
    return Combinators.combine(
            Arbitraries.integers().between(256, 1500),
            Arbitraries.integers().between(0, 200).list().ofMinSize(1).ofMaxSize(60),
            Arbitraries.integers().between(0, 100),
            Arbitraries.integers().between(1, 1000))
        .as(Plan::new);
  }

  @Provide
  Arbitrary<List<RandomDamage>> damages() {
    return damages(List.of(Kind.values()));
  }

  @Provide
  Arbitrary<List<RandomDamage>> damagesInPlace() {
    return damages(Kind.IN_PLACE);
  }

  private static Arbitrary<List<RandomDamage>> damages(List<Kind> kinds) {
    return Combinators.combine(
            Arbitraries.of(kinds),
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, 1500),
            Arbitraries.integers().between(0, 200),
            Arbitraries.integers())
        .as(RandomDamage::new)
        .list()
        .ofMaxSize(6);
  }

  @BeforeTry
  void makeBase() throws IOException {
    scratch = new Scratch();
    written.clear();
    read.clear();
  }

  @AfterTry
  void deleteBase() throws IOException {
    scratch.close();
  }

  @Property(seed = "1")
  void whatIsReadWasWrittenAndWhatIsMissingIsCounted(
      @ForAll("plans") Plan plan, @ForAll("damages") List<RandomDamage> damages)
      throws IOException {
    write(plan);
    damages.forEach(damage -> damage.applyTo(spool));
    PlainScan expected = PlainScan.of(instance, contents());

    try (RecordSource orphan = Spools.orphan(directory)) {
      readAll(orphan, plan);
      assertThat(end).isEqualTo(Math.max(plan.committed(), expected.end()));
      assertThat(end).isLessThanOrEqualTo(written.size());
      assertThat(read.keySet())
          .isEqualTo(expected.records().tailMap((long) plan.committed()).keySet());
      orphan.release(end);
      orphan.discard();
    }
    directory.cleanUp(Files.getLastModifiedTime(scratch.path()).toMillis() + A_WEEK_LATER_MS);
    assertThat(Spools.names(directory.path())).isEmpty();
  }

  @Property(seed = "1")
  void damageInPlaceCostsTheRecordsItTouchesAndNoOthers(
      @ForAll("plans") Plan plan, @ForAll("damagesInPlace") List<RandomDamage> damages)
      throws IOException {
    write(plan);
    NavigableMap<Long, byte[]> whole = contents();
    damages.forEach(damage -> damage.applyTo(spool));
    NavigableMap<Long, byte[]> damaged = contents();
    TreeSet<Long> untouched = new TreeSet<>();
    damaged.forEach((first, bytes) -> untouched.addAll(untouched(whole.get(first), bytes)));

    try (RecordSource orphan = Spools.orphan(directory)) {
      readAll(orphan, plan);
    }

    assertThat(read.keySet()).isEqualTo(untouched.tailSet((long) plan.committed()));
    long last = damaged.isEmpty() ? 0 : damaged.lastKey();
    long behind = untouched.isEmpty() ? 0 : untouched.last() + 1;
    assertThat(end).isEqualTo(Math.max(plan.committed(), Math.max(last, behind)));
  }

  private static List<Long> untouched(byte[] whole, byte[] damaged) {
    return RandomDamage.frames(whole).stream()
        .filter(
            frame ->
                frame.at() + frame.length() <= damaged.length
                    && Arrays.equals(bytesOf(frame, whole), bytesOf(frame, damaged)))
        .map(Frame::sequence)
        .toList();
  }

  private static byte[] bytesOf(Frame frame, byte[] segment) {
    return Arrays.copyOfRange(segment, frame.at(), frame.at() + frame.length());
  }

  private void write(Plan plan) throws IOException {
    directory = Spools.open(disk, scratch.path());
    Spool made = directory.createSpool(new SpoolLimits(1 << 20, plan.segmentBytes()));
    spool = made.path();
    instance = made.instanceId();
    Random random = new Random(plan.hashCode());
    for (int size : plan.sizes()) {
      byte[] record = new byte[Math.min(size, made.writer().maxPayloadBytes())];
      random.nextBytes(record);
      assertThat(made.writer().append(record, 0, record.length, written.size() % 5))
          .isEqualTo(SpoolWriter.Outcome.ADDED);
      written.add(record);
      if (random.nextInt(4) == 0) {
        made.writer().flush();
      }
      if (written.size() == plan.committed()) {
        made.writer().flush();
        made.source().seek(plan.committed());
        made.source().release(plan.committed());
      }
    }
    made.writer().flush();
    made.close();
  }

  /** Reads all there is, and expects every record to be one that was written, in its place. */
  private void readAll(RecordSource orphan, Plan plan) throws IOException {
    RecordBatch batch = new RecordBatch(plan.batchBytes());
    long next = plan.committed();
    orphan.seek(next);
    while (true) {
      MissingRecords gap = orphan.read(batch, plan.batchBytes());
      if (gap == null && batch.count() == 0) {
        break;
      } else if (gap != null) {
        assertThat(gap.fromSequence()).isEqualTo(next);
        assertThat(gap.count()).isPositive();
        next = gap.fromSequence() + gap.count();
      } else {
        assertThat(batch.firstSequence()).isEqualTo(next);
        assertThat(batch.payload().capacity())
            .isLessThanOrEqualTo(Math.max(plan.batchBytes(), batch.byteCount(1)));
        for (byte[] record : Spools.payloads(batch)) {
          assertThat(record).as("record %d", next).isEqualTo(written.get((int) next));
          read.put(next++, record);
        }
      }
    }
    end = next;
    assertThat(Math.max(plan.committed(), orphan.limitSequence())).isEqualTo(end);
    assertThat(orphan.nextSequence()).isEqualTo(end);
  }

  /** The segments that may be opened. */
  private NavigableMap<Long, byte[]> contents() throws IOException {
    NavigableMap<Long, byte[]> contents = new TreeMap<>();
    for (Path segment : Spools.segments(spool)) {
      boolean isFile = Files.isRegularFile(segment, LinkOption.NOFOLLOW_LINKS);
      if (isFile && Files.getPosixFilePermissions(segment).size() == 2) {
        contents.put(SpoolNames.firstSequence(SpoolNames.of(segment)), Files.readAllBytes(segment));
      }
    }
    return contents;
  }
}
