package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Others may use any name: nothing of theirs is lost by a roll, and no line of ours. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakenNamesTest extends LogRig {

  private static final String UNPACKED = "app.2024-03-01.0.log";
  private static final String ARCHIVE = UNPACKED + ".gz";
  private static final String PACKED = BY_SIZE + ".gz";

  private String identity(Path path) throws IOException {
    FileInfo info = disk.stat(path);
    return info == null
        ? "nothing"
        : info.key() + " " + info.kind() + " " + info.sizeBytes() + " " + info.modifiedMs();
  }

  /** What all files that are no stranger's hold, unpacked, in the order of their names. */
  private String lines(Path stranger) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String name : names()) {
      Path path = dir.resolve(name);
      if (!path.equals(stranger) && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        assertThat(name).doesNotStartWith(".");
        lines.append(content(name));
      }
    }
    return lines.toString();
  }

  private void assertOneWarning(String... texts) {
    assertThat(warnings).singleElement().asString().contains(texts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kept", "1.kept", "99999999999.kept", "99999999999999999999.kept"})
  void aFileThatIsNamedLikeALinkOfOursIsLeftAlone(String ending) throws IOException {
    Path theirs = Files.writeString(dir.resolve("." + ARCHIVE + "." + ending), "junk\n");
    startAndStop(rolling(PACKED));

    assertThat(theirs).hasContent("junk");
    assertThat(dir.resolve(ARCHIVE)).doesNotExist();
    assertThat(warnings).hasSize(ending.equals("kept") ? 0 : 1);
  }

  @Test
  void theCopyOfADirectoryIsToldOfAndLeftAlone() throws IOException {
    Path kept = leaveKept(ARCHIVE);
    Files.copy(kept, dir.resolve("copy"));
    Files.move(dir.resolve("copy"), kept, StandardCopyOption.REPLACE_EXISTING);
    startAndStop(rolling(PACKED));

    assertThat(kept).hasContent(CONTENT);
    assertOneWarning(kept.toString());
  }

  @ParameterizedTest
  @EnumSource
  void theNextStartPacksBesideWhatStandsAtTheName(Stranger stranger) throws IOException {
    Path archive = dir.resolve(ARCHIVE);
    stranger.putAt(archive);
    String before = identity(archive);
    leaveKept(ARCHIVE);
    for (int start = 0; start < 2; start++) {
      startAndStop(rolling(PACKED));

      assertThat(identity(archive)).isEqualTo(before);
      assertThat(lines(archive)).isEqualTo(CONTENT);
      assertOneWarning(archive.toString(), "packed as");
    }
  }

  static Stream<Arguments> taken() {
    return Stream.of(
            Arguments.arguments(PACKED, ARCHIVE),
            Arguments.arguments(PACKED, UNPACKED), // where Logback 1.6 moves the file first
            Arguments.arguments(BY_SIZE, UNPACKED))
        .flatMap(
            names ->
                Stream.of(Stranger.values())
                    .map(stranger -> Arguments.of(names.get()[0], names.get()[1], stranger)));
  }

  @ParameterizedTest
  @MethodSource("taken")
  void aRollPassesOverANumberThatIsTaken(String pattern, String name, Stranger stranger)
      throws IOException {
    RollingLog log = started(rolling(pattern));
    Path taken = dir.resolve(name);
    stranger.putAt(taken);
    String before = identity(taken);
    fillAndRoll(log, 3);
    awaitArchiving();
    stop(log);

    assertThat(identity(taken)).isEqualTo(before);
    assertThat(lines(taken)).isEqualTo(CONTENT.repeat(3));
    assertOneWarning(taken.toString());
  }

  @ParameterizedTest
  @EnumSource
  void aDayWhoseNameIsTakenStaysInTheLogUntilTheNext(Stranger stranger) throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily(".gz");
    RollingLog log = started(rolling(policy));
    for (int day = 1; day <= 2; day++) {
      stranger.putAt(dir.resolve("app.2024-03-0" + day + ".log.gz"));
    }
    for (int day = 1; day <= 3; day++) {
      append(log, "day " + day + "\n");
      toDay(policy, day);
      roll(log);
    }
    awaitArchiving();
    stop(log);

    assertThat(content("app.2024-03-03.log.gz")).isEqualTo("day 1\nday 2\nday 3\n");
    assertOneWarning("app.2024-03-01.log.gz");
  }

  /** Nothing that exists is in the way of a window: it moves on. */
  @ParameterizedTest
  @EnumSource(names = {"DANGLING_LINK", "LOOP"})
  void aWindowWaitsForANameThatItCannotMove(Stranger stranger) throws IOException {
    RollingLog log = started(window("app.%i.log.gz"));
    Path archive = dir.resolve("app.1.log.gz");
    stranger.putAt(archive);
    fillAndRoll(log, 3);
    assertThat(lines(archive)).isEqualTo(CONTENT.repeat(3));
    assertOneWarning(archive.toString());

    Files.delete(archive);
    roll(log);
    log.archive();
    assertThat(content(archive)).isEqualTo(CONTENT.repeat(3));
    stop(log);
  }

  /** Logback then gives up; a crash follows, or a stop that waits in vain for the archive. */
  @ParameterizedTest
  @CsvSource({
    "TEXT, false", "FOREIGN_ARCHIVE, false", "DIRECTORY, false", "FULL_DIRECTORY, false",
    "PIPE, false", "DANGLING_LINK, false", "LOOP, false", "TEXT, true"
  })
  void whatTakesTheNameWhileTheFileIsMovedCostsNoLine(Stranger stranger, boolean stops)
      throws IOException {
    RollingLog log = started(rolling(PACKED));
    Path archive = dir.resolve(ARCHIVE);
    disk.before(Op.MOVE, 1, () -> stranger.putAt(archive));
    fillAndRoll(log, 1);
    String before = identity(archive);
    if (stops) {
      stop(log);
    } else {
      log.close();
    }
    awaitArchiving();
    startAndStop(rolling(PACKED));

    assertThat(identity(archive)).isEqualTo(before);
    assertThat(lines(archive)).isEqualTo(CONTENT);
    assertOneWarning(archive.toString(), "packed as");
  }
}
