package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A spool on a disk that takes no more, one in the heap in its place, and the way back. */
@Tag("once")
class HeapSpoolTest {

  private static final int EACH = 5;

  @TempDir Path directory;

  private final FaultyDisk disk = ShippingProcess.watched();

  private ShippingProcess process(Path round) throws IOException {
    FileLog log = new FileLog(disk, Files.createDirectories(round.resolve("log")), 400);
    return new ShippingProcess(
        disk, Files.createDirectories(round.resolve("shm")), log, ShippingProcess.EVERY_SECOND);
  }

  /** Records that are not in files when the spool's disk takes no more. */
  private static void append(Spool spool, List<String> lines) {
    for (String line : lines) {
      byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
      spool.writer().append(bytes, 0, bytes.length, 2);
    }
  }

  private static List<String> lines(String name) {
    return ShippingProcess.lines(name, EACH);
  }

  private void fill(Path round) {
    disk.affecting(path -> path.startsWith(round.resolve("shm")))
        .failFrom(FaultyDisk.Op.WRITE, 1, () -> new IOException("No space left on device"));
  }

  @Test
  void recordsThatWereNotInFilesMoveAlongAndNoneIsLostOrDoubled() throws IOException {
    ShippingProcess process = process(directory);
    Spool first = process.spoolOf(lines("before"));
    fill(directory);
    append(first, lines("staged").subList(0, 2));
    Spool heap = process.replace(first, true);
    disk.heal();
    process.turns(2);
    ShippingProcess.write(heap, lines("heap"));
    Spool again = process.replace(heap, false);
    ShippingProcess.write(again, lines("after"));
    process.turns(6);
    process.retire(again);

    assertThat(process.stop()).isTrue();
    List<String> expected = new ArrayList<>(lines("before"));
    expected.addAll(lines("staged").subList(0, 2));
    expected.addAll(lines("heap"));
    expected.addAll(lines("after"));
    assertThat(process.log.records()).isEqualTo(expected);
    assertThat(process.account.committed).isEqualTo(3 * EACH + 2);
    assertThat(process.account.lost).isZero();
    assertThat(process.account.reached).isEqualTo(3 * EACH + 2);
    assertThat(process.account.warnings).isEmpty();
  }

  @Test
  void whatIsInTheHeapWhenTheLogCannotBeWrittenUntilTheEndIsCountedAsLost() throws IOException {
    ShippingProcess process = process(directory);
    Spool heap = process.heapSpool();
    ShippingProcess.write(heap, lines("shipped"));
    process.turns(3);
    disk.affecting(path -> path.endsWith("app.log"))
        .failFrom(null, 1, () -> new IOException("No space left on device"));
    ShippingProcess.write(heap, lines("left"));
    process.retire(heap);
    process.stop();

    assertThat(process.account.committed).isEqualTo(EACH);
    assertThat(process.account.lost).isEqualTo(EACH);
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .contains(EACH + " events were spooled in the heap", "they are lost");
    assertThat(process.heapDisk.usableBytes(HeapDisk.ROOT)).isEqualTo(8 << 20);
  }

  @Test
  void whatALateFlusherSpoolsInTheHeapAfterTheStopIsCountedAsLost() throws IOException {
    ShippingProcess process = process(directory);
    process.stop();
    Spool heap = process.heapSpool();
    ShippingProcess.write(heap, lines("late"));
    process.retire(heap);

    assertThat(process.account.committed).isZero();
    assertThat(process.account.lost).isEqualTo(EACH);
  }

  /** Each time another call is the last one that works; then the process is killed. */
  @Test
  void whereverTheProcessDiesWhatWasInFilesArrivesOnceAndTheRestAtMostOnce() throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n++) {
      Path round = directory.resolve("round" + n);
      ShippingProcess process = process(round);
      Spool first = process.spoolOf(lines("before"));
      process.turns(2);
      ShippingProcess.write(first, lines("more"));
      append(first, lines("staged"));
      fill(round);
      Spool heap = process.replace(first, true);
      disk.heal();
      // From here on only the shipper's calls, those to the spools included, may fail.
      ShippingProcess.write(heap, lines("heap"));
      disk.affecting(path -> !path.startsWith(round.resolve("none")))
          .limitWrites(29)
          .failFrom(null, n, () -> new IOException("killed"));
      process.turns(3);
      hit = !disk.hasFaultsAhead();
      disk.heal();
      Spool again = process.replace(heap, false);
      ShippingProcess.write(again, lines("after"));
      if (n % 2 == 0) {
        process.turns(1);
      }
      process.die();

      ShippingProcess second = process(round).recover();

      List<String> records = second.log.records();
      List<String> durable = new ArrayList<>(lines("before"));
      durable.addAll(lines("more"));
      durable.addAll(lines("after"));
      assertThat(records).as("call %d", n).doesNotHaveDuplicates().containsAll(durable);
      assertThat(records.stream().filter(durable::contains)).as("call %d", n).isEqualTo(durable);
      assertThat(second.account.warnings).as("call %d", n).noneMatch(w -> w.contains("duplicated"));
    }
  }
}
