package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.Compressor;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was rolled outlives a crash, or a failure, while it is compressed. */
class ArchiveKeeperTest extends LogRig {

  private static final String ARCHIVE = "app.2024-03-01.0.log";

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

  static Stream<Arguments> endings() {
    return Stream.of(".gz", ".zip", ".xz")
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
  @MethodSource("endings")
  void theNextStartPacksWhatACrashLeft(String ending, Left left) throws IOException {
    Path archive = dir.resolve(ARCHIVE + ending);
    leave(archive, left);
    leaveKept(ARCHIVE + ending);

    RollingLog log = LogUnderTest.started(rolling(BY_SIZE + ending));

    assertThat(names()).containsExactly(ARCHIVE + ending, "app.log");
    assertWhole(archive);
    assertThat(build.warnings).isEmpty();
    LogUnderTest.stop(log);
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".zip", ".xz"})
  void theKeptFileIsGivenUpWhenTheArchiveIsForced(String ending) throws IOException {
    RollingLog log = LogUnderTest.started(rolling(BY_SIZE + ending));
    Path archive = dir.resolve(ARCHIVE + ending);
    Path kept = KeptFile.of(archive, build.disk.stat(path()).inode()).path();
    build
        .disk
        .affecting(path -> path.toString().endsWith(".kept.out"))
        .before(Op.FORCE, 1, () -> assertThat(kept).hasContent(CONTENT));
    fillAndRoll(log, 1);
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
  void theNameOfAnArchiveElsewhereIsForcedBeforeTheOldOneIsUsedAgain() throws IOException {
    RollingLog log = LogUnderTest.started(rolling("%d{yyyy/MM,aux}/" + BY_SIZE));
    Path archives = dir.resolve("2024/03");
    build
        .disk
        .affecting(archives::equals)
        .before(
            Op.FORCE_DIRECTORY,
            1,
            () -> {
              assertThat(path()).doesNotExist();
              assertThat(archives.resolve(ARCHIVE)).hasContent(CONTENT);
            });
    fillAndRoll(log, 1);

    assertThat(build.disk.hasFaultsAhead()).as("not forced").isFalse();
    assertThat(names()).containsExactly("2024", "app.log");
    LogUnderTest.stop(log);
  }

  @Test
  void aFileThatCannotBeKeptIsRolledWithout() throws IOException {
    build.disk.failFrom(Op.MOVE, 1, () -> new IOException("no links"));
    RollingLog log = LogUnderTest.started(window("app.%i.log.gz"));
    fillAndRoll(log, 2);

    assertThat(names()).containsExactly("app.1.log.gz", "app.2.log.gz", "app.log");
    assertThat(build.warnings).singleElement().asString().contains("no links");
    LogUnderTest.stop(log);
  }

  /** Where all may write, a log with a second link would not be opened again. */
  @Test
  void aRollThatDoesNotMoveTheFileTakesItBack() throws IOException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
    FixedWindowRollingPolicy failing =
        new FixedWindowRollingPolicy() {
          @Override
          public void rollover() {
            throw new RolloverFailure("no");
          }
        };
    failing.setContext(context);
    failing.setParent(build.parent(file()));
    failing.setFileNamePattern(dir + "/app.%i.log.gz");
    failing.start();
    RollingLog log =
        LogUnderTest.started(build.rolling(file(), failing, build.bySize("100"), "", ""));
    fillAndRoll(log, 1);

    assertThat(names()).containsExactly("app.log");
    assertThat(content()).isEqualTo(CONTENT);
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
        LogUnderTest.started(rolling(BY_SIZE + ".gz")).close();
      } catch (IOException e) {
        // The log itself cannot be opened either.
      }
      hit = !build.disk.hasFaultsAhead();
      build.disk.heal();
      LogUnderTest.started(rolling(BY_SIZE + ".gz")).close();

      assertThat(names()).as("call %d", n).containsExactly(ARCHIVE + ".gz", "app.log");
      assertWhole(archive);
    }
  }
}
