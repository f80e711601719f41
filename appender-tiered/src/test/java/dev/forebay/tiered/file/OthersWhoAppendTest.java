package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ShippingProcess.EVERY_HOUR;
import static dev.forebay.tiered.file.ShippingProcess.EVERY_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log to which others append all the time: whenever it is looked at, they have done so again. */
@Tag("once")
class OthersWhoAppendTest extends ShippingRig {

  private static final String THEIRS = "theirs";

  private void append() {
    try {
      Files.writeString(logFile(), THEIRS + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> ours(ShippingProcess of) {
    return of.log.records().stream().filter(line -> !line.equals(THEIRS)).toList();
  }

  /** Writes records in several batches, with turns between them. */
  private List<String> shipTen() throws IOException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      List<String> lines = lines("own" + i, 20);
      ShippingProcess.write(spool, lines);
      all.addAll(lines);
      process.turns(1);
    }
    return all;
  }

  /** Before we look at the log, or between the look and the write. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void doNotHoldUpShippingAndCostNoReopening(boolean isBefore) throws IOException {
    start(EVERY_SECOND);
    if (isBefore) {
      process.log.beforeLook = this::append;
    } else {
      process.log.afterLook = this::append;
    }
    int opened = log().calls(Op.OPEN);
    List<String> written = shipTen();
    assertThat(disk.calls(Op.OPEN)).isLessThanOrEqualTo(opened + (isBefore ? 0 : 1));
    process.turns(1);

    assertThat(ours(process)).isEqualTo(written);
    assertThat(process.account.committed).isEqualTo(200);
    assertThat(process.account.failures).isEmpty();
    assertThat(process.account.warnings).singleElement().asString().contains("by others");
  }

  /** What was written at a look is committed there: only the batch that followed it is in doubt. */
  @Test
  void doubleTheLastBatchAtMostWhenTheProcessIsKilled() throws IOException {
    start(EVERY_HOUR);
    process.log.afterLook = this::append;
    List<String> written = shipTen();
    process.log.afterLook = () -> {};
    process.die();

    ShippingProcess next = process().recover();

    List<String> ours = ours(next);
    assertThat(ours.subList(0, 200)).isEqualTo(written);
    assertThat(written.subList(180, 200)).containsAll(ours.subList(200, ours.size()));
    assertThat(ours.size()).isLessThanOrEqualTo(220);
    assertThat(next.account.warnings).singleElement().asString().contains("may be duplicated");
  }

  /** A line of theirs stands before our last batch, so that this ends behind where it should. */
  @Test
  void leaveNoDoubtAboutWhatIsCommitted() throws IOException {
    start(EVERY_SECOND);
    ShippingProcess.write(spool, lines("own", 20));
    process.log.afterLook =
        () -> {
          append();
          process.log.afterLook = () -> {};
        };
    process.shipper.requestCommit();
    process.turns(1);
    assertThat(process.account.committed).isEqualTo(20);
    process.die();

    ShippingProcess next = process().recover();

    assertThat(ours(next)).isEqualTo(lines("own", 20));
    assertThat(next.account.warnings).isEmpty();
  }
}
