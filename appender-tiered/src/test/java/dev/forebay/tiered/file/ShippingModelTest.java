package dev.forebay.tiered.file;

import static dev.forebay.tiered.disk.FaultyDisk.Op.WRITE;
import static dev.forebay.tiered.file.ModelStep.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.state.ActionChain;
import org.jspecify.annotations.Nullable;

/**
 * Processes that write, ship, stop and die in any order, on a log that fills up, is rolled and
 * fails to be forced. The model is a list: what was flushed to a spool is in the log exactly once,
 * in the order of the processes; what was flushed to one in the heap at most once. Beside them
 * lives another process, which spools while they ship, ships while they do not, and ends: its lines
 * are in the log exactly once too, each after those it logged before.
 */
@Tag("once")
class ShippingModelTest {

  /** Of the try that runs; the chain makes it, and nobody else sees it when a step fails. */
  private static World world;

  private static World begin() {
    world = new World();
    return world;
  }

  @AfterTry
  void deleteScratch() throws IOException {
    if (world != null) {
      world.scratch.close();
      world = null;
    }
  }

  @Provide
  Arbitrary<ActionChain<World>> lives() {
    return ActionChain.startWith(ShippingModelTest::begin)
        .withAction(5, step("append", 40, World::append))
        .withAction(4, step("flush", 1, (world, n) -> world.flush()))
        .withAction(5, step("ship", 5, World::ship))
        .withAction(2, step("commit", 1, (world, n) -> world.process.shipper.requestCommit()))
        .withAction(2, step("roll", 1, (world, n) -> world.roll()))
        .withAction(2, step("fill the disk", 200, World::fillDisk))
        .withAction(1, step("fail to force", 3, World::failForce))
        .withAction(3, step("heal the disk", 1, (world, n) -> world.disk.heal()))
        .withAction(1, step("another spool", 1, (world, n) -> world.changeSpool()))
        .withAction(1, step("fill the spool's disk", 1, (world, n) -> world.moveToHeap()))
        .withAction(2, step("die", 1, (world, n) -> world.die()))
        .withAction(1, step("stop", 1, (world, n) -> world.stop()))
        .withAction(3, step("the other appends", 20, World::appendAsTheOther))
        .withAction(1, step("the other ships", 3, World::shipAsTheOther))
        .withAction(1, step("the other dies", 1, (world, n) -> world.endTheOther(false)))
        .withAction(1, step("the other stops", 1, (world, n) -> world.endTheOther(true)))
        .withMaxTransformations(30);
  }

  @Property(seed = "1")
  void whatWasFlushedIsInTheLogOnceAndInOrder(@ForAll("lives") ActionChain<World> life) {
    life.run().end();
  }

  private static boolean isOfOthers(String line) {
    return line.startsWith("other ");
  }

  /** The process that lives now, what it and others left, and the lists that cannot fail. */
  private static final class World {
    /** Longer than a process that ships waits before it looks again for what others left. */
    private static final long UNTIL_THE_NEXT_LOOK_NS = 11_000 * ShippingProcess.MS;

    private final Scratch scratch;
    private final FaultyDisk disk = ShippingProcess.unforced();

    /** All lines that are in files of spools, and of the spool in use those that are not. */
    private final List<String> flushed = new ArrayList<>();

    private final List<String> appended = new ArrayList<>();
    private long published;

    /** Lines that were in the heap when their process ended, shipped or not. */
    private final Set<String> volatileLines = new HashSet<>();

    private boolean inHeap;
    private int next;
    private ShippingProcess process;
    private Spool spool;
    private long flushedByProcess;

    private final List<String> ofOthers = new ArrayList<>();

    private @Nullable ShippingProcess other;
    private @Nullable Spool otherSpool;

