package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One file: sections, positions and what others do to the file. */
class RollingLogTest {
  private final LogUnderTest build = new LogUnderTest(new LoggerContext());
  @TempDir Path dir;

  private Path file() {
    return dir.resolve("app.log");
  }

  private String content() throws IOException {
    return Files.readString(file());
  }

  private RollingLog sections() {
    return build.plain(file(), true, "# head\n", "# foot\n");
  }

  @Test
  void headerAndFooterSurroundEveryRun() throws IOException {
    for (int run = 1; run <= 2; run++) {
      RollingLog log = LogUnderTest.started(sections());
      LogUnderTest.append(log, "run " + run + "\n");
      LogUnderTest.stop(log);
    }
    assertThat(content()).isEqualTo("# head\nrun 1\n# foot\n# head\nrun 2\n# foot\n");
  }

  @Test
  void openWritesNothingAndTwiceIsOnce() throws IOException {
    RollingLog log = sections();
    log.open();
    log.open();
    assertThat(LogUnderTest.isOpen(log)).isTrue();
    assertThat(content()).isEmpty();
    assertThat(log.position().offset()).isZero();
  }

  @Test
  void closeWithoutEndWritesNoFooter() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    log.close();
    log.close();
    assertThat(LogUnderTest.isOpen(log)).isFalse();
    assertThat(content()).isEqualTo("# head\n");
  }

  @Test
  void reopeningTheSameFileContinuesTheSection() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    LogUnderTest.append(log, "one\n");
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "two\n");
    LogUnderTest.stop(log);
    assertThat(content()).isEqualTo("# head\none\ntwo\n# foot\n");
  }

  @Test
  void beginAndEndWriteOnce() throws IOException {
    RollingLog log = build.plain(file(), true, "[", "]");
    log.open();
    log.begin();
    log.begin();
    log.end();
    log.end();
    log.stop();
    assertThat(content()).isEqualTo("[]");
  }

  @Test
  void noFooterWhereNoSectionBegan() throws IOException {
    RollingLog log = sections();
    log.open();
    LogUnderTest.stop(log);
    assertThat(content()).isEmpty();
  }

  @Test
  void logThatEndedCanBeOpenedAgain() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    LogUnderTest.stop(log);
    LogUnderTest.started(log);
    LogUnderTest.stop(log);
    assertThat(content()).isEqualTo("# head\n# foot\n# head\n# foot\n");
  }

  @Test
  void withoutAppendTheFirstOpenEmptiesTheFile() throws IOException {
    Files.writeString(file(), "old\n");
    RollingLog log = LogUnderTest.started(build.plain(file(), false));
    LogUnderTest.append(log, "new\n");
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "newer\n");
    assertThat(content()).isEqualTo("new\nnewer\n");
  }

  @Test
  void tornLineOfOthersIsEnded() throws IOException {
    Files.writeString(file(), "old\ntorn");
    LogUnderTest.append(LogUnderTest.started(build.plain(file(), true)), "new\n");
    assertThat(content()).isEqualTo("old\ntorn" + System.lineSeparator() + "new\n");
  }

  @Test
  void wholeLinesInLittleEndianAreNotTakenForTorn() throws IOException {
    Files.writeString(file(), "old\n", StandardCharsets.UTF_16LE);
    LogUnderTest.started(build.plain(file(), true));
    assertThat(Files.readString(file(), StandardCharsets.UTF_16LE)).isEqualTo("old\n");
  }

  @Test
  void tornLineCanBeCompletedBeforeTheSectionBegins() throws IOException {
    Files.writeString(file(), "old\nto");
    RollingLog log = build.plain(file(), true, "# head\n", "");
    log.open();
    LogUnderTest.append(log, "rn\n");
    log.begin();
    assertThat(content()).isEqualTo("old\ntorn\n# head\n");
  }

  @Test
  void positionCountsEveryByteAndTruncateTakesItBack() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    LogUnderTest.append(log, "one\n");
    Position one = log.position();
    LogUnderTest.append(log, "two\n");
    assertThat(log.position()).isEqualTo(new Position(one.fileKey(), one.offset() + 4));
    log.truncate(one);
    assertThat(log.position()).isEqualTo(one);
    LogUnderTest.append(log, "three\n");
    assertThat(content()).isEqualTo("# head\none\nthree\n");
    assertThat(log.isUndisturbed()).isTrue();
  }

  @Test
  void aFileThatOthersMovedAwayIsCutBackWhereItIsNow() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    LogUnderTest.append(log, "one\n");
    Position one = log.position();
    LogUnderTest.append(log, "two\n");
    Path moved = Files.move(file(), dir.resolve("app.log.1"));
    log.close();
    LogUnderTest.started(log);

    log.truncate(one);
    log.truncate(new Position("no such file", 3));

    assertThat(moved).hasContent("# head\none");
    assertThat(content()).isEqualTo("# head\n");
  }

  @Test
  void missingDirectoriesAreCreated() throws IOException {
    Path deep = dir.resolve("a/b/app.log");
    LogUnderTest.append(LogUnderTest.started(build.plain(deep, true)), "x\n");
    assertThat(deep).hasContent("x");
  }

  @Test
  void shortWriteThenFullDiskThenSpaceTearsNoLine() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    build.disk.limitSpace(10);
    ByteBuffer record = LogUnderTest.utf8("one record of thirty bytes ...\n");
    assertThat(log.append(record)).isEqualTo(10);
    assertThatThrownBy(() -> log.append(record)).hasMessageContaining("No space left");
    assertThat(log.position().offset()).isEqualTo(10);
    build.disk.heal();
    log.append(record);
    assertThat(record.hasRemaining()).isFalse();
    assertThat(content()).isEqualTo("one record of thirty bytes ...\n");
    assertThat(log.isUndisturbed()).isTrue();
  }

  @Test
  void headerIsWrittenWholeOrNotAtAll() throws IOException {
    RollingLog log = sections();
    log.open();
    build.disk.limitSpace(3);
    assertThatThrownBy(log::begin).hasMessageContaining("No space left");
    assertThat(content()).isEmpty();
    assertThat(log.isUndisturbed()).isTrue();
    build.disk.heal();
    log.begin();
    assertThat(content()).isEqualTo("# head\n");
  }

  /** Half a header, because the disk was full, and could not be cut off then. */
  private RollingLog withTornHeader() throws IOException {
    RollingLog log = sections();
    log.open();
    build.disk.limitSpace(3);
    build.disk.failOnce(Op.TRUNCATE, 1, new IOException("scripted failure"));
    assertThatThrownBy(log::begin).hasMessageContaining("No space left");
    build.disk.heal();
    return log;
  }

  @Test
  void tornHeaderThatCannotBeCutStandsOnALineOfItsOwn() throws IOException {
    RollingLog log = withTornHeader();
    assertThat(log.isUndisturbed()).isFalse();
    log.close();
    LogUnderTest.started(log);
    assertThat(content()).isEqualTo("# h" + System.lineSeparator() + "# head\n");
  }

  @Test
  void failedForceSurfaces() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "x\n");
    build.disk.failOnce(Op.FORCE, 1, new IOException("scripted failure"));
    assertThatThrownBy(log::force).hasMessage("scripted failure");
    log.force();
    assertThat(log.position().offset()).isEqualTo(2);
  }

  @Test
  void footerThatCannotBeForcedIsTakenBack() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    build.disk.failOnce(Op.FORCE, 1, new IOException("scripted failure"));
    assertThatThrownBy(log::end).hasMessage("scripted failure");
    assertThat(content()).isEqualTo("# head\n");
    LogUnderTest.stop(log);
    assertThat(content()).isEqualTo("# head\n# foot\n");
  }

  @Test
  void renamedFileIsNoticedFoundAndReplaced() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    LogUnderTest.append(log, "one\n");
    Position before = log.position();
    Files.move(file(), dir.resolve("app.log.1"));
    assertThat(log.isUndisturbed()).isFalse();
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "two\n");
    assertThat(content()).isEqualTo("# head\ntwo\n");
    assertThat(read(log, before)).isEqualTo("# head\none\n");
    assertThat(log.isUndisturbed()).isTrue();
  }

  @Test
  void removedFileIsNoticedAndReplaced() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    Position before = log.position();
    Files.delete(file());
    assertThat(log.isUndisturbed()).isFalse();
    assertThat(log.find(before, Disk.Mode.READ)).isNull();
    log.close();
    LogUnderTest.started(log);
    assertThat(content()).isEqualTo("# head\n");
  }

  @Test
  void removedDirectoryIsNoticedAndReplaced() throws IOException {
    Path deep = dir.resolve("logs/app.log");
    RollingLog log = LogUnderTest.started(build.plain(deep, true));
    Files.delete(deep);
    Files.delete(deep.getParent());
    assertThat(log.isUndisturbed()).isFalse();
    assertThat(deep.getParent()).doesNotExist();
    log.close();
    LogUnderTest.append(LogUnderTest.started(log), "x\n");
    assertThat(deep).hasContent("x");
  }

  @Test
  void fileTruncatedByCopytruncateBeginsANewSection() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    LogUnderTest.append(log, "one\n");
    Files.copy(file(), dir.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.write(file(), new byte[0]);
    assertThat(log.isUndisturbed()).isFalse();
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "two\n");
    assertThat(content()).isEqualTo("# head\ntwo\n");
  }

  @Test
  void aTruncationRightBeforeAWriteLeavesNoHole() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "one\n");
    build.disk.before(Op.WRITE, 1, () -> Files.write(file(), new byte[0]));
    LogUnderTest.append(log, "two\n");
    assertThat(content()).isEqualTo("two\n");
    assertThat(log.isUndisturbed()).isFalse();
  }

  @Test
  void foreignBytesRightBeforeAWriteAreNotOverwritten() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "one\n");
    build.disk.before(
        Op.WRITE, 1, () -> Files.writeString(file(), "foreign\n", StandardOpenOption.APPEND));
    LogUnderTest.append(log, "two\n");
    assertThat(content()).isEqualTo("one\nforeign\ntwo\n");
  }

  @Test
  void aHeaderThatWasTornIsWrittenWholeAlsoWhenItCouldNotBeCutOffAtFirst() throws IOException {
    RollingLog log = withTornHeader();
    log.begin();
    assertThat(content()).isEqualTo("# head\n");
  }

  @Test
  void foreignBytesAreNoticedAndNeverFused() throws IOException {
    RollingLog log = LogUnderTest.started(sections());
    LogUnderTest.append(log, "one\n");
    Files.writeString(file(), "foreign", StandardOpenOption.APPEND);
    assertThat(log.isUndisturbed()).isFalse();
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "two\n");
    assertThat(content()).isEqualTo("# head\none\nforeign" + System.lineSeparator() + "two\n");
  }

  @Test
  void openThatFailsCanBeRepeated() throws IOException {
    RollingLog log = build.plain(file(), true);
    build.disk.failOnce(Op.OPEN, 1, new IOException("scripted failure"));
    assertThatThrownBy(log::open).hasMessage("scripted failure");
    assertThat(LogUnderTest.isOpen(log)).isFalse();
    log.open();
    assertThat(LogUnderTest.isOpen(log)).isTrue();
    try (Stream<Path> entries = Files.list(dir)) {
      assertThat(entries).containsExactly(file());
    }
  }

  private static String read(RollingLog log, Position position) throws IOException {
    try (var found = log.find(position, Disk.Mode.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) found.size());
      while (bytes.hasRemaining() && found.read(bytes, bytes.position()) >= 0) {}
      return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }
  }
}
