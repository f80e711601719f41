package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.spool.RandomDamage;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Damaged spools on their way into the log. */
@Tag("once")
class AnyDamageShippedTest {

  private FaultyDisk disk;
  private Scratch scratch;

  /**
   * What the process did that died.
   *
   * @param lines how many it wrote, {@code early} of them before the last checkpoint
   * @param logBytes that the log took of the others
   */
  record Life(int lines, int early, int turns, int logBytes) {}

  @Provide
  Arbitrary<Life> lives() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 90),
            Arbitraries.integers().between(0, 90),
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 1500))
        .as((lines, early, turns, bytes) -> new Life(lines, Math.min(early, lines), turns, bytes));
  }

  @Provide
  Arbitrary<List<RandomDamage>> damages() {
    return RandomDamage.few();
  }

  @BeforeTry
  void makeScratch() throws IOException {
    scratch = new Scratch();
    disk = ShippingProcess.unforced();
  }

  @AfterTry
  void deleteScratch() throws IOException {
    scratch.close();
  }

  private ShippingProcess process() throws IOException {
    FileLog log = new FileLog(disk, scratch.directory("log"), 4096);
    return new ShippingProcess(disk, scratch.directory("shm"), log, ShippingProcess.EVERY_SECOND);
  }

  @Property(seed = "1")
  void damageToTheSpoolOfTheDeadNeitherStopsNorDoublesNorInventsALine(
      @ForAll("lives") Life life, @ForAll("damages") List<RandomDamage> damages)
      throws IOException {
    Path spool = live(life);
    damages.forEach(damage -> damage.applyTo(spool));

    ShippingProcess second = recover();

    expectSoundLog(second, life, isSaidToDouble(second));
  }

  @Property(seed = "1")
  void damageToALivingSpoolIsAccountedForExactly(
      @ForAll("lives") Life life,
      @ForAll("damages") List<RandomDamage> damages,
      @ForAll("damages") List<RandomDamage> later)
      throws IOException {
    ShippingProcess process = process();
    Spool spool = process.spool();
    List<String> lines = ShippingProcess.lines("own", life.lines());
    ShippingProcess.write(spool, lines.subList(0, life.early()));
    damages.forEach(damage -> damage.applyTo(spool.path()));
    process.turns(life.turns());
    requireCountsInTheCheckpoint(process, spool);
    ShippingProcess.write(spool, lines.subList(life.early(), life.lines()));
    later.forEach(damage -> damage.applyTo(spool.path()));
    process.turns(4);
    requireCountsInTheCheckpoint(process, spool);
    process.retire(spool);

    assertThat(process.stop()).isTrue();

    List<String> records = process.log.records();
    assertThat(records).doesNotHaveDuplicates();
    assertThat(lines.stream().filter(records::contains).toList()).isEqualTo(records);
    assertThat(process.account.committed).isEqualTo(records.size());
    assertThat(process.account.committed + process.account.lost).isEqualTo(lines.size());
  }

  @Property(seed = "1")
  void theCheckpointSaysHowManyLinesTheLogLacksAfterAnyNumberOfShippersDied(
      @ForAll("lives") Life life,
      @ForAll("damages") List<RandomDamage> damages,
      @ForAll("spaces") List<Integer> logBytes)
      throws IOException {
    Path spool = live(life);
    damages.forEach(damage -> damage.applyTo(spool));
    List<String> lines = ShippingProcess.lines("dead", life.lines());
    for (int bytes : logBytes) {
      ShippingProcess next = process();
      next.spool();
      disk.affecting(path -> path.endsWith("app.log")).limitSpace(bytes);
      next.turns(2);
      disk.heal();
      next.die();
      if (!Files.exists(spool) || isSaidToDouble(next)) {
        return;
      }
      CheckpointView seen = CheckpointView.of(disk, spool.getParent());
      SpoolPosition position = seen.position(SpoolNames.instance(spool));
      byte[] log = Files.readAllBytes(scratch.directory("log").resolve("app.log"));
      String committed = new String(log, 0, (int) seen.endOffset(), StandardCharsets.UTF_8);
      assertThat(committed.lines().filter(lines::contains))
          .hasSize((int) (position.sequence() - position.lost()));
    }
  }

  @Provide
  Arbitrary<List<Integer>> spaces() {
    return Arbitraries.integers().between(0, 800).list().ofMinSize(1).ofMaxSize(3);
  }

  /** Others see there what this process has counted. */
  private void requireCountsInTheCheckpoint(ShippingProcess process, Spool spool)
      throws IOException {
    long lost = process.account.lost;
    long end = process.account.committed + lost;
    assertThat(CheckpointView.of(disk, spool.path().getParent()).position(spool.instanceId()))
        .isEqualTo(new SpoolPosition(spool.instanceId(), end, lost, 0));
  }

  /** A process that dies in the midst of it, perhaps with half a line in the log. */
  private Path live(Life life) throws IOException {
    List<String> lines = ShippingProcess.lines("dead", life.lines());
    ShippingProcess first = process();
    Spool spool = first.spool();
    ShippingProcess.write(spool, lines.subList(0, life.early()));
    first.turns(life.turns());
    ShippingProcess.write(spool, lines.subList(life.early(), life.lines()));
    if (life.turns() > 0) {
      disk.affecting(path -> path.endsWith("app.log")).limitSpace(life.logBytes());
      first.shipper.doWork();
      disk.heal();
    }
    first.die();
    return spool.path();
  }

  private ShippingProcess recover() throws IOException {
    ShippingProcess second = process();
    Spool own = second.spool();
    ShippingProcess.write(own, ShippingProcess.lines("own", 3));
    second.turns(8);
    second.retire(own);
    assertThat(second.stop()).isTrue();
    assertThat(second.account.failures).isEmpty();
    assertThat(second.account.committed).isEqualTo(3);
    assertThat(second.account.lost).isZero();
    return second;
  }

  private static boolean isSaidToDouble(ShippingProcess second) {
    return second.account.warnings.stream().anyMatch(warning -> warning.contains("be duplicated"));
  }

  private static boolean isSaidToHoldLinesOfOthers(ShippingProcess second) {
    return second.account.warnings.stream().anyMatch(warning -> warning.contains("by others"));
  }

  private static List<String> ofTheDead(ShippingProcess second) throws IOException {
    List<String> records = second.log.records();
    int own = records.size() - 3;
    assertThat(records.subList(own, own + 3)).isEqualTo(ShippingProcess.lines("own", 3));
    return records.subList(0, own);
  }

  private static void expectSoundLog(ShippingProcess second, Life life, boolean mayDouble)
      throws IOException {
    List<String> lines = ShippingProcess.lines("dead", life.lines());
    List<String> records = ofTheDead(second);
    List<String> whole = records.stream().filter(lines::contains).toList();
    if (!mayDouble) {
      assertThat(whole).doesNotHaveDuplicates();
      assertThat(lines.stream().filter(whole::contains).toList()).isEqualTo(whole);
    }
    // Half a line whose record is damaged cannot be told from one of others.
    List<String> halves = records.stream().filter(record -> !lines.contains(record)).toList();
    boolean mayHoldHalf = mayDouble || isSaidToHoldLinesOfOthers(second);
    assertThat(halves).hasSizeLessThan(mayHoldHalf ? 2 : 1);
    assertThat(halves).allMatch(half -> lines.stream().anyMatch(line -> line.startsWith(half)));
  }
}
