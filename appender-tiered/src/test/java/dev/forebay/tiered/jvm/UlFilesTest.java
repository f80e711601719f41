package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.MemoryDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of the JVM's log are read in their order, each once, whatever it does meanwhile. */
@Tag("once")
@net.jqwik.api.Tag("once")
class UlFilesTest {

  private static final Path DIRECTORY = Path.of("/shm");
  private static final Path LOG = DIRECTORY.resolve("jvm.log");
  private static final Rotation ROTATION = new Rotation(3, 60);

  /** Lines, with up to 15 a file: so many that any number of archives has been filled twice. */
  private static final int ENOUGH = 200;

  private final MemoryDisk disk = directory();
  private final FakeJvm jvm = new FakeJvm(disk, LOG, ROTATION, 1);

  private static MemoryDisk directory() {
    try {
      MemoryDisk disk = new MemoryDisk();
      disk.createDirectory(DIRECTORY);
      disk.put(LOG, new byte[0]);
      return disk;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static UlOutput output(Rotation rotation) {
    return new UlOutput(LOG, rotation, "level", Lifetime.ALWAYS, ReadMark.NONE);
  }

  /** Reads all files; a gap is an entry of its own. */
  private static final class Reading {
    final UlFiles files;
    final Disk disk;
    final LineCutter reader = new LineCutter();
    private UlFiles.@Nullable Generation begun;
    final List<String> found = new ArrayList<>();
    long missing;
    private long generation;

    Reading(Disk disk, Rotation rotation) {
      this.files = new UlFiles(disk, DIRECTORY, output(rotation));
      this.disk = disk;
    }

    void read() throws IOException {
      for (UlFiles.Generation current = files.from(generation);
          current != null;
          current = files.from(generation)) {
        if (begun != current) {
          begun = current;
          reader.begin(disk.open(current.link, Disk.Mode.READ), 0);
          generation = current.number;
          if (current.before.exists()) {
            missing += current.before.bytes();
            found.add("gap");
          }
        }
        while (reader.next(current.isComplete())) {
          found.add(
              new String(reader.bytes(), reader.start(), reader.length(), StandardCharsets.UTF_8));
          reader.consume();
        }
        if (!current.isComplete() || current == files.newest()) {
          return;
        }
        generation++;
      }
      long needed = generation;
      files.release(number -> number >= needed);
    }
  }

  static boolean isLink(Path path) {
    LineFile file = LineFile.of(path);
    return file != null && !file.isOurs();
  }

  /** All lines in order, none twice; where some are missing, there is a gap. */
  private static void requireHonest(Reading reading, FakeJvm jvm) {
    Map<String, Integer> places = new HashMap<>();
    jvm.lines.forEach(line -> places.put(line, places.size()));
    int next = 0;
    long bytes = 0;
    boolean isGap = false;
    for (String entry : reading.found) {
      if (entry.equals("gap")) {
        isGap = true;
        continue;
      }
      int at = places.getOrDefault(entry, -1);
      assertThat(at).as("%s in %s", entry, reading.found).isGreaterThanOrEqualTo(next);
      assertThat(at == next || isGap).as("a gap before %s", entry).isTrue();
      for (int lost = next; lost < at; lost++) {
        bytes += jvm.lines.get(lost).length();
      }
      next = at + 1;
      isGap = false;
    }
    assertThat(next == jvm.lines.size() || isGap).as("a gap at the end").isTrue();
    for (String lost : jvm.lines.subList(next, jvm.lines.size())) {
      bytes += lost.length();
    }
    assertThat(reading.missing).isLessThanOrEqualTo(bytes);
  }

  @Test
  void whatWasDeletedUnseenIsAGapOfItsLeastSize() throws Exception {
    Reading reading = new Reading(jvm.disturbed(() -> {}), ROTATION);
    jvm.write();
    reading.files.look();
    for (int line = 0; line < 24; line++) { // four lines fill a file
      jvm.write();
    }
    reading.files.end();
    reading.read();
    requireHonest(reading, jvm);
    assertThat(reading.found).contains("gap").hasSizeGreaterThan(10);
    assertThat(reading.missing).isEqualTo(2 * ROTATION.fileBytes());
  }

  /** The disk, where a file is another than it is. */
  private Disk seen(UnaryOperator<FileInfo> other, Path file) {
    return new FaultyDisk(disk)
        .showing((path, info) -> path.equals(file) ? other.apply(info) : info);
  }

  private static UnaryOperator<FileInfo> planted(FileInfo.Kind kind, int owner, int links) {
    return info -> new FileInfo(kind, info.sizeBytes(), info.key(), owner, 0600, links, 0);
  }

  /** Others, or a process before us, may have taken the name of the next archive. */
  @ParameterizedTest
  @CsvSource({"OTHER, 65534, 1", "FILE, 65534, 1", "FILE, 1000, 2", "LINK, 1000, 1"})
  void whatTheJvmCannotHaveWrittenIsNotRead(FileInfo.Kind kind, int owner, int links)
      throws Exception {
    Path archive = DIRECTORY.resolve("jvm.log.1");
    disk.put(archive, "planted\n".getBytes(StandardCharsets.UTF_8));
    Reading reading = new Reading(seen(planted(kind, owner, links), archive), ROTATION);
    for (int line = 0; line < 6; line++) { // four lines fill the first file
      jvm.write();
      reading.files.look();
      reading.read();
    }
    assertThat(reading.found).isEqualTo(jvm.lines);
  }

  /** A name may be that of another file by the time it is linked. */
  @ParameterizedTest
  @CsvSource({"OTHER, 65534, 2", "FILE, 65534, 2", "FILE, 1000, 3", "LINK, 1000, 2"})
  void whatIsPlantedBetweenALookAndTheLinkIsNotRead(FileInfo.Kind kind, int owner, int links)
      throws Exception {
    Path link = DIRECTORY.resolve(new LineFile(LineFile.FIRST, 0, LineFile.UNKNOWN, false).name());
    UlFiles files =
        new UlFiles(seen(planted(kind, owner, links), link), DIRECTORY, output(ROTATION));
    files.look();
    assertThat(files.newest()).isNull();
    assertThat(disk.list(DIRECTORY)).containsExactly(LOG);
  }

  /** The JVM writes between any two operations, in any amount: always, or one time in so many. */
  @Property(tries = 3000)
  void anyInterleavingIsReadInOrderAndHonestly(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 5) int fileCount,
      @ForAll @IntRange(min = 1, max = 12) int most,
      @ForAll @IntRange(min = 1, max = 12) int seldom)
      throws Exception {
    Rotation rotation = new Rotation(fileCount, 60);
    MemoryDisk fresh = directory();
    FakeJvm writer = new FakeJvm(fresh, LOG, rotation, 10);
    Random random = new Random(seed);
    Disk disturbed =
        writer.disturbed(
            () -> {
              if (writer.lines.size() < ENOUGH && random.nextInt(seldom) == 0) {
                random.ints(random.nextInt(most) + 1L).forEach(ignored -> writer.write());
              }
            });
    Reading reading = new Reading(disturbed, rotation);
    while (writer.lines.size() < ENOUGH) {
      reading.files.look();
      reading.read();
    }
    for (int turn = 0; turn < 20; turn++) {
      reading.files.end();
      reading.read();
    }
    requireHonest(reading, writer);
  }
}
