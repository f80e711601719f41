package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.Compressor;
import dev.forebay.agent.Agent;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What was rolled outlives a crash, a failure and a stop while it is packed, and the log goes on.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArchiveKeeperTest extends LogRig {

  private static final String ARCHIVE = "app.2024-03-01.0.log";
  private static final String GZ = ARCHIVE + ".gz";
  private static final String PACKED = BY_SIZE + ".gz";

  private void assertWhole(Path archive) throws IOException {
    assertThat(Packing.isOf(disk, archive, new ByteArrayInputStream(CONTENT.getBytes(UTF_8))))
        .isTrue();
  }

  private void compress(String content, Path to) throws IOException {
    String ending = to.toString().substring(to.toString().lastIndexOf('.') + 1);
    Path copy = Files.writeString(dir.resolve("copy"), content);
    Compressor compressor =
        new Compressor(CompressionMode.valueOf(ending.toUpperCase(Locale.ROOT)));
    compressor.setContext(context);
    compressor.compress(copy.toString(), to.toString(), "entry");
  }

  /** What may stand at the name of the archive after a crash. */
  enum Left {
    MISSING,
    EMPTY,
    ZEROS,
    CUT,
    SHORT,
    MADE,
    WHOLE
  }

  /** Logback 1.5.13 has no {@code .xz}. */
  static Stream<String> endings() {
    return Stream.of(CompressionMode.values())
        .filter(mode -> mode != CompressionMode.NONE)
        .map(mode -> "." + mode.name().toLowerCase(Locale.ROOT));
  }

  static Stream<Arguments> crashes() {
    return endings()
        .flatMap(ending -> Stream.of(Left.values()).map(left -> Arguments.arguments(ending, left)));
  }

  private void leave(Path archive, Left left) throws IOException {
    compress(left == Left.WHOLE ? CONTENT : "", archive);
    byte[] made = Files.readAllBytes(archive);
    switch (left) {
      case MISSING -> Files.delete(archive);
      case EMPTY -> Files.write(archive, new byte[0]);
      case ZEROS -> Files.write(archive, new byte[made.length]);
      case CUT -> Files.write(archive, Arrays.copyOf(made, made.length / 2));
      case SHORT -> Files.write(archive, Arrays.copyOf(made, made.length - 1));
      case MADE, WHOLE -> {}
    }
  }

  @ParameterizedTest
  @MethodSource("crashes")
  void theNextStartPacksWhatACrashLeft(String ending, Left left) throws IOException {
    Path archive = dir.resolve(ARCHIVE + ending);
    leave(archive, left);
    leaveKept(ARCHIVE + ending);

    RollingLog log = started(rolling(BY_SIZE + ending));

    assertThat(names()).containsExactly(ARCHIVE + ending, "app.log");
    assertWhole(archive);
    assertThat(warnings).isEmpty();
    stop(log);
  }

  @ParameterizedTest
  @MethodSource("endings")
  void theKeptFileIsGivenUpWhenTheArchiveIsForced(String ending) throws IOException {
    RollingLog log = started(rolling(BY_SIZE + ending));
    Path archive = dir.resolve(ARCHIVE + ending);
    Path kept = KeptFile.of(archive, disk.stat(path()).inode()).path();
    disk.affecting(path -> path.toString().endsWith(".kept.out"))
        .before(Op.FORCE, 1, () -> assertThat(kept).hasContent(CONTENT));
    fillAndRoll(log, 1);
    awaitArchiving();

    assertThat(log.settledForNs(0)).as("the shipper may sleep").isPositive();
    log.archive();
    assertThat(disk.hasFaultsAhead()).as("not forced").isFalse();
    assertThat(names()).containsExactly(ARCHIVE + ending, "app.log");
    assertWhole(archive);
    assertThat(warnings).isEmpty();
    stop(log);
  }

  @Test
  void theNameOfAnArchiveElsewhereIsForcedBeforeTheOldOneIsUsedAgain() throws IOException {
    RollingLog log = started(rolling("%d{yyyy/MM,aux}/" + BY_SIZE));
    Path archives = dir.resolve("2024/03");
    disk.affecting(archives::equals)
        .before(
            Op.FORCE_DIRECTORY,
            1,
            () -> {
              assertThat(path()).doesNotExist();
              assertThat(archives.resolve(ARCHIVE)).hasContent(CONTENT);
            });
    fillAndRoll(log, 1);

    assertThat(disk.hasFaultsAhead()).as("not forced").isFalse();
    assertThat(names()).containsExactly("2024", "app.log");
    stop(log);
  }

  @Test
  void aFileThatCannotBeKeptIsRolledWithout() throws IOException {
    disk.failFrom(Op.MOVE, 1, () -> new IOException("no links"));
    RollingLog log = started(window("app.%i.log.gz"));
    fillAndRoll(log, 2);

    assertThat(names()).containsExactly("app.1.log.gz", "app.2.log.gz", "app.log");
    assertThat(warnings).singleElement().asString().contains("no links");
    stop(log);
  }

  @Test
  void nothingIsLostWhicheverCallFailsWhileAnArchiveIsCompleted() throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n++) {
      Path archive = dir.resolve(GZ);
      Files.deleteIfExists(archive);
      leaveKept(GZ);
      disk.failFrom(null, n, () -> new IOException("no"));
      try {
        started(rolling(PACKED)).close();
      } catch (IOException e) {
        // The log itself cannot be opened either.
      }
      hit = !disk.hasFaultsAhead();
      disk.heal();
      started(rolling(PACKED)).close();

      assertThat(names()).as("call %d", n).containsExactly(GZ, "app.log");
      assertWhole(archive);
    }
  }

  private RollingLog live(RollingPolicy policy, TriggeringPolicy<byte[]> triggering)
      throws IOException {
    RollingLog log = new RollingLog(settings(disk, file(), true, policy, triggering, "", "", true));
    log.open();
    log.begin();
    return log;
  }

  private RollingLog live() throws IOException {
    var policy = sizeAndTime(PACKED, "100");
    return live(policy, policy);
  }

  /** What packs gigabytes takes longer than some lives. */
  @Test
  void theLogShipsAndRollsWhileAnArchiveIsPackedAgain() throws IOException {
    Path kept = leaveKept(GZ);
    Gate packing = new Gate();
    disk.affecting(path -> path.toString().contains(".kept.out"))
        .before(Op.FORCE, 1, packing::pass);
    RollingLog log = live();
    packing.awaitReached();
    fillAndRoll(log, 1);
    append(log, "b\n");
    assertThat(content()).isEqualTo("b\n");
    assertThat(kept).hasContent(CONTENT);

    packing.open();
    Await.until("the archives are whole", () -> names().size() == 3);
    assertThat(names()).containsExactly(GZ, "app.2024-03-01.1.log.gz", "app.log");
    assertThat(content(GZ)).isEqualTo(CONTENT);
    for (int archives = 3; archives < 6; archives++) {
      int expected = archives + 1;
      Await.until("the archivist sleeps", () -> !hasThread("forebay-archivist"));
      fillAndRoll(log, 1);
      Await.until("the archive is whole", () -> names().size() == expected && isSettled());
    }
    log.end();
    log.stop();
  }

  private static boolean hasThread(String name) {
    return Thread.getAllStackTraces().keySet().stream().anyMatch(t -> t.getName().equals(name));
  }

  private boolean isSettled() throws IOException {
    return names().stream().allMatch(name -> name.startsWith("app.") && !name.endsWith(".tmp"));
  }

  /** It would be renamed before it is durable, and be looked for under its old name. */
  @Test
  void aFixedWindowIsMovedOnlyWhenItsNewestArchiveWasLookedAt() throws IOException {
    RollingLog log = live(fixedWindow(parent(file()), dir + "/app.%i.log.gz"), bySize("100"));
    disk.affecting(path -> path.toString().endsWith(".kept.out")).before(Op.FORCE, 1, () -> {});
    fillAndRoll(log, 2);

    assertThat(disk.hasFaultsAhead()).as("not forced before it was moved").isFalse();
    log.end(); // not with the archivist, whose thread lives
    log.stop();
    assertThat(names()).containsExactly("app.1.log.gz", "app.2.log.gz", "app.log");
    assertThat(warnings).isEmpty();
  }

  /** Unpacked into one directory, they are not to replace each other. */
  @Test
  void entriesOfZipsAreNamedAsThePolicyNamesThem() throws IOException {
    RollingLog log = window("app.%i.log.zip");
    log.open();
    log.begin();
    fillAndRoll(log, 1);
    log.archive();
    stop(log);

    try (ZipFile zip = new ZipFile(dir.resolve("app.1.log.zip").toFile())) {
      ZipEntry entry = zip.entries().nextElement();
      assertThat(entry.getName()).matches("app\\.\\d{4}-\\d\\d-\\d\\d_\\d{4}\\.log");
      assertThat(zip.getInputStream(entry).readAllBytes()).asString(UTF_8).isEqualTo(CONTENT);
    }
  }

  /** Its text has a meaning in a regular expression, as which Logback takes it. */
  @ParameterizedTest
  @ValueSource(strings = {"a(1)+", "[x]{2}", "a^b$|c", "b(", "c["})
  void whatACrashLeftIsFoundInADirectoryOfAnyName(String name) throws IOException {
    Path odd = Files.createDirectory(dir.resolve(name));
    Path kept = leaveKept(name + "/" + GZ);
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent(file()), odd + "/" + PACKED);
    limit(policy, "100", NOW_MS);
    policy.start();
    stop(started(rolling(policy)));

    assertThat(kept).doesNotExist();
    assertThat(content(odd.resolve(GZ))).isEqualTo(CONTENT);
    assertThat(warnings).isEmpty();
  }

  @Test
  void aStopLeavesTheRestToTheNextStart() throws IOException {
    Path kept = leaveKept(GZ);
    Gate packing = new Gate();
    AtomicReference<Thread> first = new AtomicReference<>();
    disk.affecting(kept::equals)
        .before(
            Op.STAT,
            2,
            () -> {
              first.set(Thread.currentThread());
              packing.pass();
            });
    RollingLog log = live();
    packing.awaitReached();
    log.end();
    log.stop();
    assertThat(kept).as("the stop did not wait").exists();

    packing.open();
    Await.end(first.get()); // else it may delete what the next start has begun to pack
    disk.heal();
    startAndStop(rolling(PACKED));
    Await.until("packed", () -> !Files.exists(kept));
    assertThat(content(GZ)).isEqualTo(CONTENT);
    assertThat(warnings).isEmpty();
  }

  /** It says that it aborts where its archive's name is taken, and leaves its file. */
  @Test
  void aPolicyThatIsLateAtTheStopFindsTheNameOfItsArchiveFree() throws IOException {
    AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE); // passes zero
    KeptFile kept = KeptFile.parse(leaveKept(GZ));
    Archivist archivist = new Archivist(disk, nowNs::get, warnings::add);
    archivist.add(requireNonNull(kept), false);
    assertThat(archivist.finish()).isFalse();
    nowNs.addAndGet(999_999_999);
    assertThat(archivist.finish()).isFalse();
    assertThat(dir.resolve(GZ)).doesNotExist();
    nowNs.addAndGet(1);

    assertThat(archivist.finish()).isTrue();
    assertThat(content(GZ)).isEqualTo(CONTENT);
  }

  /** It is late, or has failed; however often it was looked for meanwhile. */
  @Test
  void thePolicysArchiveIsAwaitedForAMinute() throws IOException {
    AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
    Archivist archivist = new Archivist(disk, nowNs::get, warnings::add);
    archivist.add(requireNonNull(KeptFile.parse(leaveKept(GZ))), false);
    for (int looks = 0; looks < 100; looks++) {
      assertThat(archivist.parkNs(archivist.look(false), nowNs.get())).isPositive();
    }
    nowNs.addAndGet(59_999_999_999L);
    assertThat(archivist.look(false)).isZero();
    assertThat(archivist.sleepNs(nowNs.get())).isZero();
    nowNs.addAndGet(1);

    assertThat(archivist.look(false)).isOne();
    assertThat(content(GZ)).isEqualTo(CONTENT);
    assertThat(archivist.sleepNs(nowNs.get())).isEqualTo(Agent.UNTIL_WOKEN);
    assertThat(warnings).isEmpty();
  }

  @Test
  void whatAPolicyDeletesMeanwhileIsNotPacked() throws IOException {
    Path kept = leaveKept(GZ);
    Files.createFile(Path.of(kept + ".out")); // a kill came while it was packed
    RollingLog log = rolling(PACKED);
    log.open();
    log.begin();
    Files.delete(dir.resolve(GZ));
    stop(log);

    assertThat(names()).containsExactly("app.log");
    assertThat(kept).doesNotExist();
    assertThat(warnings).singleElement().asString().contains(GZ, "deleted before it was packed");
  }

  @ParameterizedTest
  @ValueSource(strings = {BY_SIZE, BY_SIZE + ".zip"})
  void anotherEndingOfThePatternLeavesNoLink(String pattern) throws IOException {
    leaveKept(GZ);
    startAndStop(rolling(pattern));

    assertThat(names()).containsExactly(GZ, "app.log");
    assertThat(content(GZ)).isEqualTo(CONTENT);
  }
}