    World() {
      try {
        scratch = new Scratch();
        begin();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private ShippingProcess newProcess() throws IOException {
      FileLog log = new FileLog(disk, scratch.directory("log"), 3000);
      return new ShippingProcess(disk, scratch.directory("shm"), log, ShippingProcess.EVERY_SECOND);
    }

    private void begin() throws IOException {
      process = newProcess();
      spool = process.spool();
      appended.clear();
      inHeap = false;
      published = 0;
      flushedByProcess = 0;
    }

    void append(int lines) {
      for (int i = 0; i < lines; i++) {
        String line = "line " + next + " " + "x".repeat(next * 7 % 50);
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        if (spool.writer().append(bytes, 0, bytes.length, next % 5) != SpoolWriter.Outcome.ADDED) {
          return; // full: nobody ships
        }
        appended.add(line);
        next++;
      }
    }

    void flush() throws IOException {
      spool.writer().flush();
      note();
      assertThat(appended).isEmpty();
    }

    /** A full segment is written without being flushed. */
    private void note() {
      int fresh = (int) (spool.publishedSequence() - published);
      published += fresh;
      flushedByProcess += fresh;
      List<String> written = appended.subList(0, fresh);
      if (inHeap) {
        volatileLines.addAll(written);
      } else {
        flushed.addAll(written);
      }
      written.clear();
    }

    void ship(int turns) throws IOException {
      process.turns(turns);
      note();
      assertThat(process.account.committed).isLessThanOrEqualTo(flushedByProcess);
      assertThat(process.account.lost).isZero();
    }

    void fillDisk(int bytes) {
      disk.affecting(path -> path.toString().contains("app.log")).limitSpace(bytes);
    }

    void failForce(int times) {
      disk.affecting(path -> path.toString().contains("app.log"));
      for (int i = 1; i <= times; i++) {
        disk.failOnce(FaultyDisk.Op.FORCE, i, new IOException("EIO " + i));
      }
    }

    void roll() {
      process.log.wantRoll();
    }

    void changeSpool() throws IOException {
      flush();
      process.retire(spool);
      spool = process.spool();
      inHeap = false;
      published = 0;
    }

    /** What is appended and not flushed goes along. */
    void moveToHeap() throws IOException {
      disk.affecting(path -> path.toString().contains("/shm")).failFrom(WRITE, 1, IOException::new);
      Spool next = process.replace(spool, true);
      disk.heal();
      note();
      spool = next;
      inHeap = true;
      published = 0;
      note();
    }

    /** What was appended and not flushed dies with the process. */
    void die() throws IOException {
      note();
      process.die();
      begin();
    }

    void stop() throws IOException {
      flush();
      process.retire(spool);
      process.stop();
      begin();
    }

    void appendAsTheOther(int lines) throws IOException {
      if (other == null) {
        other = newProcess();
        otherSpool = other.spool();
      }
      List<String> more = new ArrayList<>();
      for (int i = 0; i < lines; i++, next++) {
        more.add("other " + next + " " + "x".repeat(next * 7 % 50));
      }
      ShippingProcess.write(otherSpool, more);
      ofOthers.addAll(more);
    }

    /** As far as nobody else does. */
    void shipAsTheOther(int turns) {
      if (other != null) {
        other.turns(turns);
        assertThat(other.account.lost).isZero();
      }
    }

    void endTheOther(boolean politely) {
      if (other != null && politely) {
        other.retire(otherSpool);
        other.stop();
      } else if (other != null) {
        other.die();
      }
      other = null;
      process.pass(UNTIL_THE_NEXT_LOOK_NS);
    }

    /** Of what dies with its process half a line may be left, with an end. */
    private boolean isVolatile(String line) {
      return volatileLines.contains(line)
          || (!flushed.contains(line)
              && volatileLines.stream().anyMatch(whole -> whole.startsWith(line)));
    }

    /** Two healthy lives; the second finds nothing left. */
    void end() {
      try {
        disk.heal();
        endTheOther(false);
        for (int i = 0; i < 2; i++) {
          flush();
          process.turns(8);
          process.retire(spool);
          assertThat(process.stop()).isTrue();
          assertThat(process.account.committed).isEqualTo(flushedByProcess);
          assertThat(process.account.warnings).noneMatch(warning -> warning.contains("duplicated"));
          begin();
        }
        process.die();
        List<String> records = process.records();
        assertThat(records).doesNotHaveDuplicates();
        List<String> durable = records.stream().filter(line -> !isVolatile(line)).toList();
        assertThat(durable.stream().filter(line -> !isOfOthers(line))).isEqualTo(flushed);
        assertThat(durable.stream().filter(ShippingModelTest::isOfOthers)).isEqualTo(ofOthers);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
