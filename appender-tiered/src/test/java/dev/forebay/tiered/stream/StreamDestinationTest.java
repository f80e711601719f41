package dev.forebay.tiered.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.file.LogRig;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.file.ShippingRig;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream that outlives the processes that write to it, which cannot read it back. */
@Tag("once")
class StreamDestinationTest {

  private static final int LONG = StandardStream.ATOMIC_BYTES + 500;
  private static final byte[] NOTHING = {};

  @TempDir Path directory;
  private final FaultyDisk disk = ShippingProcess.unforced();
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private Runnable meanwhile = () -> {};

  /** The descriptor: each write is a call to the disk, and one that fails takes half. */
  private final class Pipe extends FileOutputStream {

    private final Path asked;

    Pipe(Path asked) throws IOException {
      super(new File("/dev/null"));
      this.asked = asked;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      meanwhile.run();
      if (length <= StandardStream.ATOMIC_BYTES) {
        disk.stat(asked);
        read.write(bytes, offset, length);
      } else {
        read.write(bytes, offset, length / 2);
        disk.stat(asked);
        read.write(bytes, offset + length / 2, length - length / 2);
      }
    }
  }

  /**
   * What was read: lines that say whose follow, or the others, as what a torn one was joined to.
   */
  private List<String> read(boolean marks) {
    return read.toString(UTF_8)
        .lines()
        .filter(line -> line.matches("(\\{\"message\":\")?\\[forebay] .*") == marks)
        .toList();
  }

  private ShippingProcess process(Path round, byte[] header, byte[] footer) throws IOException {
    Path base = Files.createDirectories(round.resolve("shm"));
    StandardStream stream =
        new StandardStream("System.out", round.resolve("none"), () -> null, new Pipe(round));
    return new ShippingProcess(
        disk,
        base,
        new StreamDestination(
            stream, header, footer, LogRig.utf8("\n").array(), new ShippingListener() {}),
        () -> read(false),
        FsyncPolicy.ALWAYS);
  }

  private ShippingProcess process(Path round) throws IOException {
    return process(round, NOTHING, NOTHING);
  }

  private static Spool spoolOf(ShippingProcess process, List<String> lines) throws IOException {
    Spool spool = process.spool(new SpoolLimits(1 << 20, 16 << 10));
    ShippingProcess.write(spool, lines);
    return spool;
  }

  /** Every fourth fits into no write that is not torn. */
  private static List<String> lines(String name, int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(name + " " + i + " " + "x".repeat(i % 4 == 3 ? LONG : 1500));
    }
    return lines;
  }

  private static List<String> expected() {
    return ShippingRig.all(lines("first", 6), lines("second", 9));
  }

  /** Two lives: the first leaves records, the second writes its own and meets a fault. */
  private ShippingProcess second(Path round, Consumer<FaultyDisk> fault) throws IOException {
    read.reset();
    ShippingProcess first = process(round);
    Spool left = spoolOf(first, lines("first", 6).subList(0, 1));
    first.turns(2);
    ShippingProcess.write(left, lines("first", 6).subList(1, 6));
    first.die();
    ShippingProcess second = process(round);
    Spool own = spoolOf(second, lines("second", 9).subList(0, 4));
    fault.accept(disk.affecting(path -> !path.startsWith(own.path())));
    second.turns(3);
    ShippingProcess.write(own, lines("second", 9).subList(4, 9));
    second.turns(4);
    second.retire(own);
    return second;
  }

  private static List<String> names(List<String> lines) {
    return lines.stream().map(line -> line.substring(0, line.indexOf('x'))).toList();
  }

  /** In order, and each once but for those of one write. */
  private void requireAtMostOneWriteTwice(String round) {
    List<String> lines = read(false);
    List<String> whole = names(lines.stream().filter(expected()::contains).toList());
    List<String> parts = lines.stream().filter(line -> !expected().contains(line)).toList();
    assertThat(new LinkedHashSet<>(whole)).as(round).containsExactlyElementsOf(names(expected()));
    int twice = whole.size() - expected().size();
    assertThat(twice).as(round).isLessThanOrEqualTo(StandardStream.ATOMIC_BYTES / 1500);
    assertThat(parts).as(round).hasSizeLessThanOrEqualTo(2);
    for (String part : parts) { // of a long line, or the line end before its repetition
      assertThat(expected()).as(round).anyMatch(line -> line.startsWith(part));
    }
  }

  @Test
  void afterAKillAtAnyCallAtMostOneWriteStandsThereTwice() throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n++) {
      int nth = n;
      Path round = directory.resolve("round" + n);
      ShippingProcess second = second(round, it -> it.failFrom(null, nth, IOException::new));
      second.stop();
      hit = !disk.hasFaultsAhead();
      disk.heal();
      second.die();
      process(round).recover();
      requireAtMostOneWriteTwice("call " + n);
    }
  }

  @Test
  void afterAFailureOfAnyCallTheSameProcessRepeatsNothingWhole() throws IOException {
    boolean hit = true;
    for (int n = 1; hit; n++) {
      int nth = n;
      Path round = directory.resolve("round" + n);
      ShippingProcess second =
          second(round, it -> it.failOnce(null, nth, new IOException("Broken pipe")));
      boolean finished = second.stop();
      hit = !disk.hasFaultsAhead();
      disk.heal();
      requireAtMostOneWriteTwice("call " + n);
      assertThat(second.records().stream().filter(expected()::contains).toList())
          .as("call %d", n)
          .doesNotHaveDuplicates();
      assertThat(finished).as("call %d", n).isTrue();
      assertThat(second.account.committed).as("call %d", n).isEqualTo(9);
      assertThat(second.account.lost).as("call %d", n).isZero();
    }
  }

  @Test
  void whileAWriteWaitsForTheReaderTheAccountHasAllThatWasWrittenBefore() throws IOException {
    ShippingProcess one = process(directory);
    Spool spool = spoolOf(one, lines("one", 12));
    List<Long> unknown = new ArrayList<>();
    meanwhile = () -> unknown.add(read(false).size() - one.account.committed);
    one.turns(1);
    assertThat(unknown).hasSizeGreaterThan(3).containsOnly(0L);
    one.retire(spool);
    one.stop();
    assertThat(one.account.committed).isEqualTo(12);
  }

  @Test
  void aSpoolOfOursWaitsForOneThatIsFoundLaterAndGoesOnAfterIt() throws IOException {
    ShippingProcess own = process(directory);
    Spool ours = spoolOf(own, lines("own", 2));
    own.turns(2);
    ShippingProcess other = process(directory);
    spoolOf(other, lines("other", 2));
    other.die();
    own.pass(11_000 * ShippingProcess.MS); // until it looks for spools again
    ShippingProcess.write(ours, lines("own", 6).subList(2, 6));
    own.turns(4);
    own.die();
    process(directory).recover();
    assertThat(own.records()).doesNotHaveDuplicates().hasSize(8);
    String all = read.toString(UTF_8);
    assertThat(all)
        .containsPattern("\\[forebay] 2 lines of a process that ended at 20\\S+Z\\Rother 0 x")
        .containsPattern("\\R\\[forebay] end of the lines of an earlier process\\Rown 2 x");
    assertThat(read(true)).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void linesOfJsonAreMarkedInJson() throws IOException {
    ShippingProcess other = process(directory);
    spoolOf(other, List.of("{\"a\":1}"));
    other.die();
    process(directory).recover();
    assertThat(read.toString(UTF_8).lines().toList())
        .hasSize(2)
        .first()
        .asString()
        .matches("\\{\"message\":\"\\[forebay] 1 lines of a process that ended at \\S+Z\"}");
  }
}
