package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an earlier process, a power cut or others left at the end of a file. */
class FileEndTest extends LogRig {

  /** | is a line feed, 0 a zero byte. */
  private static String bytes(String text) {
    return text.replace('|', '\n').replace('0', '\0');
  }

  @ParameterizedTest
  @CsvSource({
    // what was there, what is left of it
    "one|000000000, one|",
    "one|tw00000, one|tw|",
    "one|tw, one|tw|",
    "one|0, one|",
    "000000, ''",
    "one0, one|"
  })
  void zerosThatAPowerCutLeftAreCutOffAndATornLineIsEnded(String before, String after)
      throws IOException {
    Files.writeString(path(), bytes(before));
    RollingLog log = started(plain());
    append(log, "new\n");

    assertThat(content()).isEqualTo(bytes(after) + "new\n");
    assertThat(log.isUndisturbed()).isTrue();
  }

  /** It need not end an event with a line, and zeros may be its own. */
  @ParameterizedTest
  @ValueSource(strings = {"one|00000000", "one|tw00000", "one|tw", "o0n0|0t0w0", "one", "00000000"})
  void whereTheLineEndIsNotKnownNothingIsMended(String before) throws IOException {
    Files.writeString(path(), bytes(before));
    RollingLog log = started(ofUnknownEncoder(path()));
    append(log, "new");

    assertThat(content()).isEqualTo(bytes(before) + "new");
  }

  @ParameterizedTest
  @CsvSource({
    // charset, line end, what was there, what is left of it
    "UTF-16LE, 0a00, 41000a00, 41000a00",
    "UTF-16LE, 0a00, 42300a00, 42300a00",
    "UTF-16LE, 0a00, 42300a00000000, 42300a00",
    "UTF-16LE, 0a00, 4100, 41000a00",
    "UTF-16LE, 0a00, 41, 41000a00",
    "UTF-16LE, 0a00, 410000000000, 41000a00",
    "UTF-16BE, 000a, 0041000a, 0041000a",
    "UTF-16BE, 000a, 0041, 0041000a",
    "UTF-16BE, 000a, 004101, 00410100000a",
    "UTF-16BE, 000a, 010a, 010a000a",
    "UTF-16BE, 000a, 6f6e650a, 6f6e650a", // of a log in ASCII before ours
    "UTF-16BE, 000a, 00744e0a, 00744e0a000a", // torn after a character that ends like that
    "UTF-32BE, 0000000a, 0000007400004e0a, 0000007400004e0a0000000a",
    "UTF-32LE, 0a000000, 410000000a00, 410000000a0000000a000000",
    "UTF-32BE, 0000000a, 00000041000000, 000000410000000a",
    "IBM1047, 15, c115, c115",
    "IBM1047, 15, c10a, c10a15",
  })
  void anotherCharactersLineEndIsWhole(String charset, String end, String before, String after)
      throws IOException {
    HexFormat hex = HexFormat.of();
    Files.write(path(), hex.parseHex(before));
    started(of(ByteBuffer.wrap(hex.parseHex(end))));

    assertThat(hex.formatHex(Files.readAllBytes(path()))).as(charset).isEqualTo(after);
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
