package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.Compressor;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.FileInfo;
import java.io.ByteArrayInputStream;
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

  private static void assertWhole(Path archive) throws IOException {
    assertThat(Packing.isOf(archive, new ByteArrayInputStream(CONTENT.getBytes(UTF_8)))).isTrue();
  }

  private void compress(String content, Path to) throws IOException {
    String ending = to.toString().substring(to.toString().lastIndexOf('.') + 1);
    Path copy = Files.writeString(dir.resolve("copy"), content);
    Compressor compressor =
        new Compressor(CompressionMode.valueOf(ending.toUpperCase(Locale.ROOT)));
    compressor.setContext(context);
    compressor.compress(copy.toString(), to.toString(), "entry");
  }

  private Path leaveKept(String archive) throws IOException {
    return LogUnderTest.leaveKept(dir, archive, CONTENT);
  }

  /** What may stand at the name of the archive after a crash. */
  private void leave(Path archive, String state) throws IOException {
    if (state.equals("missing")) {
      return;
    }
    compress(state.equals("whole") ? CONTENT : "", archive);
    byte[] made = Files.readAllBytes(archive);
    switch (state) {
      case "empty" -> Files.write(archive, new byte[0]);
      case "zeros" -> Files.write(archive, new byte[made.length]);
      case "cut" -> Files.write(archive, Arrays.copyOf(made, made.length / 2));
      case "short" -> Files.write(archive, Arrays.copyOf(made, made.length - 1));
      default -> assertThat(state).isIn("made", "whole");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".zip", ".xz"})
  void theKeptFileIsGivenUpWhenTheArchiveIsForced(String ending) throws IOException {
    RollingLog log = LogUnderTest.started(log(ending));
    LogUnderTest.append(log, CONTENT);
    assertThat(log.isRollDue()).isTrue();
    Path archive = dir.resolve(ARCHIVE + ending);
    FileInfo active = build.disk.stat(dir.resolve("app.log"));
    assertThat(active).isNotNull();
    Path kept = KeptFile.of(archive, active.inode()).path();
    build
        .disk
        .affecting(path -> path.toString().endsWith(".kept.out"))
        .before(Op.FORCE, 1, () -> assertThat(kept).hasContent(CONTENT));
    log.roll();
    build.awaitArchiving();
    assertThat(log.settledForNs(0)).as("the shipper may sleep").isPositive();
    log.archive();

    assertThat(build.disk.hasFaultsAhead()).as("not forced").isFalse();
    assertThat(names()).containsExactly(ARCHIVE + ending, "app.log");
    assertWhole(archive);
    assertThat(build.warnings).isEmpty();
    LogUnderTest.stop(log);
  }

  @Test
  void noKeptFileIsLeftByAStop() throws IOException {
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
    ".gz, missing", ".gz, empty", ".gz, zeros", ".gz, cut", ".gz, short", ".gz, made", ".gz, whole",
    ".zip, missing", ".zip, empty", ".zip, zeros", ".zip, cut", ".zip, short", ".zip, made",
        ".zip, whole",
    ".xz, missing", ".xz, empty", ".xz, zeros", ".xz, cut", ".xz, short", ".xz, made", ".xz, whole"
  })
  void theNextStartPacksWhatACrashLeft(String ending, String state) throws IOException {
    Path archive = dir.resolve(ARCHIVE + ending);
    leave(archive, state);
    leaveKept(ARCHIVE + ending);
    RollingLog log = LogUnderTest.started(log(ending));

    assertThat(names()).containsExactly(ARCHIVE + ending, "app.log");
    assertWhole(archive);
    assertThat(build.warnings).isEmpty();
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
  void aFileThatCannotBeKeptIsRolledWithout() throws IOException {
    build.disk.failFrom(Op.MOVE, 1, () -> new IOException("no links"));
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
  void aRollThatDoesNotMoveTheFileTakesItBack() throws IOException {
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
      leaveKept(ARCHIVE + ".gz");
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
      assertWhole(archive);
    }
  }
}
