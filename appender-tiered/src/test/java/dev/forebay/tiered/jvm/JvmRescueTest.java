package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.spool.SpoolReadException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/**
 * A process that looks what the JVM writes and ships it, and others that take over what it leaves,
 * each killed before any file operation: every line is in the log once, and what is not is counted
 * where it is missing.
 */
@Tag("once")
class JvmRescueTest {

  private static final Path BASE = Path.of("/shm");

  /** A sixteenth of it is a file of the JVM: a dozen lines. */
  static final long MEMORY_BYTES = 16 * 200;

  private static final Path THEIRS = BASE.resolve("theirs.log");
  private static final Rotation THEIR_ROTATION = new Rotation(3, 60);
  static final String BEGIN = new String(Gap.beginLine(), StandardCharsets.UTF_8);
  private static final Pattern NOTICE = Pattern.compile("\\[forebay\\] (\\d+) bytes .*\n");

  static MemoryDisk disk() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(BASE);
    return disk;
  }

  static SpoolDirectory open(Disk disk) throws IOException {
    return SpoolDirectory.open(disk, BASE, LogIdentity.unresolved(disk, Path.of("/log/gc.log")));
  }

  static JvmSettings settings(JvmAccount account, LineListener listener) {
    return new JvmSettings("all", false, "level", MEMORY_BYTES, account, listener);
  }

  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Of the file operations of a process that is killed after so many none follows. */
  private static Disk killedAfter(int operations, Disk disk) {
    return new FaultyDisk(disk)
        .from(
            operations + 1,
            () -> {
              throw new Killed();
            });
  }

  static final class Heard implements LineListener {
    final List<String> lines = new ArrayList<>();

    @Override
    public void line(byte[] bytes, int start, int length) {
      lines.add(new String(bytes, start, length, StandardCharsets.UTF_8));
    }
  }

  /** A destination that commits by transaction: what is not committed is gone with the process. */
  static final class Log {
    final List<String> lines = new ArrayList<>();
    final List<String> copied = new ArrayList<>();
    final Map<InstanceId, Long> committed = new HashMap<>();
    private final RecordBatch batch = new RecordBatch(1 << 20);
    long gaps;

    void take(RecordSource from) {
      copied.clear();
      from.seek(committed.getOrDefault(from.instanceId(), 0L));
    }

    /** Copies some records; false if there are none. */
    boolean copy(RecordSource from, long bytes) throws SpoolReadException {
      MissingRecords gap = from.read(batch, bytes);
      if (gap != null) {
        gaps += gap.count();
        return true;
      }
      byte[] all = new byte[batch.byteCount()];
      batch.payload().get(all);
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.byteCount(i);
        copied.add(new String(all, start, batch.byteCount(i + 1) - start, StandardCharsets.UTF_8));
      }
      return batch.count() > 0;
    }

    void commit(RecordSource from) throws IOException {
      lines.addAll(copied);
      copied.clear();
      committed.put(from.instanceId(), from.nextSequence());
      from.release(from.nextSequence());
    }

    void ship(RecordSource from, Random random) throws IOException {
      for (int i = random.nextInt(3); i > 0; i--) {
        boolean unused = copy(from, 1 + random.nextInt(300));
      }
      if (random.nextInt(3) == 0) {
        commit(from);
      }
    }
  }

  /** Looks and ships until it is killed; the JVM writes a few lines more. */
  private static FakeJvm live(
      MemoryDisk disk, Disk mortal, Random random, Heard heard, Log log, boolean hangs)
      throws IOException {
    FakeJvm jvm = null;
    try {
      SpoolDirectory directory = open(mortal);
      JvmSettings settings = settings(new JvmAccount(), heard);
      LineSpool spool = LineSpool.create(directory, MEMORY_BYTES);
      UlOutput output = UlOutput.ours(spool, settings.rotation(), "level");
      output.noteIn(spool);
      spool.add(LineFile.FIRST - 1, Gap.beginLine(), Gap.NONE);
      jvm = begun(disk, spool, settings);
      write(jvm, random.nextInt(40)); // it does not rotate through all files
      JvmReading reading = JvmReading.begin(spool, output, settings);
      log.take(spool.source());
      for (int turn = 0; turn < 200; turn++) {
        write(jvm, random.nextInt(12));
        int unused = reading.turn();
        if (!hangs || random.nextInt(20) == 0) {
          log.ship(spool.source(), random);
        }
      }
      throw new Killed();
    } catch (Killed e) {
      if (jvm != null) {
        write(jvm, random.nextInt(20));
      }
    }
    return jvm == null ? new FakeJvm(disk, BASE.resolve("none"), Rotation.NONE, 1) : jvm;
  }

  static FakeJvm begun(MemoryDisk disk, LineSpool spool, JvmSettings settings) {
    Path log = spool.path().resolve(LineSpool.LOG);
    disk.put(log, new byte[0]);
    return new FakeJvm(disk, log, settings.rotation(), 3);
  }

  static void write(FakeJvm jvm, int lines) {
    for (int line = 0; line < lines; line++) {
      jvm.write();
    }
  }

  /** Takes over what there is, and ships it, perhaps only in part. */
  private static void takeOver(Disk disk, Log log, Random random) throws IOException {
    SpoolDirectory directory = open(disk);
    directory.cleanUp(0);
    for (RecordSource orphan : directory.orphans(null, JvmReading::rescue)) {
      log.take(orphan);
      while (log.copy(orphan, 1 + random.nextInt(2000))) {
        if (random.nextInt(4) == 0) {
          log.commit(orphan);
        }
      }
      log.commit(orphan);
      orphan.discard();
    }
    assertThat(directory.takeWarnings()).isEmpty();
  }

  static void takeOverInLives(MemoryDisk disk, Log log, Random random, int lives)
      throws IOException {
    for (int life = 0; life < lives; life++) {
      try {
        takeOver(killedAfter(random.nextInt(400), disk), log, random);
      } catch (Killed e) {
        // the next one begins again
      }
    }
    takeOver(disk, log, random);
    assertThat(open(disk).list(SpoolNames.LINES)).isEmpty();
  }

  /** Where the log's disk hangs most of the time, files are given up. */
  @Property(tries = 800)
  void everyLineIsInTheLogOnceOrCountedWhereItIsMissing(
      @ForAll long seed,
      @ForAll boolean hangs,
      @ForAll @IntRange(min = 1, max = 6000) int killed,
      @ForAll @IntRange(min = 0, max = 6) int lives)
      throws Exception {
    Random random = new Random(seed);
    MemoryDisk disk = disk();
    Heard heard = new Heard();
    Log log = new Log();

    FakeJvm jvm = live(disk, killedAfter(killed, disk), random, heard, log, hangs);
    takeOverInLives(disk, log, random, lives);

    assertThat(heard.lines).isEqualTo(jvm.lines.subList(0, heard.lines.size()));
    if (hangs) {
      log.lines.remove(BEGIN); // unless it was given up too
      assertThat(missingLines(log.lines, jvm.lines)).isNotNegative();
    } else {
      requireJvms(log.lines, jvm.lines);
      assertThat(log.gaps).isZero();
    }
  }

  /** After the line that says where the log begins, unless the process was killed before it. */
  static void requireJvms(List<String> log, List<String> written) {
    boolean isBegun = !log.isEmpty() && log.get(0).equals(BEGIN);
    assertThat(isBegun || written.isEmpty()).as("%s", log).isTrue();
    assertThat(log.subList(isBegun ? 1 : 0, log.size())).isEqualTo(written);
  }

  /** How many lines are missing in a log, which says where, to the byte. */
  static int missingLines(List<String> log, List<String> written) {
    int next = 0;
    int missing = 0;
    for (String record : log) {
      Matcher notice = NOTICE.matcher(record);
      if (notice.matches()) {
        long bytes = Long.parseLong(notice.group(1));
        while (bytes > 0) {
          bytes -= written.get(next++).length();
          missing++;
        }
        assertThat(bytes).isZero();
      } else {
        assertThat(record).isEqualTo(written.get(next++));
      }
    }
    assertThat(next).isEqualTo(written.size());
    return missing;
  }

  /** What the account calls offered is in the log, or dropped: each line, and each of ours. */
  @Property(tries = 200)
  void theAccountHasEachLineThatIsMissing(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    MemoryDisk disk = disk();
    JvmAccount account = new JvmAccount();
    JvmSettings settings = settings(account, LineListener.NONE);
    LineSpool spool = LineSpool.create(open(disk), MEMORY_BYTES);
    UlOutput output = UlOutput.ours(spool, settings.rotation(), "level");
    FakeJvm jvm = begun(disk, spool, settings);
    JvmReading reading = JvmReading.begin(spool, output, settings);
    Log log = new Log();
    for (int turn = 0; turn < 200; turn++) {
      write(jvm, random.nextInt(12));
      int ignored = reading.turn();
      if (random.nextInt(20) == 0) {
        log.ship(spool.source(), random);
      }
    }
    reading.end();
    while (log.copy(spool.source(), 1000)) {
      // until all is copied
    }
    log.commit(spool.source());
    int unused = reading.turn(); // frees what is shipped
    int missing = missingLines(log.lines, jvm.lines);
    long notices = log.lines.stream().filter(line -> NOTICE.matcher(line).matches()).count();
    assertThat(log.gaps + notices).as("a line of ours stands for one").isEqualTo(missing);
    assertThat(account.accepted()).isEqualTo(log.lines.size() + log.gaps);
    int bytes = jvm.lines.stream().mapToInt(String::length).sum();
    log.lines.removeIf(line -> NOTICE.matcher(line).matches());
    assertThat(account.lostBytes()).isEqualTo(bytes - String.join("", log.lines).length());
    long links = disk.list(spool.path()).stream().filter(UlFilesTest::isLink).count();
    assertThat(links).as("nothing stays").isLessThanOrEqualTo(settings.rotation().fileCount() + 1L);
  }

  /** Of one appender after the other, in one JVM that is killed: both read its output. */
  @Property(tries = 400)
  void anOutputThatWasLeftIsContinuedOrTheLogSaysWhatIsMissing(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 40) int meanwhile,
      @ForAll @IntRange(min = 1, max = 200) int killed)
      throws Exception {
    Random random = new Random(seed);
    MemoryDisk disk = disk();
    Log log = new Log();
    FakeJvm jvm = new FakeJvm(disk, THEIRS, THEIR_ROTATION, 1);
    write(jvm, 1);
    Disk tmpfs = jvm.tmpfs();
    ReadMark left = follow(jvm, tmpfs, ReadMark.NONE, random, log);
    write(jvm, meanwhile);
    takeOver(disk, log, random); // it is older
    try {
      ReadMark unused = follow(jvm, killedAfter(killed, tmpfs), left, random, log);
    } catch (Killed e) {
      // what it has linked is left
    }
    takeOver(disk, log, random);
    int next = 0;
    boolean isGap = false;
    for (String record : log.lines) {
      if (record.startsWith("[forebay] ")) {
        isGap = true;
        continue;
      }
      int at = jvm.lines.indexOf(record);
      assertThat(at).as("%s in %s", record, log.lines).isGreaterThanOrEqualTo(next);
      assertThat(at == next || isGap).as("a gap before " + record).isTrue();
      next = at + 1;
      isGap = false;
    }
    assertThat(next).isPositive();
  }

  /** Reads an output of the command line for a while, and ships some of it; how far it read. */
  private static ReadMark follow(FakeJvm jvm, Disk disk, ReadMark from, Random random, Log log)
      throws IOException {
    LineSpool spool = LineSpool.create(open(disk), MEMORY_BYTES);
    JvmSettings settings = settings(new JvmAccount(), LineListener.NONE);
    UlOutput output =
        new UlOutput(THEIRS, THEIR_ROTATION, "level", new Lifetime(0, Long.MAX_VALUE), from);
    output.noteIn(spool);
    JvmReading reading = JvmReading.begin(spool, output, settings);
    log.take(spool.source());
    for (int turn = 0; turn < 5; turn++) {
      int unused = reading.turn();
      write(jvm, random.nextInt(6));
      log.ship(spool.source(), random);
    }
    int unused = reading.turn();
    ReadMark mark = reading.mark();
    spool.seal();
    reading.close();
    spool.close();
    return mark;
  }
}
