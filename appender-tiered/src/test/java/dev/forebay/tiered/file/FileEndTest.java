package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an earlier process or a power cut left at the end of a file that is opened. */
class FileEndTest {
  private final LogUnderTest build = new LogUnderTest(new LoggerContext());
  @TempDir Path dir;

  private Path file() {
    return dir.resolve("app.log");
  }

  private String content() throws IOException {
    return Files.readString(file());
  }

  @ParameterizedTest
  @CsvSource({
    // what was there, what is left of it, where | is a line feed and 0 a zero byte
    "one|000000000, one|",
    "one|tw00000, one|tw|",
    "one|0, one|",
    "000000, ''",
    "o0n0|000000, o0n0|0",
    "o0n0|0, o0n0|0",
    "one0, one0|"
  })
  void zerosThatAPowerCutLeftAreCutOff(String before, String after) throws IOException {
    Files.writeString(file(), before.replace('|', '\n').replace('0', '\0'));
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "new\n");

    assertThat(content()).isEqualTo(after.replace('|', '\n').replace('0', '\0') + "new\n");
    assertThat(log.isUndisturbed()).isTrue();
  }

  /** As where a file may only be appended to. */
  @Test
  void aTornLineThatCannotBeCutOffIsEnded() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "one\ntw");
    Position whole = new Position(log.position().fileKey(), 4);
    log.close();
    log.open();
    build.disk.affecting(file()::equals).failFrom(Op.TRUNCATE, 1, () -> new IOException("no"));
    assertThatThrownBy(() -> log.truncate(whole)).hasMessageContaining("no");
    log.begin();
    LogUnderTest.append(log, "two\n");

    assertThat(content()).isEqualTo("one\ntw\ntwo\n");
  }

  /** The line may be torn: an empty line does less harm than two in one. */
  @Test
  void anEndThatStaysUnreadableGetsALineEnd() throws IOException {
    Files.writeString(file(), "one\n");
    build.disk.affecting(file()::equals).failFrom(Op.READ, 1, () -> new IOException("no"));
    RollingLog log = build.plain(file(), true);
    log.open();
    for (int attempt = 1; attempt < 5; attempt++) {
      assertThatThrownBy(log::begin).hasMessageContaining("cannot be read");
    }
    log.begin();
    LogUnderTest.append(log, "new\n");

    assertThat(content()).isEqualTo("one\n\nnew\n");
  }

  @ParameterizedTest
  @CsvSource({
    // what was there, what is left of it; | is a line feed, 0 a zero byte, # a byte of a number
    "one|00000000, one|",
    "one|tw00000, one|tw|",
    "one|tw, one|tw|",
    "o0n0|0t0w0, o0n0|0t0w0|",
    "one00000000, one00000000",
    "one, one",
    "#one|#tw|00000000, #one|#tw|00000000",
    "000#one|000#two, 000#one|000#two",
    "00000000, 00000000"
  })
  void aFileThatIsNotOfTextIsNotMended(String before, String after) throws IOException {
    Files.writeString(file(), bytes(before));
    RollingLog log = LogUnderTest.started(build.ofUnknownEncoder(file()));
    LogUnderTest.append(log, "new");

    assertThat(content()).isEqualTo(bytes(after) + "new");
  }

  private static String bytes(String text) {
    return text.replace('|', '\n').replace('0', '\0').replace('#', '\u0007');
  }

  @Test
  void moreZerosThanAreReadAtOnceAreCutOff() throws IOException {
    Files.writeString(file(), "one\n" + "\0".repeat(200_000));
    RollingLog log = LogUnderTest.started(build.plain(file(), true));

    assertThat(content()).isEqualTo("one\n");
    assertThat(log.position().offset()).isEqualTo(4);
  }

  /** A large write, or one that crosses a page, can be seen in part for a moment. */
  @Test
  void aLineThatOthersAreWritingJustNowIsNotEnded() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "one\n");
    Files.writeString(file(), "the", StandardOpenOption.APPEND);
    build.disk.before(
        Op.READ, 2, () -> Files.writeString(file(), "irs\n", StandardOpenOption.APPEND));

    assertThat(log.followAppends()).isTrue();
    log.begin();
    LogUnderTest.append(log, "two\n");

    assertThat(content()).isEqualTo("one\ntheirs\ntwo\n");
  }

  @Test
  void aLineThatOthersDoNotFinishIsEnded() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "one\n");
    Files.writeString(file(), "the", StandardOpenOption.APPEND);

    assertThat(log.followAppends()).isTrue();
    log.begin();
    LogUnderTest.append(log, "two\n");

    assertThat(content()).isEqualTo("one\nthe\ntwo\n");
  }

  @Test
  void aLogThatOthersMoveWhileTheyWriteIsNotFollowed() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "one\n");
    Files.writeString(file(), "the", StandardOpenOption.APPEND);
    build.disk.before(Op.READ, 1, () -> Files.move(file(), dir.resolve("moved.log")));

    assertThat(log.followAppends()).isFalse();
    assertThat(log.position().offset()).isEqualTo(4);
  }

  @Test
  void aFileThatIsNotOfTextIsFollowedWithoutAMoment() throws IOException {
    Files.writeString(file(), bytes("#one"));
    RollingLog log = LogUnderTest.started(build.ofUnknownEncoder(file()));
    LogUnderTest.append(log, "two");
    Files.writeString(file(), "the", StandardOpenOption.APPEND);
    build.disk.before(
        Op.READ, 2, () -> Files.writeString(file(), "irs", StandardOpenOption.APPEND));

    assertThat(log.followAppends()).isTrue();
    assertThat(log.position().offset()).isEqualTo(bytes("#onetwothe").length());
  }
}
