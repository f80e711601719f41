package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ModelStep.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.forebay.host.FileTree;
import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.overflow.MovableSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.state.ActionChain;

/**
 * Processes whose spools are left for others and moved to another disk in any order with shipping,
 * and killed between and within all of that. The model is a list: what was flushed is in the log
 * exactly once and in order. A power cut takes what is in memory, and what the log has not been
 * forced to keep; of the rest the same holds.
 */
@Tag("once")
class OverflowModelTest {

  private static World world;

  private static World begin() {
    world = new World();
    return world;
  }

  @AfterTry
  void deleteScratch() throws IOException {
    if (world != null) {
      world.scratch.close();
      FileTree.delete(world.over);
      world = null;
    }
  }

  @Provide
  Arbitrary<ActionChain<World>> lives() {
    return ActionChain.startWith(OverflowModelTest::begin)
        .withAction(6, step("append", 40, World::append))
        .withAction(4, step("ship", 3, World::ship))
        .withAction(2, step("commit", 1, (world, n) -> world.process.shipper.requestCommit()))
        .withAction(1, step("roll", 1, (world, n) -> world.process.log.wantRoll()))
        .withAction(3, step("fill the disk", 200, World::fillDisk))
        .withAction(2, step("heal the disk", 1, (world, n) -> world.disk.heal()))
        .withAction(6, step("leave the spool", 1, (world, n) -> world.leaveSpool()))
        .withAction(6, step("move", 2, World::move))
        .withAction(5, step("ship while moving", 20, World::shipWhileMoving))
        .withAction(2, step("fail to move", 40, World::failToMove))
        .withAction(2, step("die", 1, (world, n) -> world.die()))
        .withAction(3, step("die moving", 60, World::dieMoving))
        .withAction(2, step("die shipping", 200, World::dieShipping))
        .withAction(1, step("stop", 1, (world, n) -> world.stop()))
        .withAction(2, step("cut the power", 2, World::cutPower))
        .withMaxTransformations(40);
  }

  @Property(seed = "1", tries = 400)
  void whatWasFlushedIsInTheLogOnceAndInOrder(@ForAll("lives") ActionChain<World> life) {
    life.run().end();
  }

  private static final class World {
    private final Scratch scratch;
    private final FaultyDisk disk;
    private final List<String> flushed = new ArrayList<>();

    private final Set<String> perhaps = new HashSet<>();

    private final Map<String, List<String>> spools = new LinkedHashMap<>();

    private final Path over;
    private final Deque<MovableSpool> retired = new ArrayDeque<>();
    private ShippingProcess process;
    private SpoolDirectory directory;
    private SpoolDirectory overflow;
    private Spool spool;
    private MovableSpool movable;
    private long counter;
    private int next;
    private final Map<String, Long> forced = new HashMap<>();

