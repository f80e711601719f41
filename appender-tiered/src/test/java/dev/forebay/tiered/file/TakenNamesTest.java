package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Others may use any name: nothing of theirs is lost by a roll, and no line of ours. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakenNamesTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  private static final long DAY_MS = 24 * 3600 * 1000L;
  private static final String CONTENT = String.join("", LogUnderTest.records(0, 50));
  private static final String UNPACKED = "app.2024-03-01.0.log";
  private static final String ARCHIVE = UNPACKED + ".gz";

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final LogUnderTest build = new LogUnderTest(context);
  @TempDir Path dir;

  /** What stands at a name. */
  enum Kind {
    TEXT,
    FOREIGN_ARCHIVE,
    DIRECTORY,
    FULL_DIRECTORY,
    PIPE,
    DANGLING_LINK,
    LOOP;

    void plant(Path path) throws IOException {
      switch (this) {
        case TEXT -> Files.writeString(path, "junk\n");
        case FOREIGN_ARCHIVE -> LogUnderTest.compress(path, "something else\n");
        case DIRECTORY -> Files.createDirectory(path);
        case FULL_DIRECTORY -> Files.createFile(Files.createDirectory(path).resolve("x"));
        case PIPE -> LogUnderTest.makePipe(path);
        case DANGLING_LINK -> Files.createSymbolicLink(path, Path.of("no-directory/x"));
        case LOOP -> Files.createSymbolicLink(path, path.getFileName());
      }
    }
  }

  private RollingLog bySize() {
    return rolling("app.%d{yyyy-MM-dd}.%i.log.gz");
  }

  private RollingLog rolling(String pattern) {
    String file = dir.resolve("app.log").toString();
    FileAppender<byte[]> parent = build.parent(file);
    return build.rolling(
        file, build.bySizeAndTime(parent, dir + "/" + pattern, "100", NOW_MS), "", "");
  }

  private TimeBasedRollingPolicy<byte[]> daily(String ending) {
    return build.byTime(
        build.parent(dir.resolve("app.log").toString()),
        dir + "/app.%d{yyyy-MM-dd}.log" + ending,
        NOW_MS);
  }

  private String identity(Path path) throws IOException {
    FileInfo info = build.disk.stat(path);
    return info == null
        ? "nothing"
        : info.key() + " " + info.kind() + " " + info.sizeBytes() + " " + info.modifiedMs();
  }

  /** What all files that are no stranger's hold, unpacked, in the order of their names. */
  private String lines(Path stranger) throws IOException {
    StringBuilder lines = new StringBuilder();
    try (Stream<Path> all = Files.list(dir)) {
      for (Path path : all.sorted(Comparator.comparing(Path::toString)).toList()) {
        if (!path.equals(stranger) && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          assertThat(path.getFileName().toString()).doesNotStartWith(".");
          lines.append(LogUnderTest.content(path));
        }
      }
    }
    return lines.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kept", "1.kept", "99999999999.kept", "99999999999999999999.kept"})
  void aFileThatIsNamedLikeALinkOfOursIsLeftAlone(String ending) throws IOException {
    Path theirs = Files.writeString(dir.resolve("." + ARCHIVE + "." + ending), "junk\n");
    RollingLog log = LogUnderTest.started(bySize());

    assertThat(theirs).hasContent("junk");
    assertThat(dir.resolve(ARCHIVE)).doesNotExist();
    assertThat(build.warnings).hasSize(ending.equals("kept") ? 0 : 1);
    LogUnderTest.stop(log);
  }

  @Test
  void aFileThatCannotBeLookedAtIsNotTakenForALinkLater() throws IOException {
    Path theirs = Files.writeString(dir.resolve("." + ARCHIVE + ".1.kept"), "junk\n");
    build.disk.affecting(theirs::equals).failOnce(Op.STAT, 1, new IOException("no"));
    RollingLog log = LogUnderTest.started(bySize());
    assertThat(build.disk.hasFaultsAhead()).isFalse();
    build.disk.heal();
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    LogUnderTest.stop(log);

    assertThat(theirs).hasContent("junk");
  }

  @Test
  void theCopyOfADirectoryIsToldOfAndLeftAlone() throws IOException {
    Path kept = LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    Files.copy(kept, dir.resolve("copy"));
    Files.move(dir.resolve("copy"), kept, StandardCopyOption.REPLACE_EXISTING);
    RollingLog log = LogUnderTest.started(bySize());

    assertThat(kept).hasContent(CONTENT);
    assertThat(build.warnings).singleElement().asString().contains(kept.toString());
    LogUnderTest.stop(log);
  }

  @ParameterizedTest
  @EnumSource
  void theNextStartPacksBesideWhatStandsAtTheName(Kind kind) throws IOException {
    Path archive = dir.resolve(ARCHIVE);
    kind.plant(archive);
    String before = identity(archive);
    LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    LogUnderTest.stop(LogUnderTest.started(bySize()));

    assertThat(identity(archive)).isEqualTo(before);
    assertThat(lines(archive)).isEqualTo(CONTENT);
    assertThat(build.warnings).singleElement().asString().contains(archive.toString(), "packed as");

    LogUnderTest.stop(LogUnderTest.started(bySize()));
    assertThat(lines(archive)).isEqualTo(CONTENT);
    assertThat(build.warnings).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aRollPassesOverANumberThatIsTaken(Kind kind) throws IOException {
    RollingLog log = LogUnderTest.started(bySize());
    Path archive = dir.resolve(ARCHIVE);
    kind.plant(archive);
    String before = identity(archive);
    for (int roll = 0; roll < 3; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    build.awaitArchiving();
    LogUnderTest.stop(log);

    assertThat(identity(archive)).isEqualTo(before);
    assertThat(lines(archive)).isEqualTo(CONTENT.repeat(3));
    assertThat(build.warnings).singleElement().asString().contains(archive.toString());
  }

  @ParameterizedTest
  @EnumSource
  void aPlainArchiveThatIsThereIsNotReplaced(Kind kind) throws IOException {
    RollingLog log = LogUnderTest.started(rolling("app.%d{yyyy-MM-dd}.%i.log"));
    Path archive = dir.resolve("app.2024-03-01.0.log");
    kind.plant(archive);
    String before = identity(archive);
    for (int roll = 0; roll < 2; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    LogUnderTest.stop(log);

    assertThat(identity(archive)).isEqualTo(before);
    assertThat(lines(archive)).isEqualTo(CONTENT.repeat(2));
    assertThat(build.warnings).singleElement().asString().contains(archive.toString());
  }

  @ParameterizedTest
  @EnumSource
  void aDayWhoseNameIsTakenStaysInTheLogUntilTheNext(Kind kind) throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily(".gz");
    RollingLog log =
        LogUnderTest.started(build.rolling(dir.resolve("app.log").toString(), policy, "", ""));
    for (int day = 1; day <= 2; day++) {
      kind.plant(dir.resolve("app.2024-03-0" + day + ".log.gz"));
    }
    for (int day = 1; day <= 3; day++) {
      LogUnderTest.append(log, "day " + day + "\n");
      policy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + day * DAY_MS);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    build.awaitArchiving();
    LogUnderTest.stop(log);

    assertThat(LogUnderTest.content(dir.resolve("app.2024-03-03.log.gz")))
        .isEqualTo("day 1\nday 2\nday 3\n");
    assertThat(build.warnings).singleElement().asString().contains("app.2024-03-01.log.gz");
  }

  /** Nothing that exists is in the way of a window: it moves on. */
  @ParameterizedTest
  @EnumSource(names = {"DANGLING_LINK", "LOOP"})
  void aWindowWaitsForANameThatItCannotMove(Kind kind) throws IOException {
    String file = dir.resolve("app.log").toString();
    RollingLog log =
        LogUnderTest.started(
            build.rolling(
                file,
                build.fixedWindow(build.parent(file), dir + "/app.%i.log.gz"),
                build.bySize("100"),
                "",
                ""));
    Path archive = dir.resolve("app.1.log.gz");
    kind.plant(archive);
    for (int roll = 0; roll < 3; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    assertThat(lines(archive)).isEqualTo(CONTENT.repeat(3));
    assertThat(build.warnings).singleElement().asString().contains(archive.toString());

    Files.delete(archive);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    log.archive();
    assertThat(LogUnderTest.content(archive)).isEqualTo(CONTENT.repeat(3));
    LogUnderTest.stop(log);
  }

  /** Without a stop, as at a crash. */
  @ParameterizedTest
  @EnumSource
  void whatTakesTheNameWhileTheFileIsMovedCostsNoLine(Kind kind) throws IOException {
    requireNoLineLost(kind, RollingLog::close);
  }

  @Test
  void norDoesItWhenAStopWaitsInVainForTheArchive() throws IOException {
    requireNoLineLost(Kind.TEXT, LogUnderTest::stop);
  }

  /** How a log is left. */
  private interface End {
    void of(RollingLog log) throws IOException;
  }

  /** Logback then gives up. */
  private void requireNoLineLost(Kind kind, End end) throws IOException {
    RollingLog log = LogUnderTest.started(bySize());
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    Path archive = dir.resolve(ARCHIVE);
    build.disk.before(Op.MOVE, 1, () -> kind.plant(archive));
    log.roll();
    String before = identity(archive);
    end.of(log);
    build.awaitArchiving();
    LogUnderTest.stop(LogUnderTest.started(bySize()));

    assertThat(identity(archive)).isEqualTo(before);
    assertThat(lines(archive)).isEqualTo(CONTENT);
    assertThat(build.warnings).singleElement().asString().contains(archive.toString(), "packed as");
  }

  /** From 1.6 on Logback moves the file to that name before it packs it. */
  @ParameterizedTest
  @EnumSource
  void whatStandsAtTheNameWithoutTheEndingStays(Kind kind) throws IOException {
    RollingLog log = LogUnderTest.started(bySize());
    Path unpacked = dir.resolve(UNPACKED);
    kind.plant(unpacked);
    String before = identity(unpacked);
    for (int roll = 0; roll < 2; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    build.awaitArchiving();
    LogUnderTest.stop(log);

    assertThat(identity(unpacked)).isEqualTo(before);
    assertThat(lines(unpacked)).isEqualTo(CONTENT.repeat(2));
    assertThat(build.warnings).singleElement().asString().contains(unpacked.toString());
  }

  /** As a backup makes them: then the link count says nothing. */
  @Test
  void anArchiveIsPackedAlthoughSomebodyElseHasALinkToo() throws IOException {
    Path elsewhere = Files.createTempDirectory("backup");
    Files.createLink(elsewhere.resolve("x"), LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT));
    LogUnderTest.stop(LogUnderTest.started(bySize()));

    assertThat(LogUnderTest.content(dir.resolve(ARCHIVE))).isEqualTo(CONTENT);
    Files.delete(elsewhere.resolve("x"));
    Files.delete(elsewhere);
  }

  @Test
  void anArchiveThatCannotBeMadeIsTriedAgainAtTheNextRoll() throws IOException {
    LogUnderTest.leaveKept(dir, "app.2024-02-01.0.log.gz", CONTENT);
    LogUnderTest.leaveKept(dir, "app.2024-02-01.1.log.gz", CONTENT);
    build.disk.failFrom(Op.MOVE, 1, () -> new IOException("no space"));
    RollingLog log = LogUnderTest.started(bySize());
    assertThat(build.warnings).singleElement().asString().contains("no space", ".kept");
    build.disk.heal();
    for (int roll = 0; roll < 2; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    build.awaitArchiving();
    LogUnderTest.stop(log);

    assertThat(lines(dir)).isEqualTo(CONTENT.repeat(4));
    for (int i = 0; i < 2; i++) {
      Path archive = dir.resolve("app.2024-02-01." + i + ".log.gz");
      assertThat(LogUnderTest.content(archive)).isEqualTo(CONTENT);
    }
  }

  /** What only begins as ours would is replaced: it holds nothing that would be lost. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 10, 11, 30})
  void theBeginningOfTheSameIsReplaced(int length) throws IOException {
    Path archive = dir.resolve(ARCHIVE);
    LogUnderTest.compress(archive, CONTENT);
    byte[] whole = Files.readAllBytes(archive);
    Files.write(archive, Arrays.copyOf(Arrays.copyOf(whole, length), whole.length));
    LogUnderTest.leaveKept(dir, ARCHIVE, CONTENT);
    LogUnderTest.stop(LogUnderTest.started(bySize()));

    assertThat(archive).hasBinaryContent(whole);
    assertThat(lines(dir)).isEqualTo(CONTENT);
  }
}
