package dev.forebay.tiered.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class ShipperNoteTest {

  private static final int MANY = 50_000;

  private final Disk disk = new NioDisk();
  @TempDir private Path directory;

  private Path note() {
    return directory.resolve(ShipperNote.NAME);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    ShipperNote written = new ShipperNote(4711, 1_700_000_000_000L, "cannot write ä=b: no space");
    written.write(disk, directory);
    assertThat(ShipperNote.read(disk, directory)).isEqualTo(written);
    assertThat(Files.readString(note()))
        .isEqualTo("pid=4711\nsince=1700000000000\nfault=cannot write ä=b: no space\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(note())))
        .isEqualTo("rw-------");
  }

  @Test
  void aLaterOneReplacesItAlsoAfterAKillInBetween() throws IOException {
    new ShipperNote(1, 2, "").write(disk, directory);
    Files.writeString(directory.resolve("shipper-new"), "pid=");
    ShipperNote later = new ShipperNote(3, 4, "fault");
    later.write(disk, directory);
    assertThat(ShipperNote.read(disk, directory)).isEqualTo(later);
    ShipperNote.remove(disk, directory);
    assertThat(directory).isEmptyDirectory();
    assertThat(ShipperNote.read(disk, directory)).isNull();
  }

  @Test
  void aFaultIsOneLineAndNotLong() throws IOException {
    new ShipperNote(1, 2, "x\npid=9\n" + "\u4e16".repeat(MANY)).write(disk, directory);
    ShipperNote read = ShipperNote.read(disk, directory);
    assertThat(read).isNotNull();
    assertThat(read.pid()).isEqualTo(1);
    assertThat(read.fault()).startsWith("x").doesNotContain("\n").hasSizeLessThan(MANY / 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pid=1\n", "since=2\n", "pid=x\nsince=2\n", "pid=1\nsince=\n"})
  void anIncompleteOneIsNotRead(String text) throws IOException {
    new ShipperNote(1, 2, "").write(disk, directory);
    Files.writeString(note(), text);
    assertThat(ShipperNote.read(disk, directory)).isNull();
  }

  @Test
  void whatANewerVersionAddsIsLeftOut() throws IOException {
    new ShipperNote(1, 2, "").write(disk, directory);
    Files.writeString(note(), "pid=1\nmore=x\nsince=2\n");
    assertThat(ShipperNote.read(disk, directory)).isEqualTo(new ShipperNote(1, 2, ""));
  }

  @Test
  void onlyAPlainFileOfOursIsRead() throws IOException {
    Path other = directory.resolve("other");
    Files.writeString(other, "pid=1\nsince=2\nfault=\n");
    Files.createSymbolicLink(note(), other);
    assertThat(ShipperNote.read(disk, directory)).isNull();
    Files.delete(note());
    Files.createLink(note(), other);
    assertThat(ShipperNote.read(disk, directory)).isNull();
    Files.delete(note());
    Files.createDirectory(note());
    assertThat(ShipperNote.read(disk, directory)).isNull();
  }
}
