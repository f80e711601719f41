package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.ModelStep.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.state.ActionChain;
import org.jspecify.annotations.Nullable;

/**
 * As {@link ShippingModelTest}, but up to three processes only spool, and two others ship for them,
 * in any order, while disks fail, records wait so long that their owners fill in, and each of them
 * is killed or ends. What an owner flushed is in the log once and in order. Its account never says
 * more than that, never less than before, and all of it once everything is shipped.
 */
@Tag("once")
class ApartModelTest {

  private static final int OWNERS = 3;
  private static final int SHIPPERS = 2;

  /** Of the try that runs; the chain makes it, and nobody else sees it when a step fails. */
  private static World world;

  private static World begin() {
    world = new World();
    return world;
  }

  @AfterTry
  void deleteScratch() throws IOException {
    if (world != null) {
      world.close();
      world = null;
    }
  }

  @Provide
  Arbitrary<ActionChain<World>> lives() {
    return ActionChain.startWith(ApartModelTest::begin)
        .withAction(4, step("log", 60, World::log))
        .withAction(2, step("append", 30, (world, n) -> world.owner(n).append(n)))
        .withAction(4, step("owner's turn", 12, (world, n) -> world.owner(n).turns(1 + n / 6)))
        .withAction(6, step("shipper's turn", 20, (world, n) -> world.shipper(n).turns(1 + n / 6)))
        .withAction(3, step("look", SHIPPERS, (world, n) -> world.shipper(n).look()))
        .withAction(2, step("move on", OWNERS, World::moveOn))
        .withAction(1, step("ask for a commit", OWNERS, World::requestCommit))
        .withAction(1, step("owner stops", OWNERS, (world, n) -> world.endOwner(n, true)))
        .withAction(1, step("owner dies", OWNERS, (world, n) -> world.endOwner(n, false)))
        .withAction(1, step("shipper stops", SHIPPERS, (world, n) -> world.endShipper(n, true)))
        .withAction(2, step("shipper dies", SHIPPERS, (world, n) -> world.endShipper(n, false)))
        .withAction(2, step("nobody ships for long", OWNERS, World::fillIn))
        .withAction(2, step("fill the disk", 300, World::fillDisk))
        .withAction(1, step("fail to force", 3, World::failForce))
        .withAction(2, step("fail to save", 4, World::failToSave))
        .withAction(2, step("fail", 60, World::failOnce))
        .withAction(3, step("heal", 1, (world, n) -> world.heal()))
        .withMaxTransformations(40);
  }

  @Property(seed = "1", tries = 600)
  void whatWasFlushedIsInTheLogOnceAndItsOwnerCountsIt(@ForAll("lives") ActionChain<World> life) {
    life.run().end();
  }

  private static final class World {

    private final Scratch scratch;
    private final ApartWorld apart;
    private final List<@Nullable ApartOwner> owners = new ArrayList<>();
    private final List<@Nullable ApartShipper> shippers = new ArrayList<>();

    World() {
      try {
        scratch = new Scratch();
        apart = new ApartWorld(scratch.path(), 3000);
        for (int i = 0; i < OWNERS; i++) {
          owners.add(null);
        }
        for (int i = 0; i < SHIPPERS; i++) {
          shippers.add(null);
        }
        owners.set(0, apart.owner());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Begins one if there is none at this place. */
    ApartOwner owner(int number) throws IOException {
      int at = number % OWNERS;
      ApartOwner known = owners.get(at);
      if (known == null) {
        known = apart.owner();
        owners.set(at, known);
      }
      return known;
    }

    ApartShipper shipper(int number) throws IOException {
      int at = number % SHIPPERS;
      ApartShipper known = shippers.get(at);
      if (known != null && known.shipping.isOver()) {
        known.stop();
        known = null;
      }
      if (known == null) {
        ApartOwner unused = owner(0); // there is a directory
        known = apart.shipper();
        shippers.set(at, known);
      }
      return known;
    }

    void log(int lines) throws IOException {
      owner(lines).log(lines);
    }

    /** What fails in that is for the tests of its place. */
    void moveOn(int number) throws IOException {
      owner(number).disk.heal();
      owner(number).moveOn();
    }

    void requestCommit(int number) throws IOException {
      owner(number).shipper.requestCommit();
    }

    void endOwner(int number, boolean politely) throws IOException {
      ApartOwner one = owner(number);
      owners.set(number % OWNERS, null);
      if (politely) {
        one.stop();
      } else {
        one.die();
      }
    }

    void endShipper(int number, boolean politely) throws IOException {
      ApartShipper one = shipper(number);
      shippers.set(number % SHIPPERS, null);
      if (politely) {
        one.stop();
      } else {
        one.die();
      }
    }

    void fillIn(int number) throws IOException {
      owner(number).turns(1);
      apart.pass(ApartWorld.PATIENCE_NS);
      owner(number).turns(3);
    }

    private List<FaultyDisk> disks() {
      List<FaultyDisk> all = new ArrayList<>();
      owners.forEach(one -> all.addAll(one == null ? List.of() : List.of(one.disk)));
      shippers.forEach(one -> all.addAll(one == null ? List.of() : List.of(one.disk)));
      return all;
    }

    void fillDisk(int bytes) {
      for (FaultyDisk disk : disks()) {
        disk.affecting(path -> path.toString().contains("app.log")).limitSpace(bytes);
      }
    }

    void failForce(int times) {
      for (FaultyDisk disk : disks()) {
        disk.affecting(path -> path.toString().contains("app.log"));
        for (int i = 1; i <= times; i++) {
          disk.failOnce(Op.FORCE, i, new IOException("EIO " + i));
        }
      }
    }

    /** Before it takes effect or after. */
    void failToSave(int number) {
      for (FaultyDisk disk : disks()) {
        disk.affecting(path -> path.endsWith("checkpoint"))
            .failOnce(number % 2 == 0 ? Op.WRITE : Op.WRITTEN, number, new IOException("no save"));
      }
    }

    /** Of one process, any call but those for its segments, which its writer makes. */
    void failOnce(int number) {
      List<FaultyDisk> all = disks();
      if (all.isEmpty()) {
        return;
      }
      all.get(number % all.size())
          .affecting(path -> !ShippingProcess.isSegment(path))
          .failOnce(null, number, new IOException("once"));
    }

    void heal() {
      disks().forEach(FaultyDisk::heal);
    }

    /** Lets all go on until everything is shipped; then nothing is left. */
    void end() {
      try {
        heal();
        if (shippers.get(1) != null) {
          endShipper(1, true);
        }
        ApartShipper last = shipper(0);
        List<ApartOwner> living = new ArrayList<>();
        for (ApartOwner one : owners) {
          if (one != null) {
            living.add(one.flush());
          }
        }
        while (!living.isEmpty()) {
          for (int i = 0; i < 30; i++) {
            last.turns(1);
            for (ApartOwner one : living) {
              one.flush().turns(1); // as the flusher does until all is shown
            }
          }
          ApartOwner ends = living.remove(0);
          if (living.isEmpty()) { // no other one is in its way
            apart.settle("the last one", last, List.of(ends));
          }
          assertThat(ends.account.lost).as(ends.name).isZero();
          ends.stop();
        }
        apart.drain("at the end");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Their locks are known by the numbers of files, which the next try may get. */
    void close() throws IOException {
      for (ApartOwner one : owners) {
        if (one != null) {
          one.die();
        }
      }
      for (ApartShipper one : shippers) {
        if (one != null) {
          one.die();
        }
      }
      scratch.close();
    }
  }
}
