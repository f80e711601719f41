package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ShippingProcess.EVERY_HOUR;
import static dev.forebay.tiered.file.ShippingProcess.EVERY_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log to which others append all the time: whenever it is looked at, they have done so again. */
@Tag("once")
class OthersWhoAppendTest {

  private static final String THEIRS = "theirs";

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.unforced();
  private ShippingProcess process;
  private Spool spool;

  @BeforeEach
  void start() throws IOException {
    start(EVERY_SECOND);
  }

  private void start(FsyncPolicy fsync) throws IOException {
    process = ShippingProcess.in(directory, disk, fsync);
    spool = process.spool();
    process.turns(2);
  }

  private void append() {
    try {
      Files.writeString(directory.resolve("log/app.log"), THEIRS + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> ours(ShippingProcess of) throws IOException {
    return of.log.records().stream().filter(line -> !line.equals(THEIRS)).toList();
  }

  /** Writes records in several batches, with turns between them. */
  private List<String> shipTen() throws IOException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      List<String> lines = ShippingProcess.lines("own" + i, 20);
      ShippingProcess.write(spool, lines);
      all.addAll(lines);
      process.turns(1);
    }
    return all;
  }

  @Test
  void doNotHoldUpShipping() throws IOException {
    process.log.beforeLook = this::append;

    List<String> written = shipTen();

    assertThat(ours(process)).isEqualTo(written);
    assertThat(process.account.committed).isGreaterThanOrEqualTo(180);
    assertThat(process.account.failures).isEmpty();
    assertThat(process.account.warnings).singleElement().asString().contains("by others");
    process.die();
  }

  @Test
  void doNotHoldUpShippingWhereTheirLinesSlipInBetweenLookAndWrite() throws IOException {
    process.log.afterLook = this::append;

    List<String> written = shipTen();
    process.turns(1);

    assertThat(ours(process)).isEqualTo(written);
    assertThat(process.account.committed).isEqualTo(200);
    assertThat(process.account.warnings).hasSize(1);
    process.die();
  }

  @Test
  void costNoReopening() throws IOException {
    process.log.beforeLook = this::append;
    disk.affecting(path -> path.endsWith("app.log"));
    int opened = disk.calls(Op.OPEN);

    shipTen();

    assertThat(disk.calls(Op.OPEN)).isEqualTo(opened);
    process.die();
  }

  /** What was written at a look is committed there: only the batch that followed it is in doubt. */
  @Test
  void doubleTheLastBatchAtMostWhenTheProcessIsKilled() throws IOException {
    process.die();
    start(EVERY_HOUR);
    process.log.afterLook = this::append;
    List<String> written = shipTen();
    process.log.afterLook = () -> {};
    process.die();

    ShippingProcess next = ShippingProcess.in(directory, disk, EVERY_SECOND).recover();

    List<String> ours = ours(next);
    assertThat(ours.subList(0, 200)).isEqualTo(written);
    assertThat(written.subList(180, 200)).containsAll(ours.subList(200, ours.size()));
    assertThat(ours.size()).isLessThanOrEqualTo(220);
    assertThat(next.account.warnings).singleElement().asString().contains("may be duplicated");
  }

  /** A line of theirs stands before our last batch, so that this ends behind where it should. */
  @Test
  void leaveNoDoubtAboutWhatIsCommitted() throws IOException {
    ShippingProcess.write(spool, ShippingProcess.lines("own", 20));
    process.log.afterLook =
        () -> {
          append();
          process.log.afterLook = () -> {};
        };
    process.shipper.requestCommit();
    process.turns(1);
    assertThat(process.account.committed).isEqualTo(20);
    process.die();

    ShippingProcess next = ShippingProcess.in(directory, disk, EVERY_SECOND).recover();

    assertThat(ours(next)).isEqualTo(ShippingProcess.lines("own", 20));
    assertThat(next.account.warnings).isEmpty();
  }
}
