package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.Compressor;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was rolled outlives a crash, or a failure, while it is compressed. */
class ArchiveKeeperTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  private static final String CONTENT = String.join("", LogUnderTest.records(0, 50));
  private static final String ARCHIVE = "app.2024-03-01.0.log";

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final LogUnderTest build = new LogUnderTest(context);
  @TempDir Path dir;

  private RollingLog log(String ending) {
    String file = dir.resolve("app.log").toString();
    FileAppender<byte[]> parent = build.parent(file);
    return build.rolling(
        file,
        build.bySizeAndTime(parent, dir + "/app.%d{yyyy-MM-dd}.%i.log" + ending, "100", NOW_MS),
        "",
        "");
  }

  private RollingLog window() {
    String file = dir.resolve("app.log").toString();
    return build.rolling(
        file,
        build.fixedWindow(build.parent(file), dir + "/app.%i.log.gz"),
        build.bySize("100"),
        "",
        "");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private Path original() throws IOException {
    return Files.writeString(Files.createTempDirectory(dir, "original").resolve("x"), CONTENT);
  }

  private static ArchiveContent contentOf(Path archive, Path original) throws IOException {
    return ArchiveContent.of(archive, () -> Files.newInputStream(original));
  }

  private void compress(Path to, CompressionMode mode) throws IOException {
    Path copy = Files.writeString(dir.resolve("copy"), CONTENT);
    Compressor compressor = new Compressor(mode);
    compressor.setContext(context);
    compressor.compress(copy.toString(), to.toString(), "entry");
  }

  private Path leaveKept(String archive) throws IOException {
    return LogUnderTest.leaveKept(dir, archive, CONTENT);
  }

  /** What may stand at the name of the archive after a power cut. */
  private void leave(Path archive, String state) throws IOException {
    if (state.equals("missing")) {
      return;
    }
    String ending = archive.toString().substring(archive.toString().lastIndexOf('.') + 1);
    compress(archive, CompressionMode.valueOf(ending.toUpperCase(Locale.ROOT)));
    byte[] whole = Files.readAllBytes(archive);
    switch (state) {
      case "empty" -> Files.write(archive, new byte[0]);
      case "zeros" -> Files.write(archive, new byte[whole.length]);
      case "cut" -> Files.write(archive, Arrays.copyOf(whole, whole.length / 2));
      case "short" -> Files.write(archive, Arrays.copyOf(whole, whole.length - 1));
      default -> assertThat(state).isEqualTo("whole");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".zip", ".xz"})
  void theLinkIsGivenUpWhenTheArchiveIsForced(String ending) throws IOException {
    RollingLog log = LogUnderTest.started(log(ending));
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    Path archive = dir.resolve(ARCHIVE + ending);
    FileInfo active = build.disk.stat(dir.resolve("app.log"));
    assertThat(active).isNotNull();
    Path kept = KeptLink.of(archive, active.inode()).path();
    build
        .disk
        .affecting(archive::equals)
        .before(Op.FORCE, 1, () -> assertThat(kept).hasContent(CONTENT));
    log.roll();
    build.awaitArchiving();
    assertThat(log.settledForNs(0)).as("the shipper may sleep").isPositive();
    log.archive();

    assertThat(build.disk.hasFaultsAhead()).as("not forced").isFalse();
    assertThat(names()).containsExactly(ARCHIVE + ending, "app.log");
    assertThat(contentOf(archive, original())).isEqualTo(ArchiveContent.WHOLE);
    assertThat(build.warnings).isEmpty();
    LogUnderTest.stop(log);
  }

  @Test
  void noLinkIsLeftByAStop() throws IOException {
    RollingLog log = LogUnderTest.started(log(".zip"));
    for (int roll = 0; roll < 8; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }
    build.awaitArchiving();
    LogUnderTest.stop(log);

    assertThat(names()).hasSize(9).allMatch(name -> name.startsWith("app"));
    assertThat(build.warnings).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    ".gz, missing", ".gz, empty", ".gz, zeros", ".gz, cut", ".gz, short", ".gz, whole",
    ".zip, missing", ".zip, empty", ".zip, zeros", ".zip, cut", ".zip, short", ".zip, whole",
    ".xz, missing", ".xz, empty", ".xz, zeros", ".xz, cut", ".xz, short", ".xz, whole"
  })
  void theNextStartCompletesAnArchiveWhoseOriginalIsGone(String ending, String state)
      throws IOException {
    Path archive = dir.resolve(ARCHIVE + ending);
    leave(archive, state);
    leaveKept(ARCHIVE + ending);
    RollingLog log = LogUnderTest.started(log(ending));

    assertThat(names()).containsExactly(ARCHIVE + ending, "app.log");
    assertThat(contentOf(archive, original())).isEqualTo(ArchiveContent.WHOLE);
    assertThat(build.warnings).hasSize(state.equals("whole") ? 0 : 1);
    LogUnderTest.stop(log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "empty", "cut", "whole"})
  void theNextStartCompletesACompressionThatWasInterrupted(String state) throws IOException {
    Path archive = dir.resolve(ARCHIVE + ".gz");
    leave(archive, state);
    Files.createLink(dir.resolve(ARCHIVE + "12345.tmp"), leaveKept(ARCHIVE + ".gz"));
    RollingLog log = LogUnderTest.started(log(".gz"));

    assertThat(names()).containsExactly(ARCHIVE + ".gz", "app.log");
    assertThat(contentOf(archive, original())).isEqualTo(ArchiveContent.WHOLE);
    LogUnderTest.stop(log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "empty", "cut", "whole"})
  void theNextStartTakesBackACompressionOfTheActiveFile(String state) throws IOException {
    leave(dir.resolve("app.1.log.gz"), state);
    Files.createLink(dir.resolve("app.log"), leaveKept("app.1.log.gz"));
    RollingLog log = LogUnderTest.started(window());

    assertThat(names()).containsExactly("app.log");
    assertThat(dir.resolve("app.log")).hasContent(CONTENT);
    LogUnderTest.stop(log);
  }

  @Test
  void theNameOfAnArchiveElsewhereIsForcedBeforeTheOldOneIsUsedAgain() throws IOException {
    String file = dir.resolve("app.log").toString();
    String pattern = dir + "/%d{yyyy/MM,aux}/app.%d{yyyy-MM-dd}.%i.log";
    RollingLog log =
        LogUnderTest.started(
            build.rolling(
                file, build.bySizeAndTime(build.parent(file), pattern, "100", NOW_MS), "", ""));
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    Path archives = dir.resolve("2024/03");
    build
        .disk
        .affecting(archives::equals)
        .before(
            Op.FORCE_DIRECTORY,
            1,
            () -> {
              assertThat(dir.resolve("app.log")).doesNotExist();
              assertThat(archives.resolve("app.2024-03-01.0.log")).hasContent(CONTENT);
            });
    log.roll();

    assertThat(build.disk.hasFaultsAhead()).as("not forced").isFalse();
    assertThat(names()).containsExactly("2024", "app.log");
    LogUnderTest.stop(log);
  }

  @Test
  void hiddenFilesOfOthersAreLeftAlone() throws IOException {
    Path other = leaveKept("other.2024-03-01.0.log.gz");
    Path link = dir.resolve("." + ARCHIVE + ".gz.1.kept");
    Files.createSymbolicLink(link, other);
    RollingLog log = LogUnderTest.started(log(".gz"));

    assertThat(other).hasContent(CONTENT);
    assertThat(link).isSymbolicLink();
    assertThat(build.warnings).isEmpty();
    LogUnderTest.stop(log);
  }

  @Test
  void aFileSystemWithoutLinksRollsWithout() throws IOException {
    build.disk.failFrom(Op.LINK, 1, () -> new IOException("no links"));
    RollingLog log = LogUnderTest.started(window());
    for (int roll = 0; roll < 2; roll++) {
      LogUnderTest.append(log, CONTENT);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
    }

    assertThat(names()).containsExactly("app.1.log.gz", "app.2.log.gz", "app.log");
    assertThat(build.warnings).singleElement().asString().contains("no links");
    LogUnderTest.stop(log);
  }

  /** Where all may write, a log with a second link would not be opened again. */
  @Test
  void aRollThatDoesNotMoveTheFileLeavesNoLink() throws IOException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
    String file = dir.resolve("app.log").toString();
    FixedWindowRollingPolicy failing =
        new FixedWindowRollingPolicy() {
          @Override
          public void rollover() {
            throw new RolloverFailure("no");
          }
        };
    failing.setContext(context);
    failing.setParent(build.parent(file));
    failing.setFileNamePattern(dir + "/app.%i.log.gz");
    failing.start();
    RollingLog log =
        LogUnderTest.started(build.rolling(file, failing, build.bySize("100"), "", ""));
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    log.roll();

    assertThat(names()).containsExactly("app.log");
    assertThat(dir.resolve("app.log")).hasContent(CONTENT);
    LogUnderTest.stop(log);
  }

  @Test
  void nothingIsLostWhicheverCallFailsWhileAnArchiveIsCompleted() throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n++) {
      Path archive = dir.resolve(ARCHIVE + ".gz");
      Files.deleteIfExists(archive);
      Files.createLink(dir.resolve(ARCHIVE + "12345.tmp"), leaveKept(ARCHIVE + ".gz"));
      build.disk.failFrom(null, n, () -> new IOException("no"));
      try {
        LogUnderTest.started(log(".gz")).close();
      } catch (IOException e) {
        // The log itself cannot be opened either.
      }
      hit = !build.disk.hasFaultsAhead();
      build.disk.heal();
      LogUnderTest.started(log(".gz")).close();

      assertThat(names()).as("call %d", n).containsExactly(ARCHIVE + ".gz", "app.log");
      Path original = original();
      assertThat(contentOf(archive, original)).isEqualTo(ArchiveContent.WHOLE);
      Files.delete(original);
      Files.delete(original.resolveSibling(""));
    }
  }
}
