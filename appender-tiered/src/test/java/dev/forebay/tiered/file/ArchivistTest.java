package dev.forebay.tiered.file;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log goes on while archives are packed and checked. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("once")
class ArchivistTest extends LogRig {

  private static final String ARCHIVE = "app.2024-03-01.0.log.gz";
  private static final String PACKED = BY_SIZE + ".gz";

  /** With a live thread for archives. */
  private RollingLog live(RollingPolicy policy, TriggeringPolicy<byte[]> triggering)
      throws IOException {
    RollingLog log =
        new RollingLog(build.settings(build.disk, file(), true, policy, triggering, "", "", true));
    log.open();
    log.begin();
    return log;
  }

  private RollingLog live() throws IOException {
    var policy = sizeAndTime(PACKED);
    return live(policy, policy);
  }

  /** What packs gigabytes takes longer than some lives. */
  @Test
  void theLogShipsAndRollsWhileAnArchiveIsPackedAgain() throws IOException {
    Path kept = leaveKept(ARCHIVE);
    Gate packing = new Gate();
    build
        .disk
        .affecting(path -> path.toString().contains(".kept.out"))
        .before(Op.FORCE, 1, packing::pass);
    RollingLog log = live();
    packing.awaitReached();
    fillAndRoll(log, 1);
    LogUnderTest.append(log, "b\n");
    assertThat(content()).isEqualTo("b\n");
    assertThat(kept).hasContent(CONTENT);

    packing.open();
    Await.until("the archives are whole", () -> names().size() == 3);
    assertThat(names()).containsExactly(ARCHIVE, "app.2024-03-01.1.log.gz", "app.log");
    assertThat(content(ARCHIVE)).isEqualTo(CONTENT);
    for (int archives = 3; archives < 6; archives++) { // the thread may sleep before each
      int expected = archives + 1;
      fillAndRoll(log, 1);
      Await.until("the archive is whole", () -> names().size() == expected && isSettled());
    }
    log.end();
    log.stop();
  }

  private boolean isSettled() throws IOException {
    return names().stream().allMatch(name -> name.startsWith("app.") && !name.endsWith(".tmp"));
  }

  /** It would be renamed before it is durable, and be looked for under its old name. */
  @Test
  void aFixedWindowIsMovedOnlyWhenItsNewestArchiveWasLookedAt() throws IOException {
    RollingLog log =
        live(build.fixedWindow(build.parent(file()), dir + "/app.%i.log.gz"), build.bySize("100"));
    build
        .disk
        .affecting(path -> path.toString().endsWith(".kept.out"))
        .before(Op.FORCE, 1, () -> {});
    fillAndRoll(log, 2);

    assertThat(build.disk.hasFaultsAhead()).as("not forced before it was moved").isFalse();
    log.end(); // not with the archivist, whose thread lives
    log.stop();
    assertThat(names()).containsExactly("app.1.log.gz", "app.2.log.gz", "app.log");
    assertThat(build.warnings).isEmpty();
  }

  @Test
  void aStopLeavesTheRestToTheNextStart() throws IOException {
    Path kept = leaveKept(ARCHIVE);
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
    RollingLog log = live();
    packing.awaitReached();
    log.end();
    log.stop();
    assertThat(kept).as("the stop did not wait").exists();

    packing.open();
    Await.end(first.get()); // else it may delete what the next start has begun to pack
    build.disk.heal();
    startAndStop(rolling(PACKED));
    Await.until("packed", () -> !Files.exists(kept));
    assertThat(content(ARCHIVE)).isEqualTo(CONTENT);
    assertThat(build.warnings).isEmpty();
  }

  /** It says that it aborts where its archive's name is taken, and leaves its file. */
  @Test
  void aPolicyThatIsLateAtTheStopFindsTheNameOfItsArchiveFree() throws IOException {
    AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE); // passes zero
    KeptFile kept = KeptFile.parse(leaveKept(ARCHIVE));
    Archivist archivist = new Archivist(build.disk, nowNs::get, build.warnings::add);
    archivist.add(requireNonNull(kept), false);
    assertThat(archivist.finish()).isFalse();
    nowNs.addAndGet(999_999_999);
    assertThat(archivist.finish()).isFalse();
    assertThat(dir.resolve(ARCHIVE)).doesNotExist();
    nowNs.addAndGet(1);

    assertThat(archivist.finish()).isTrue();
    assertThat(content(ARCHIVE)).isEqualTo(CONTENT);
  }

  @Test
  void whatAPolicyDeletesMeanwhileIsNotPacked() throws IOException {
    Path kept = leaveKept(ARCHIVE);
    RollingLog log = rolling(PACKED);
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
  @ValueSource(strings = {BY_SIZE, BY_SIZE + ".zip"})
  void anotherEndingOfThePatternLeavesNoLink(String pattern) throws IOException {
    leaveKept(ARCHIVE);
    startAndStop(rolling(pattern));

    assertThat(names()).containsExactly(ARCHIVE, "app.log");
    assertThat(content(ARCHIVE)).isEqualTo(CONTENT);
  }

  /** Until then it may belong to another log in the same directory. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aLinkOfAnotherPatternIsPackedAfterADay(int days) throws IOException {
    Path kept = leaveKept("old-2024-03.log.gz");
    Files.setLastModifiedTime(
        Files.writeString(path(), "a\n"),
        FileTime.fromMillis(Files.getLastModifiedTime(kept).toMillis() + days * DAY_MS));
    startAndStop(rolling(PACKED));

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
    var policy = build.bySizeAndTime(build.parent(file), dir + "/link/" + PACKED, "100", NOW_MS);
    startAndStop(build.rolling(file, policy, "", ""));

    assertThat(kept).doesNotExist();
    assertThat(LogUnderTest.content(real.resolve(ARCHIVE))).isEqualTo(CONTENT);
  }
}
