package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spools that were made to mislead: with right checksums, under right names. */
@Tag("once")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe would hang for ever
class PlantedSpoolTest {
  private static final String CANARY = "precious";
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final InstanceId PLANTED = new InstanceId(1, 2);

  private final Disk disk = new NioDisk();
  @TempDir Path base;
  private SpoolDirectory directory;
  private Spool spool;

  @BeforeEach
  void fill() throws IOException {
    directory = Spools.open(disk, base);
    spool = directory.createSpool(Spools.LIMITS);
    Spools.fill(spool);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, Integer.MAX_VALUE - 15, 257, 15, 0, Integer.MIN_VALUE})
  void aFrameOfAnyLengthWithARightChecksumAllocatesNothing(int length) throws IOException {
    Path second = Spools.segments(spool.path()).get(1);
    seal(second, 64, length);
    spool.close();

    RecordSource orphan = Spools.orphan(directory);
    long before = directBytes();
    assertThat(Spools.drain(orphan)).isEqualTo(texts("0-6", "gap 6+1", "7-18"));
    assertThat(directBytes() - before).isLessThan(8 << 20);
    orphan.close();
  }

  /**
   * The sum is over what the frame says it holds, as far as the file goes; over nothing where the
   * end of the frame is beyond the numbers, as a reader would find who adds before he compares.
   */
  private void seal(Path segment, int at, int length) throws IOException {
    byte[] all = Files.readAllBytes(segment);
    ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).putInt(at, length);
    int end = Math.min(all.length, Math.max(at + 8, at + length));
    CRC32C crc = new CRC32C();
    crc.update(spool.instanceId().bytes());
    crc.update(all, at, 4);
    crc.update(all, at + 8, end - at - 8);
    bytes.putInt(at + 4, (int) crc.getValue());
    Files.write(segment, all);
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getTotalCapacity)
        .sum();
  }

  static List<Arguments> plants() {
    List<Arguments> plants = new ArrayList<>();
    String suffix = SpoolNames.spoolSuffix(7, PLANTED);
    String orphan = "spool-" + SpoolNames.spoolSuffix(8, new InstanceId(3, 4)) + "/";
    for (String name : List.of("spool-" + suffix, "done-" + suffix)) {
      plants.add(Arguments.of(name, "ln -s CANARIES PATH", "is a symbolic link"));
      plants.add(Arguments.of(name, "ln -s nowhere PATH", "is a symbolic link"));
      plants.add(Arguments.of(name, "ln CANARY PATH", "is a file"));
      plants.add(Arguments.of(name, "mkfifo -m 700 PATH", "is a pipe"));
      plants.add(Arguments.of(name, "install -d -m 700 -o 65534 PATH", "belongs to user 65534"));
    }
    for (String name : List.of("0000000000000000.seg", "lock")) {
      plants.add(Arguments.of(orphan + name, "ln -s CANARY PATH", "is a symbolic link"));
      plants.add(Arguments.of(orphan + name, "ln -s nowhere PATH", "is a symbolic link"));
      plants.add(Arguments.of(orphan + name, "ln CANARY PATH", "has 2 hard links"));
      plants.add(Arguments.of(orphan + name, "mkfifo -m 600 PATH", "is a pipe"));
      plants.add(Arguments.of(orphan + name, "mkdir -m 700 PATH", "is a directory"));
      plants.add(
          Arguments.of(orphan + name, "install -m 600 -o 65534 CANARY PATH", "belongs to user"));
    }
    return plants;
  }

  @ParameterizedTest
  @MethodSource("plants")
  void whatIsNotOursIsToldOnceAndLeftAlone(String name, String plant, String fault)
      throws Exception {
    if (fault.startsWith("belongs")) {
      assumeTrue(disk.userId() == 0, "root is needed: run the build as root (giving files away)");
    }
    Path canaries = Files.createDirectory(base.resolve("canaries"));
    Path canary = Files.writeString(canaries.resolve("lock"), CANARY);
    Files.setAttribute(canaries, "unix:mode", 0755);
    Files.setAttribute(canary, "unix:mode", 0600);
    Path planted = directory.path().resolve(name);
    if (name.contains("/")) {
      disk.createDirectory(planted.getParent());
    }
    String command =
        plant
            .replace("CANARIES", canaries.toString())
            .replace("CANARY", canary.toString())
            .replace("PATH", planted.toString());
    assertThat(new ProcessBuilder(command.split(" ")).start().waitFor()).isZero();
    spool.close();

    directory.cleanUp(NOW_MS);
    List<RecordSource> orphans = directory.orphans(SpoolNames.SPOOL);
    List<String> records = new ArrayList<>();
    for (RecordSource orphan : orphans) {
      records.addAll(Spools.drain(orphan));
    }
    directory.cleanUp(NOW_MS);

    assertThat(records).isEqualTo(texts(0, 18));
    orphans.forEach(RecordSource::close);
    assertThat(directory.takeWarnings())
        .singleElement()
        .asString()
        .contains(planted.toString(), fault);
    assertThat(canaries).isDirectoryContaining(canary::equals);
    assertThat(canary).hasContent(CANARY);
    assertThat(base.resolve("nowhere")).doesNotExist();
    assertThat(Files.exists(planted, LinkOption.NOFOLLOW_LINKS)).isTrue();
    Spool next = directory.createSpool(Spools.LIMITS);
    Spools.fill(next);
    assertThat(Spools.drain(next.source())).isEqualTo(texts(0, 18));
    next.discard();
  }
}
