package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of spools whose log has no next start. */
@Tag("once")
class StrayShipperTest extends StrayRig {

  @Test
  void aLogWithANameForEachRunGetsItsLinesFromTheNextRun() throws Exception {
    List<String> lines = ShippingProcess.lines("first", 30);
    spooled(logs.resolve("app-1.log"), lines);

    look(logs.resolve("app-2.log"));

    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).isEqualTo(lines);
    assertThat(logs.resolve("app-2.log")).doesNotExist();
    assertThat(account.recovered).isEqualTo(30);
    assertThat(account.warnings).isEmpty();
    assertThat(leftInBase()).isEmpty();
  }

  @Test
  void whatStandsInTheLogAlreadyIsNotWrittenAgain() throws Exception {
    List<String> lines = ShippingProcess.lines("first", 60);
    shippedInPart(logs.resolve("app-1.log"), lines, 20, 40);
    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).hasSize(40);

    look(logs.resolve("app-2.log"));

    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).isEqualTo(lines);
    assertThat(account.warnings).isEmpty();
  }

  @Test
  void aLogInAnotherDirectoryIsLeftAlone() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    spooled(other, ShippingProcess.lines("other", 3));

    look(logs.resolve("app.log"));

    assertThat(other).doesNotExist();
    assertThat(leftInBase()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileWithASecondNameIsNotWrittenToAndALinkNotFollowed(boolean isLink) throws Exception {
    Path canary = Files.writeString(root.resolve("canary"), "mine\n");
    Path name = logs.resolve("app-1.log");
    if (isLink) {
      Files.createSymbolicLink(name, canary);
    } else {
      Files.createLink(name, canary);
    }
    spooled(name, ShippingProcess.lines("first", 3));

    look(logs.resolve("app-2.log"));

    assertThat(canary).hasContent("mine\n");
    assertThat(leftInBase()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../canary", "/canary", "..", ".", "", "a\rb", "sub/app.log"})
  void aNoteThatNamesNoPlainNameLeadsNowhere(String name) throws Exception {
    Path canary = Files.writeString(root.resolve("canary"), "mine\n");
    Path spool = spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    List<String> note = new ArrayList<>(Files.readAllLines(spool.resolve("log")));
    note.set(2, name);
    Files.writeString(spool.resolve("log"), String.join("\n", note) + "\n");

    look(logs.resolve("app-2.log"));

    assertThat(canary).hasContent("mine\n");
    assertThat(logs).isEmptyDirectory();
    assertThat(leftInBase()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "forebay 1", "forebay 2\na\nb\nc\n", "junk\n\n\n\n\n\n"})
  void aSpoolThatDoesNotSayWhereItBelongsIsLeftAlone(String note) throws Exception {
    Path spool = spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    Files.writeString(spool.resolve("log"), note);

    look(logs.resolve("app-2.log"));

    assertThat(logs).isEmptyDirectory();
    assertThat(leftInBase()).isNotEmpty();
  }

  @Test
  void theSpoolOfALivingProcessIsLeftAlone() throws Exception {
    Spool living = directoryOf(logs.resolve("app-1.log")).createSpool(ShippingProcess.LIMITS);
    ShippingProcess.write(living, ShippingProcess.lines("first", 3));

    look(logs.resolve("app-2.log"));

    assertThat(logs).isEmptyDirectory();
    assertThat(account.warnings).isEmpty();
    assertThat(living.isPathIntact()).isTrue();
    living.discard();
  }

  @Test
  void whatIsShippedIsRemovedWithItsDirectoryAndNoFileIsMade() throws Exception {
    Path other = Files.createDirectory(root.resolve("other")).toRealPath().resolve("app.log");
    spooled(other, List.of());
    shippedInPart(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3), 3, 3);
    Files.delete(logs.resolve("app-1.log"));

    look(logs.resolve("app-2.log"));

    assertThat(base).isEmptyDirectory();
    assertThat(other).doesNotExist();
    assertThat(logs).isEmptyDirectory();
    assertThat(account.warnings).isEmpty();
  }

  @Test
  void ownWorkGoesFirstButNotForEver() throws Exception {
    spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    StrayShipper shipper = shipper(logs.resolve("app-2.log"));
    nowNs += 3 * SECOND_NS;
    shipper.doWork(false);
    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS / 1000;
      shipper.doWork(false);
    }
    assertThat(logs).isEmptyDirectory();

    for (int i = 0; i < ENOUGH_TURNS; i++) {
      nowNs += SECOND_NS;
      shipper.doWork(false);
    }
    assertThat(logs.resolve("app-1.log")).exists();
    shipper.close();
  }

  @Test
  void doesNotLookIntoDirectoriesThatAnotherAppenderOfThisProcessShipsFrom() throws Exception {
    Path log = logs.resolve("app-1.log");
    spooled(log, ShippingProcess.lines("first", 3));
    SpoolQueue other = new SpoolQueue(file(log), at -> {}, account, () -> 0);
    SpoolDirectory directory = directoryOf(log);
    Files.setLastModifiedTime(directory.path(), FileTime.fromMillis(0));
    other.addDirectory(directory);
    other.takeIn();
    look(logs.resolve("app-2.log"));
    assertThat(log).doesNotExist();
    assertThat(Files.getLastModifiedTime(directory.path()).toMillis()).as("untouched").isZero();
    other.close();

    look(logs.resolve("app-2.log"));
    assertThat(Files.readAllLines(log)).hasSize(3);
  }

  /** It cannot open the file that the records belong into. */
  @Test
  void whatItHoldsIsFreedWhenTheShipperEnds() throws Exception {
    spooled(logs.resolve("app-1.log"), ShippingProcess.lines("first", 3));
    Path own = logs.resolve("app-2.log");
    FaultyDisk faulty = new FaultyDisk(disk).affecting(path -> path.endsWith("app-1.log"));
    faulty.failFrom(FaultyDisk.Op.OPEN, 1, () -> new IOException("no"));
    Shipper shipper =
        new Shipper(
            new SpoolQueue(file(own), there -> {}, account, () -> 0),
            FsyncPolicy.ALWAYS,
            () -> nowNs,
            () -> {},
            shipper(disk, faulty, own));
    nowNs += 3 * SECOND_NS;
    for (int turn = 0; turn < 3; turn++) {
      shipper.doWork();
    }
    assertThat(directoryOf(logs.resolve("app-1.log")).tryShipLock()).isNull();
    shipper.onClose();

    look(own);
    assertThat(Files.readAllLines(logs.resolve("app-1.log"))).hasSize(3);
  }
}
