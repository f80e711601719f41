package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that others move, truncate, remove or write to. */
@Tag("once")
class DisturbedLogTest {

  private static final FsyncPolicy EVERY_SECOND = FsyncPolicy.every(1000 * ShippingProcess.MS);
  private static final FsyncPolicy EVERY_HOUR = FsyncPolicy.every(3_600_000 * ShippingProcess.MS);

  @TempDir Path directory;

  private final FaultyDisk disk = new FaultyDisk(new UnforcedDisk());

  private ShippingProcess process(FsyncPolicy fsync) throws IOException {
    FileLog log = new FileLog(disk, Files.createDirectories(directory.resolve("log")), 1 << 20);
    return new ShippingProcess(disk, Files.createDirectories(directory.resolve("shm")), log, fsync);
  }

  @Test
  void aRotatedLogIsContinuedInANewFileWithoutDoubling() throws IOException {
    ShippingProcess process = process(EVERY_SECOND);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a", "b"));
    process.shipper.doWork();
    Files.move(directory.resolve("log/app.log"), directory.resolve("log/app.log.0"));
    ShippingProcess.write(spool, List.of("c"));
    process.turns(4);

    assertThat(process.log.records()).containsExactly("a", "b", "c");
    assertThat(Files.readAllLines(directory.resolve("log/app.log"))).containsExactly("<", "c");
    assertThat(process.account.settled).isEqualTo(3);
    process.die();
  }

  @Test
  void aTruncatedOrRemovedLogGetsItsUnsettledRecordsAgainAndAWarning() throws IOException {
    ShippingProcess process = process(EVERY_SECOND);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a"));
    process.turns(2);
    ShippingProcess.write(spool, List.of("b"));
    process.shipper.requestSettle();
    process.turns(1);
    ShippingProcess.write(spool, List.of("c"));
    Path file = directory.resolve("log/app.log");
    Files.write(file, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
    process.turns(5);
    assertThat(process.log.records()).containsExactly("c");
    assertThat(process.account.warnings).anyMatch(w -> w.contains("changed by others"));

    Files.delete(file);
    ShippingProcess.write(spool, List.of("d"));
    process.turns(5);
    assertThat(process.log.records()).containsExactly("d");
    assertThat(process.account.settled).isEqualTo(4);
    process.die();
  }

  /** Copied by others or not: what was written is not written again. */
  @Test
  void aTruncatedLogDoesNotGetAgainWhatWasInIt() throws IOException {
    ShippingProcess process = process(EVERY_HOUR);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a"));
    process.shipper.doWork();
    Path file = directory.resolve("log/app.log");
    Files.write(file, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
    ShippingProcess.write(spool, List.of("b"));
    process.turns(4);
    process.shipper.requestSettle();
    process.turns(1);

    assertThat(process.log.records()).containsExactly("b");
    assertThat(process.account.settled).isEqualTo(2);
    assertThat(process.account.warnings).singleElement().asString().contains("by others");
    process.die();
  }

  @Test
  void aLogThatWasMovedOutOfSightIsNotWrittenAgain() throws IOException {
    ShippingProcess process = process(EVERY_HOUR);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a"));
    process.shipper.doWork();
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere")).resolve("old");
    Files.move(directory.resolve("log/app.log"), elsewhere);
    ShippingProcess.write(spool, List.of("b"));
    process.turns(4);
    process.shipper.requestSettle();
    process.turns(1);

    assertThat(Files.readAllLines(elsewhere)).containsExactly("<", "a");
    assertThat(process.log.records()).containsExactly("b");
    assertThat(process.account.settled).isEqualTo(2);
    process.die();
  }

  @Test
  void aMovedLogIsForcedBeforeItIsLeft() throws IOException {
    ShippingProcess process = process(EVERY_HOUR);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a"));
    process.shipper.doWork();
    List<String> keysForced = process.log.keysForced;
    String key = process.log.position().fileKey();
    keysForced.clear();
    Files.move(directory.resolve("log/app.log"), directory.resolve("log/app.log.0"));
    process.turns(2);

    assertThat(process.log.position().fileKey()).isNotEqualTo(key);
    assertThat(keysForced).startsWith(key);
    process.die();
  }

  @Test
  void whatADeadProcessWroteToALogThatWasThenMovedIsForced() throws IOException {
    ShippingProcess first = process(EVERY_HOUR);
    ShippingProcess.write(first.spool(), List.of("a"));
    first.turns(3);
    first.die();
    Files.move(directory.resolve("log/app.log"), directory.resolve("log/app.log.0"));
    disk.affecting(path -> path.endsWith("app.log.0"));
    int forces = disk.calls(Op.FORCE);
    ShippingProcess second = process(EVERY_HOUR);
    second.spool();
    second.turns(4);

    assertThat(second.log.records()).containsExactly("a");
    assertThat(second.account.recovered).isEqualTo(1);
    assertThat(disk.calls(Op.FORCE)).isEqualTo(forces + 1);
    second.die();
  }

  @Test
  void aRemovedLogGetsItsUnsettledRecordsAgain() throws IOException {
    ShippingProcess process = process(EVERY_HOUR);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a"));
    process.shipper.doWork();
    Files.delete(directory.resolve("log/app.log"));
    ShippingProcess.write(spool, List.of("b"));
    process.turns(4);
    process.shipper.requestSettle();
    process.turns(1);

    assertThat(process.log.records()).containsExactly("a", "b");
    assertThat(process.account.settled).isEqualTo(2);
    process.die();
  }

  @Test
  void linesOfOthersAmongUnsettledOnesDoubleNothing() throws IOException {
    ShippingProcess process = process(EVERY_HOUR);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a"));
    process.shipper.doWork();
    Files.writeString(directory.resolve("log/app.log"), "theirs\n", StandardOpenOption.APPEND);
    ShippingProcess.write(spool, List.of("b"));
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "theirs", "b");
    process.die();
  }

  /** The spool is removed while half a record of it ends the log. */
  @Test
  void halfARecordThatOthersWroteBehindIsNotCutOff() throws IOException {
    ShippingProcess process = process(EVERY_HOUR);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, ShippingProcess.lines("own", 4));
    disk.affecting(path -> path.endsWith("app.log")).limitSpace(40);
    process.turns(1);
    disk.heal();
    process.retire(spool);
    try (Stream<Path> entries = Files.walk(spool.path())) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    }
    Files.writeString(directory.resolve("log/app.log"), "theirs\n", StandardOpenOption.APPEND);
    process.retire(process.spool());
    process.turns(6);

