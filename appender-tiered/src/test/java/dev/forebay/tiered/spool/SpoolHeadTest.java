package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class SpoolHeadTest {

  private static final byte[] DESCRIPTION = "which log".getBytes(StandardCharsets.UTF_8);

  /** Of a frame, which a reader does not need. */
  private static final int PADDING = 32 - FrameFormat.FRAME_HEADER_BYTES - 12;

  @TempDir Path base;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  private SpoolDirectory directory;
  private Spool spool;
  private Path head;

  @BeforeEach
  void create() throws IOException {
    directory = Spools.open(disk, base);
    spool = directory.createDescribed(Spools.LIMITS, DESCRIPTION);
    head = spool.path().resolve("head");
  }

  @AfterEach
  void close() {
    disk.heal();
    spool.close();
  }

  private SpoolHead.View shown() throws IOException {
    try (DiskFile file = disk.open(head, Disk.Mode.READ)) {
      return SpoolHead.read(file);
    }
  }

  private static SpoolHead.View view(long published, long awaited, boolean isRetired) {
    return new SpoolHead.View(published, awaited, isRetired);
  }

  @Test
  void theBytesAreThoseOfTheFormat() throws IOException {
    SpoolHead other = SpoolHead.create(disk, Files.createDirectory(base.resolve("x")), DESCRIPTION);
    other.publish(0x0102030405060708L);
    other.await(0x1112131415L);
    other.retire();
    other.close();

    assertThat(HexFormat.of().formatHex(Files.readAllBytes(base.resolve("x/head"))))
        .isEqualTo("0807060504030201" + "1514131211000000" + "01000000" + "53662269");
    assertThat(base.resolve("x/description")).hasBinaryContent(DESCRIPTION);
  }

  @Test
  void onlyItsOwnerCanReadIt() throws IOException {
    for (Path file : List.of(head, spool.path().resolve("description"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void itSaysAtFirstThatNothingIsThere() throws IOException {
    assertThat(shown()).isEqualTo(view(0, 0, false));
  }

  @Test
  void aFlushShowsWhatIsWritten() throws IOException {
    Spools.append(spool, Spools.text(0));
    assertThat(shown()).isEqualTo(view(0, 0, false));
    spool.writer().flush();
    assertThat(shown()).isEqualTo(view(1, 0, false));
    spool.requestCommit();
    assertThat(shown()).isEqualTo(view(1, 1, false));
    spool.retire();
    assertThat(shown()).isEqualTo(view(1, 1, true));
  }

  /** The file system takes a part of a batch: that is there, and nothing else is shown. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 63, 64, 65, 95})
  void aFlushThatFailsInTheMidstShowsWhatIsPublished(int bytes) throws IOException {
    Spools.fill(spool, 0, 1);
    for (int i = 1; i < 4; i++) {
      Spools.append(spool, Spools.text(i));
    }
    disk.affecting(path -> path.toString().endsWith(".seg")).limitSpace(bytes);
    assertThatThrownBy(() -> spool.writer().flush()).isInstanceOf(IOException.class);

    int published = (int) spool.publishedSequence();
    assertThat(published).isEqualTo(1 + (bytes + PADDING) / 32);
    assertThat(shown()).isEqualTo(view(published, 0, false));
    LiveSpool live = live();
    assertThat(Spools.drain(live.source())).isEqualTo(Spools.texts(0, published));
    disk.heal();
    spool.writer().flush();
    assertThat(shown()).isEqualTo(view(4, 0, false));
    assertThat(Spools.drain(live.source())).isEqualTo(Spools.texts(published, 4));
    live.close();
  }

  private LiveSpool live() throws IOException {
    return LiveSpool.in(directory, instance -> false, OtherForm.UNKNOWN).get(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 8, 15, 16, 19, 20, 23})
  void aDamagedOneSaysNothing(int at) throws IOException {
    Spools.fill(spool, 0, 3);
    byte[] bytes = Files.readAllBytes(head);
    Spools.flip(head, at);
    assertThat(shown()).isNull();
    Files.write(head, Arrays.copyOf(bytes, at));
    assertThat(shown()).as("cut off").isNull();
  }

  /** As it is written anew with the next record. */
  @Test
  void aReaderOfADamagedOneGoesByTheLastAndThenByTheNext() throws IOException {
    Spools.fill(spool, 0, 3);
    LiveSpool live = live();
    assertThat(live.publishedSequence()).isEqualTo(3);
    Spools.flip(head, 2);
    assertThat(live.publishedSequence()).isEqualTo(3);
    Spools.fill(spool, 3, 4);
    assertThat(live.publishedSequence()).isEqualTo(4);
    live.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatCouldNotBeShownIsShownLater(boolean isEnd) throws IOException {
    disk.affecting(path -> path.equals(head)).failOnce(Op.WRITE, 1, new IOException("no"));
    if (isEnd) {
      spool.retire();
    } else {
      Spools.fill(spool, 0, 1);
      assertThat(spool.writer().isSettled()).as("the flusher does not sleep on it").isFalse();
    }
    assertThat(shown()).isEqualTo(view(0, 0, false));
    spool.writer().flush();
    assertThat(shown()).isEqualTo(isEnd ? view(0, 0, true) : view(1, 0, false));
    assertThat(spool.writer().isSettled()).isTrue();
  }

  /** There may be many idle appenders. */
  @Test
  void itIsClosedWhileNothingIsWritten() throws IOException {
    Spools.fill(spool, 0, 1);
    int opened = disk.calls(Op.OPEN);
    int closed = disk.calls(Op.CLOSE);
    spool.writer().rest();
    assertThat(disk.calls(Op.CLOSE) - closed).as("with the segment").isEqualTo(2);
    spool.writer().rest();
    assertThat(disk.calls(Op.CLOSE) - closed).isEqualTo(2);
    Spools.fill(spool, 1, 2);
    assertThat(disk.calls(Op.OPEN) - opened).isEqualTo(2);
    assertThat(shown()).isEqualTo(view(2, 0, false));
  }

  /** Else nothing of it is ever shipped: whoever does reads the newest description. */
  @ParameterizedTest
  @ValueSource(strings = {"description", "head"})
  void aSpoolThatCannotBeDescribedIsNotLeft(String file) throws IOException {
    disk.affecting(path -> path.endsWith(file)).limitSpace(5);
    assertThatThrownBy(() -> directory.createDescribed(Spools.LIMITS, DESCRIPTION))
        .isInstanceOf(IOException.class);
    disk.heal();
    assertThat(directory.list(SpoolNames.SPOOL)).containsExactly(spool.path());
  }

  @Test
  void aSpoolThatItsOwnerShipsIsNotRead() throws IOException {
    Spool other = directory.createSpool(Spools.LIMITS);
    Spools.fill(other, 0, 3);
    assertThat(LiveSpool.in(directory, instance -> false, OtherForm.UNKNOWN))
        .extracting(live -> live.source().path())
        .containsExactly(spool.path());
    other.close();
  }

  @Test
  void oneThatOthersCouldWriteIsNotRead() throws IOException {
    Files.delete(head);
    Files.createSymbolicLink(head, base.resolve("elsewhere"));
    assertThat(LiveSpool.in(directory, instance -> false, OtherForm.UNKNOWN)).isEmpty();
    Files.delete(head);
    Files.createDirectory(head);
    assertThat(LiveSpool.in(directory, instance -> false, OtherForm.UNKNOWN)).isEmpty();
  }
}
