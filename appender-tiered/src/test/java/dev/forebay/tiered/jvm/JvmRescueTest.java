package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolFiles;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolView;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/**
 * A process that reads the JVM's log, and others that take over what it leaves, each killed before
 * any file operation: every line is in a spool once, and what is not is counted where it is
 * missing.
 */
@Tag("once")
class JvmRescueTest {

  private static final Path BASE = Path.of("/shm");
  private static final int SEGMENT_BYTES = 4096;

  /** A sixteenth of it is a file of the JVM: a dozen lines. */
  private static final long MEMORY_BYTES = 16 * 200;

  private static final Path THEIRS = BASE.resolve("theirs.log");
  private static final Rotation THEIR_ROTATION = new Rotation(3, 60);
  private static final Pattern NOTICE = Pattern.compile("\\[forebay\\] (\\d+) bytes .*\n");

  private static MemoryDisk disk() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(BASE);
    return disk;
  }

  private static SpoolDirectory open(Disk disk) throws IOException {
    return SpoolDirectory.open(disk, BASE, LogIdentity.unresolved(disk, Path.of("/log/gc.log")));
  }

  /** A spool as the target of lines. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Target(SpoolDirectory directory, Spool used, boolean[] isFull)
      implements LineTarget {

    @Override
    public JvmDirectory createDirectory() throws IOException {
      return directory.createJvmDirectory();
    }

    @Override
    public boolean isPlace(Path parent) {
      return true;
    }

    @Override
    public InstanceId spool() {
      return used.instanceId();
    }

    @Override
    public long nextSequence() {
      return used.writer().nextSequence();
    }

    @Override
    public boolean isReady() {
      return !isFull[0] && used.writer().isReady();
    }

    @Override
    public boolean take(byte[] bytes, int offset, int length, int level) {
      return !isFull[0]
          && used.writer().append(bytes, offset, length, level) == SpoolWriter.Outcome.ADDED;
    }

    @Override
    public boolean flush() {
      try {
        used.writer().flush();
        return true;
      } catch (IOException e) {
        return false;
      }
    }
  }

  /** Keeps the lines that become events. */
  private static final class Heard implements LineListener {
    final List<String> lines = new ArrayList<>();

    @Override
    public void begin(String decorators) {}

    @Override
    public void line(byte[] bytes, int start, int length) {
      lines.add(new String(bytes, start, length, StandardCharsets.UTF_8));
    }

    /** They are the first lines in the spools: each once, and none that is in no spool. */
    void requireFirstOf(List<String> written) {
      assertThat(lines).isEqualTo(written.subList(0, Math.min(lines.size(), written.size())));
    }
  }

  /** Reads until it is killed; the JVM writes a few lines more. */
  private static FakeJvm live(
      MemoryDisk disk, KillableDisk mortal, Random random, Heard heard, boolean fills)
      throws IOException {
    FakeJvm jvm = null;
    try {
      SpoolDirectory directory = open(mortal.of(disk));
      boolean[] isFull = {false};
      JvmSettings settings =
          new JvmSettings("all", false, "level", MEMORY_BYTES, new JvmAccount(), heard);
      JvmReading reading;
      if (random.nextBoolean()) { // by the agent, before there is a spool
        JvmDirectory early = directory.createJvmDirectory();
        JvmOpening opening =
            new JvmOpening(
                early,
                JvmOpening.unread(early, settings.rotation()),
                UlOutput.ours(early, settings),
                new JvmClaim(new Properties(), "test"));
        jvm = begun(disk, early, settings);
        write(jvm, random.nextInt(40)); // it does not rotate through all files
        reading = JvmReading.begin(opening, settings, target(directory, isFull));
      } else {
        Target target = target(directory, isFull);
        JvmDirectory ours = target.createDirectory();
        UlOutput output = UlOutput.ours(ours, settings);
        reading = JvmReading.begin(ours, output, ReadMark.NONE, settings, target);
        jvm = begun(disk, ours, settings);
      }
      for (int turn = 0; turn < 200; turn++) {
        isFull[0] = fills && random.nextInt(8) != 0;
        write(jvm, random.nextInt(12));
        int unused = reading.turn();
      }
    } catch (KillableDisk.Killed e) {
      if (jvm != null) {
        write(jvm, random.nextInt(20));
      }
    }
    return jvm == null ? new FakeJvm(disk, BASE.resolve("none"), Rotation.NONE, 1) : jvm;
  }

  private static Target target(SpoolDirectory directory, boolean[] isFull) throws IOException {
    Spool spool = directory.createSpool(new SpoolLimits(1L << 30, SEGMENT_BYTES));
    return new Target(directory, spool, isFull);
  }

  /** It has opened the output. */
  private static FakeJvm begun(MemoryDisk disk, JvmDirectory directory, JvmSettings settings) {
    Path log = directory.path().resolve(JvmDirectory.LOG);
    disk.put(log, new byte[0]);
    return new FakeJvm(disk, log, settings.rotation(), 3);
  }

  private static void write(FakeJvm jvm, int lines) {
    for (int line = 0; line < lines; line++) {
      jvm.write();
    }
  }

  private static boolean rescue(Disk disk) throws IOException {
    SpoolDirectory directory = open(disk);
    directory.cleanUp(0);
    return new JvmRescue(directory, spool -> endOf(disk, directory, spool)).run(spool -> false);
  }

  private static long endOf(Disk disk, SpoolDirectory directory, InstanceId spool)
      throws IOException {
    for (Path path : SpoolFiles.spools(disk, directory.path())) {
      if (SpoolFiles.instance(path).equals(spool)) {
        try (SpoolView view = new SpoolView(disk, path, () -> 0)) {
          return view.endSequence();
        }
      }
    }
    return 0;
  }

  /** What all spools hold, in the order in which they are shipped. */
  private static List<String> records(Disk disk) throws IOException {
    List<String> records = new ArrayList<>();
    SpoolDirectory directory = open(disk);
    for (RecordSource source : directory.orphans(null)) {
      RecordBatch batch = new RecordBatch(1 << 20);
      while (source.read(batch, Long.MAX_VALUE) instanceof ReadOutcome.Records) {
        byte[] all = new byte[batch.byteCount()];
        batch.payload().get(all);
        for (int i = 0; i < batch.count(); i++) {
          int from = batch.byteCount(i);
          int to = batch.byteCount(i + 1);
          records.add(new String(all, from, to - from, StandardCharsets.UTF_8));
        }
      }
    }
    assertThat(directory.takeWarnings()).isEmpty();
    return records;
  }

  @Property(tries = 2000)
  void filesOfAnyContentAreTakenOver(@ForAll @Size(max = 600) byte[] input) throws Exception {
    JvmFilesFuzz.fuzzerTestOneInput(input);
  }

  /** Nobody else has to wait for it, and it stays for whoever wants to look. */
  @Example
  void whatIsNoFileOfOursIsNamedAndLeft() throws Exception {
    MemoryDisk disk = disk();
    JvmDirectory odd = open(disk).createJvmDirectory();
    disk.createDirectory(odd.path().resolve(JvmDirectory.POSITION));
    odd.close();
    SpoolDirectory directory = open(disk);
    assertThat(new JvmRescue(directory, spool -> 0).run(spool -> false)).isFalse();
    assertThat(directory.takeWarnings())
        .singleElement()
        .asString()
        .contains("Left untouched " + odd.path(), "position is a directory");
    assertThat(directory.jvmDirectories()).containsExactly(odd.path());
  }

  @Property(tries = 400)
  void everyLineIsInASpoolOnceWhereverAProcessIsKilled(
      @ForAll long seed,
      @ForAll @LongRange(min = 1, max = 6000) long killed,
      @ForAll @IntRange(min = 0, max = 6) int rescuers)
      throws Exception {
    Random random = new Random(seed);
    MemoryDisk disk = disk();
    Heard heard = new Heard();
    FakeJvm jvm = live(disk, new KillableDisk(killed), random, heard, false);
    rescueInLives(disk, random, rescuers);
    assertThat(records(disk)).isEqualTo(jvm.lines);
    heard.requireFirstOf(jvm.lines);
  }

  /** The spool is full most of the time, so that files are given up. */
  @Property(tries = 400)
  void whatIsGivenUpIsCountedWhereItIsMissing(
      @ForAll long seed,
      @ForAll @LongRange(min = 1, max = 6000) long killed,
      @ForAll @IntRange(min = 0, max = 6) int rescuers)
      throws Exception {
    Random random = new Random(seed);
    MemoryDisk disk = disk();
    Heard heard = new Heard();
    FakeJvm jvm = live(disk, new KillableDisk(killed), random, heard, true);
    rescueInLives(disk, random, rescuers);
    List<String> records = records(disk);
    heard.requireFirstOf(
        records.stream().filter(record -> !NOTICE.matcher(record).matches()).toList());
    int next = 0;
    for (String record : records) {
      Matcher notice = NOTICE.matcher(record);
      if (notice.matches()) {
        long bytes = Long.parseLong(notice.group(1));
        while (bytes > 0) {
          bytes -= jvm.lines.get(next++).length();
        }
        assertThat(bytes).isZero();
      } else {
        assertThat(record).isEqualTo(jvm.lines.get(next++));
      }
    }
    assertThat(next).isEqualTo(jvm.lines.size());
  }

  /** Of one appender after the other, in one JVM that is killed: both read its output. */
  @Property(tries = 400)
  void anOutputThatWasLeftIsContinuedOrTheLogSaysWhatIsMissing(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 40) int meanwhile,
      @ForAll @LongRange(min = 1, max = 200) long killed)
      throws Exception {
    Random random = new Random(seed);
    MemoryDisk disk = disk();
    FakeJvm jvm = new FakeJvm(disk, THEIRS, THEIR_ROTATION, 1);
    write(jvm, 1);
    Disk tmpfs = jvm.tmpfs();
    ReadMark left = follow(jvm, tmpfs, ReadMark.NONE, random);
    write(jvm, meanwhile);
    try {
      ReadMark unused = follow(jvm, new KillableDisk(killed).of(tmpfs), left, random);
    } catch (KillableDisk.Killed e) {
      // what it has linked is left
    }
    boolean unused = rescue(disk);
    List<String> records = records(disk);
    int next = 0;
    boolean isGap = false;
    for (String record : records) {
      if (record.startsWith("[forebay] ")) {
        isGap = true;
        continue;
      }
      int at = jvm.lines.indexOf(record);
      assertThat(at).as("%s in %s", record, records).isGreaterThanOrEqualTo(next);
      assertThat(at == next || isGap).as("a gap before " + record).isTrue();
      next = at + 1;
      isGap = false;
    }
    assertThat(next).isPositive();
  }

  /** Reads an output of the command line for a while; how far. */
  private static ReadMark follow(FakeJvm jvm, Disk disk, ReadMark from, Random random)
      throws IOException {
    SpoolDirectory directory = open(disk);
    Spool spool = directory.createSpool(new SpoolLimits(1L << 30, SEGMENT_BYTES));
    Target target = new Target(directory, spool, new boolean[1]);
    JvmSettings settings =
        new JvmSettings("all", true, "level", MEMORY_BYTES, new JvmAccount(), LineListener.NONE);
    UlOutput output =
        new UlOutput(THEIRS, THEIR_ROTATION, "level", new Lifetime(0, Long.MAX_VALUE));
    JvmReading reading = JvmReading.begin(target.createDirectory(), output, from, settings, target);
    reading.look();
    for (int turn = 0; turn < 5; turn++) {
      int unused = reading.turn();
      write(jvm, random.nextInt(6));
    }
    int unused = reading.turn();
    ReadMark mark = reading.mark();
    reading.close();
    return mark;
  }

  private static void rescueInLives(MemoryDisk disk, Random random, int rescuers)
      throws IOException {
    for (int life = 0; life < rescuers; life++) {
      try {
        boolean unused = rescue(new KillableDisk(random.nextInt(400)).of(disk));
      } catch (KillableDisk.Killed e) {
        // the next one begins again
      }
    }
    boolean unused = rescue(disk);
    assertThat(rescue(disk)).isFalse();
  }
}