    assertThat(process.account.lost).isPositive();
    assertThat(Files.readString(directory.resolve("log/app.log"))).contains("theirs\n");
    process.die();
  }

  @Test
  void othersWhoKeepWritingAreToldOfOnce() throws IOException {
    ShippingProcess process = process(EVERY_SECOND);
    Spool spool = process.spool();
    process.turns(2);
    for (int i = 0; i < 9; i++) {
      Files.writeString(directory.resolve("log/app.log"), "theirs\n", StandardOpenOption.APPEND);
      ShippingProcess.write(spool, List.of("a" + i));
      process.turns(3);
    }
    assertThat(process.account.warnings).hasSize(1);

    process.pass(120_000 * ShippingProcess.MS);
    Files.writeString(directory.resolve("log/app.log"), "theirs\n", StandardOpenOption.APPEND);
    process.turns(3);
    assertThat(process.account.warnings).hasSize(2);
    assertThat(process.log.records()).hasSize(19);
    process.die();
  }

  @Test
  void linesOfOthersStayWhole() throws IOException {
    ShippingProcess process = process(EVERY_SECOND);
    Spool spool = process.spool();
    process.turns(2);
    ShippingProcess.write(spool, List.of("a"));
    process.turns(3);
    Files.writeString(directory.resolve("log/app.log"), "theirs\n", StandardOpenOption.APPEND);
    ShippingProcess.write(spool, List.of("b"));
    process.turns(3);

    assertThat(process.log.records()).containsExactly("a", "theirs", "b");
    process.die();
  }
}
