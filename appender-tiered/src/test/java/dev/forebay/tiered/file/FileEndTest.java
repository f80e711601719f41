package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an earlier process, a power cut or others left at the end of a file. */
class FileEndTest extends LogRig {

  /** | is a line feed, 0 a zero byte, # a byte of a number. */
  private static String bytes(String text) {
    return text.replace('|', '\n').replace('0', '\0').replace('#', '\u0007');
  }

  @ParameterizedTest
  @CsvSource({
    // what was there, what is left of it
    "one|000000000, one|",
    "one|tw00000, one|tw|",
    "one|tw, one|tw|",
    "one|0, one|",
    "000000, ''",
    "o0n0|000000, o0n0|0",
    "o0n0|0, o0n0|0",
    "one0, one0|"
  })
  void zerosThatAPowerCutLeftAreCutOffAndATornLineIsEnded(String before, String after)
      throws IOException {
    Files.writeString(path(), bytes(before));
    RollingLog log = started(plain());
    append(log, "new\n");

    assertThat(content()).isEqualTo(bytes(after) + "new\n");
    assertThat(log.isUndisturbed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
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
    Files.writeString(path(), bytes(before));
    RollingLog log = started(ofUnknownEncoder(path()));
    append(log, "new");

    assertThat(content()).isEqualTo(bytes(after) + "new");
  }

  @Test
  void moreZerosThanAreReadAtOnceAreCutOff() throws IOException {
    Files.writeString(path(), "one\n" + "\0".repeat(200_000));
    RollingLog log = started(plain());

    assertThat(content()).isEqualTo("one\n");
    assertThat(log.position().offset()).isEqualTo(4);
  }

  /** A large write, or one that crosses a page, can be seen in part for a moment. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLineThatOthersAreWritingIsEndedOnlyIfTheyDoNotFinish(boolean finish) throws IOException {
    RollingLog log = started(plain());
    append(log, "one\n");
    Files.writeString(path(), "the", StandardOpenOption.APPEND);
    if (finish) {
      disk.before(Op.READ, 2, () -> Files.writeString(path(), "irs\n", StandardOpenOption.APPEND));
    }
    assertThat(log.followAppends()).isTrue();
    log.begin();
    append(log, "two\n");

    assertThat(content()).isEqualTo(finish ? "one\ntheirs\ntwo\n" : "one\nthe\ntwo\n");
  }
}
