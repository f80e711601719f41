package dev.forebay.tiered.file;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log goes on while archives are packed and checked. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("once")
class ArchivistTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  private static final long DAY_MS = 24 * 3600 * 1000L;
  private static final String CONTENT = String.join("", LogUnderTest.records(0, 50));
  private static final String ARCHIVE = "app.2024-03-01.0.log.gz";

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final LogUnderTest build = new LogUnderTest(context);
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  @TempDir Path dir;

  private TimeBasedRollingPolicy<byte[]> policy(String pattern) {
    return build.bySizeAndTime(
        build.parent(dir.resolve("app.log").toString()), dir + "/" + pattern, "100", NOW_MS);
  }

  /** With a live thread for archives. */
  private <P extends RollingPolicy & TriggeringPolicy<byte[]>> RollingLog live(P policy) {
    return live(policy, policy);
  }

  private RollingLog live(RollingPolicy policy, TriggeringPolicy<byte[]> triggering) {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    return new RollingLog(
        new LogSettings(
            build.disk,
            dir.resolve("app.log").toString(),
            true,
            policy,
            triggering,
            nothing,
            nothing,
            true,
            warnings::add,
            new ShippingListener() {}));
  }

  private RollingLog driven(String pattern) {
    return build.rolling(dir.resolve("app.log").toString(), policy(pattern), "", "");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** What packs gigabytes takes longer than some lives. */
  @Test
  void theLogShipsAndRollsWhileAnArchiveIsPackedAgain() throws IOException {
    Path kept = LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    Gate packing = new Gate();
    build
        .disk
        .affecting(path -> path.toString().contains(".kept.out"))
        .before(Op.FORCE, 1, packing::pass);
    RollingLog log = live(policy("app.%d{yyyy-MM-dd}.%i.log.gz"));
    log.open();
    log.begin();
    packing.awaitReached();
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    LogUnderTest.append(log, "b\n");

    assertThat(dir.resolve("app.log")).hasContent("b\n");
    assertThat(kept).hasContent(CONTENT);
    packing.open();
    Await.until("the archives are whole", () -> names().size() == 3);
    assertThat(names()).containsExactly(ARCHIVE, "app.2024-03-01.1.log.gz", "app.log");
    assertThat(LogUnderTest.content(dir.resolve(ARCHIVE))).isEqualTo(CONTENT);
    for (int archives = 3; archives < 6; archives++) { // the thread may sleep before each
      int expected = archives + 1;
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
      Await.until("the archive is whole", () -> names().size() == expected && isSettled());
    }
    log.end();
    log.stop();
  }

  /** It would be renamed before it is durable, and be looked for under its old name. */
  @Test
  void aFixedWindowIsMovedOnlyWhenItsNewestArchiveWasLookedAt() throws IOException {
    String file = dir.resolve("app.log").toString();
    RollingLog log =
        live(build.fixedWindow(build.parent(file), dir + "/app.%i.log.gz"), build.bySize("100"));
    log.open();
    log.begin();
    build
        .disk
        .affecting(path -> path.toString().endsWith(".kept.out"))
        .before(Op.FORCE, 1, () -> {});
    for (int roll = 0; roll < 2; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    assertThat(build.disk.hasFaultsAhead()).as("not forced before it was moved").isFalse();
    log.end(); // not with the archivist, whose thread lives
    log.stop();
    assertThat(names()).containsExactly("app.1.log.gz", "app.2.log.gz", "app.log");
    assertThat(warnings).isEmpty();
  }

  private boolean isSettled() throws IOException {
    return names().stream().allMatch(name -> name.startsWith("app.") && !name.endsWith(".tmp"));
  }

  @Test
  void aStopLeavesTheRestToTheNextStart() throws IOException {
    Path kept = LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    Gate packing = new Gate();
    AtomicReference<Thread> first = new AtomicReference<>();
    build
        .disk
        .affecting(kept::equals)
        .before(
            Op.STAT,
            2,
            () -> {
              first.set(Thread.currentThread());
              packing.pass();
            });
    RollingLog log = live(policy("app.%d{yyyy-MM-dd}.%i.log.gz"));
    log.open();
    log.begin();
    packing.awaitReached();
    log.end();
    log.stop();
    assertThat(kept).as("the stop did not wait").exists();
    packing.open();
    Await.end(first.get()); // else it may delete what the next start has begun to pack

    build.disk.heal();
    LogUnderTest.stop(LogUnderTest.started(driven("app.%d{yyyy-MM-dd}.%i.log.gz")));
    Await.until("packed", () -> !Files.exists(kept));
    assertThat(LogUnderTest.content(dir.resolve(ARCHIVE))).isEqualTo(CONTENT);
    assertThat(warnings).isEmpty();
  }

  /** It says that it aborts where its archive's name is taken, and leaves its file. */
  @Test
  void aPolicyThatIsLateAtTheStopFindsTheNameOfItsArchiveFree() throws IOException {
    AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE); // passes zero
    KeptFile kept = KeptFile.parse(LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT));
    Archivist archivist = new Archivist(build.disk, nowNs::get, warnings::add);
    archivist.add(requireNonNull(kept), false);

    assertThat(archivist.finish()).isFalse();
    nowNs.addAndGet(999_999_999);
    assertThat(archivist.finish()).isFalse();
    assertThat(dir.resolve(ARCHIVE)).doesNotExist();
    nowNs.addAndGet(1);
    assertThat(archivist.finish()).isTrue();
    assertThat(LogUnderTest.content(dir.resolve(ARCHIVE))).isEqualTo(CONTENT);
  }

  /** Otherwise they would number the next archive like one that is not packed yet. */
  @Test
  void policiesFindAnArchiveThatIsNotPackedYet() throws IOException {
    LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    RollingLog log = driven("app.%d{yyyy-MM-dd}.%i.log.gz");
    log.open();
    log.begin();
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    build.awaitArchiving();
    LogUnderTest.stop(log);

    assertThat(names()).containsExactly(ARCHIVE, "app.2024-03-01.1.log.gz", "app.log");
    assertThat(LogUnderTest.content(dir.resolve(ARCHIVE))).isEqualTo(CONTENT);
  }

  @Test
  void whatAPolicyDeletesMeanwhileIsNotPacked() throws IOException {
    Path kept = LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    RollingLog log = driven("app.%d{yyyy-MM-dd}.%i.log.gz");
    log.open();
    log.begin();
    Files.delete(dir.resolve(ARCHIVE));
    LogUnderTest.stop(log);

    assertThat(names()).containsExactly("app.log");
    assertThat(kept).doesNotExist();
    assertThat(build.warnings)
        .singleElement()
        .asString()
        .contains(ARCHIVE, "deleted before it was packed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.%d{yyyy-MM-dd}.%i.log", "app.%d{yyyy-MM-dd}.%i.log.zip"})
  void anotherEndingOfThePatternLeavesNoLink(String pattern) throws IOException {
    LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    LogUnderTest.stop(LogUnderTest.started(driven(pattern)));

    assertThat(names()).containsExactly(ARCHIVE, "app.log");
    assertThat(LogUnderTest.content(dir.resolve(ARCHIVE))).isEqualTo(CONTENT);
  }

  /** Until then it may belong to another log in the same directory. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aLinkOfAnotherPatternIsPackedAfterADay(int days) throws IOException {
    Path kept = LogUnderTest.leaveKept(dir, "old-2024-03.log.gz", CONTENT);
    Files.setLastModifiedTime(
        Files.writeString(dir.resolve("app.log"), "a\n"),
        FileTime.fromMillis(Files.getLastModifiedTime(kept).toMillis() + days * DAY_MS));
    LogUnderTest.stop(LogUnderTest.started(driven("app.%d{yyyy-MM-dd}.%i.log.gz")));

    assertThat(Files.exists(kept)).isEqualTo(days == 0);
    assertThat(Files.exists(dir.resolve("old-2024-03.log.gz"))).isEqualTo(days > 0);
  }

  /** A hidden name of a file that is open under two paths is no other name of it. */
  @Test
  void aDirectoryOfTwoPathsCostsNoLine() throws IOException {
    Path real = Files.createDirectory(dir.resolve("real"));
    Files.createSymbolicLink(dir.resolve("link"), real);
    Path kept = LogUnderTest.leaveKept(real, ARCHIVE, CONTENT);
    Files.createLink(dir.resolve("backup"), kept);
    String file = real.resolve("app.log").toString();
    var policy =
        build.bySizeAndTime(
            build.parent(file), dir + "/link/app.%d{yyyy-MM-dd}.%i.log.gz", "100", NOW_MS);
    LogUnderTest.stop(LogUnderTest.started(build.rolling(file, policy, "", "")));

    assertThat(kept).doesNotExist();
    assertThat(LogUnderTest.content(real.resolve(ARCHIVE))).isEqualTo(CONTENT);
  }
}