    World() {
      try {
        scratch = new Scratch();
        over = Files.createTempDirectory("forebay-over"); // where a power cut leaves it
        disk =
            ShippingProcess.unforced()
                .requireForcedLog(
                    (file, bytes) ->
                        file.startsWith(over)
                            && file.endsWith(CheckpointFile.NAME)
                            && bytes.limit() == CheckpointFile.SLOT_BYTES);
        begin();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void begin() throws IOException {
      FileLog log = new FileLog(disk, scratch.directory("log"), 3000);
      log.forced = position -> forced.put(position.fileKey(), position.offset());
      process =
          new ShippingProcess(disk, scratch.directory("shm"), log, ShippingProcess.EVERY_SECOND);
      directory = process.open(process.base);
      directory.countFrom(++counter * 1_000_000);
      retired.clear();
      overflow = process.open(over);
      MovableSpool.cleanUp(overflow);
      use(directory.createSpool(ShippingProcess.LIMITS));
      if (!overflow.isEmpty()) {
        process.queue.addOverflow(overflow);
      }
    }

    private void use(Spool fresh) {
      spool = fresh;
      movable = new MovableSpool(fresh);
      spools.put(fresh.path().getFileName().toString(), new ArrayList<>());
      process.queue.add(directory, movable);
    }

    void append(int lines) throws IOException {
      List<String> added = new ArrayList<>();
      for (int i = 0; i < lines; i++, next++) {
        String line = "line " + next + " " + "x".repeat(next * 7 % 50);
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        if (spool.writer().append(bytes, 0, bytes.length, next % 5) != SpoolWriter.Outcome.ADDED) {
          break; // full: nobody ships or moves
        }
        added.add(line);
      }
      spool.writer().flush();
      flushed.addAll(added);
      spools.get(spool.path().getFileName().toString()).addAll(added);
    }

    void ship(int turns) {
      process.turns(turns);
      assertThat(process.account.lost).isZero();
    }

    void fillDisk(int bytes) {
      disk.affecting(path -> path.toString().contains("app.log")).limitSpace(bytes);
    }

    void leaveSpool() throws IOException {
      MovableSpool left = movable;
      Spool before = spool;
      before.endWriting();
      process.queue.retireToNext(directory, left);
      use(directory.createNext(before));
      before.writer().handOver(spool.writer(), level -> fail("a record was refused"));
      retired.add(left);
    }

    void move(int count) throws IOException {
      for (int i = 0; i < count && !retired.isEmpty(); i++) {
        MovableSpool one = retired.peek();
        boolean moved = !one.isOver() && one.moveTo(overflow, () -> true);
        assertThat(moved).isEqualTo(one.movedTo() != null);
        if (one.isOver()) {
          retired.remove();
        }
      }
    }

    void shipWhileMoving(int chunks) throws IOException {
      MovableSpool one = retired.peek();
      if (one != null && !one.isOver()) {
        AtomicInteger left = new AtomicInteger(chunks);
        boolean unused =
            one.moveTo(
                overflow,
                () -> {
                  if (left.decrementAndGet() == 0) {
                    process.turns(2);
                  }
                  return true;
                });
        if (one.isOver()) {
          retired.remove();
        }
      }
    }

    void failToMove(int nth) {
      disk.heal();
      disk.affecting(path -> path.startsWith(over)).failOnce(null, nth, new IOException("EIO"));
      try {
        move(1);
      } catch (IOException e) {
        assertThat(e).hasMessage("EIO");
      }
      disk.heal();
      try {
        MovableSpool.cleanUp(overflow); // as whoever opens it again
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void dieMoving(int nth) throws IOException {
      disk.heal();
      kill(nth, () -> move(1));
    }

    void dieShipping(int nth) throws IOException {
      disk.heal();
      kill(
          nth,
          () -> {
            process.shipper.requestCommit();
            process.turns(3);
          });
    }

    /** Whoever is killed does nothing more, and it matters not what he believes. */
    private void kill(int nth, FaultyDisk.Event during) throws IOException {
      disk.from(
          nth,
          () -> {
            throw new IOException("killed");
          });
      try {
        during.happen();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("killed");
      } finally {
        disk.heal();
      }
      die();
    }

    private void end() {
      try {
        disk.heal();
        for (int i = 0; i < 3; i++) {
          process.turns(12);
          stop();
        }
        process.die();
        List<String> records = process.records().stream().filter(this::isWhole).toList();
        assertThat(records).doesNotHaveDuplicates();
        assertThat(records.stream().filter(line -> !perhaps.contains(line)))
            .containsExactlyElementsOf(
                flushed.stream().filter(line -> !perhaps.contains(line)).toList());
        assertThat(records.stream().map(World::number).toList()).isSorted();
        assertThat(left(over)).isEmpty();
        assertThat(left(scratch.directory("shm"))).isEmpty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** A power cut may leave the beginning of a line that it took, with an end. */
    private boolean isWhole(String line) {
      return flushed.contains(line) || perhaps.stream().noneMatch(taken -> taken.startsWith(line));
    }

    private static int number(String line) {
      return Integer.parseInt(line.substring(5, line.indexOf(' ', 5)));
    }

    private static List<Path> left(Path base) throws IOException {
      try (var all = Files.walk(base)) {
        return all.filter(path -> path.toString().endsWith(".seg")).toList();
      }
    }

    /** The operating system frees the locks of what was being moved. */
    void die() throws IOException {
      process.die();
      retired.forEach(MovableSpool::leaveMove);
      begin();
    }

    void stop() throws IOException {
      disk.heal();
      process.queue.retire(directory, movable);
      process.stop();
      assertThat(process.account.warnings).noneMatch(warning -> warning.contains("duplicated"));
      retired.forEach(MovableSpool::leaveMove);
      begin();
    }

    /** Of the log is there what was forced, or also what was not. */
    void cutPower(int how) throws IOException {
      disk.heal();
      process.die();
      retired.forEach(MovableSpool::leaveMove);
      FileTree.delete(scratch.directory("shm"));
      if (how == 1) {
        Path log = scratch.directory("log").resolve("app.log");
        FileInfo info = disk.stat(log);
        if (info != null) {
          try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
            file.truncate(forced.getOrDefault(info.key(), 0L));
          }
        }
      }
      Set<String> safe = new HashSet<>(process.records());
      try (var all = Files.walk(over)) {
        all.filter(path -> spools.containsKey(path.getFileName().toString()))
            .forEach(path -> safe.addAll(spools.get(path.getFileName().toString())));
      }
      flushed.stream().filter(line -> !safe.contains(line)).forEach(perhaps::add);
      begin();
    }
  }
}
