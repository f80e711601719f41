package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.tiered.checkpoint.Checkpoint.Anchor;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.Checkpoint.State;
import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What others may put at the names by which owners and shippers know of each other. */
@Tag("once")
class ApartPlantedTest {

  @TempDir Path directory;

  private ApartWorld world;

  enum Planted {
    LINK,
    SECOND_NAME,
    DIRECTORY,
    FULL_DIRECTORY,
    PIPE,
    FOR_OTHERS;

    void putAt(Path path) throws IOException {
      boolean isThere = Files.exists(path);
      switch (this) {
        case SECOND_NAME -> Files.createLink(path.resolveSibling("x"), isThere ? path : file(path));
        case FOR_OTHERS ->
            Files.setPosixFilePermissions(
                isThere ? path : file(path), PosixFilePermissions.fromString("rw-r--rwx"));
        default -> {
          Files.deleteIfExists(path);
          Stranger.valueOf(name()).putAt(path);
        }
      }
    }

    private static Path file(Path path) throws IOException {
      return Files.writeString(path, "");
    }
  }

  @BeforeEach
  void begin() throws IOException {
    world = new ApartWorld(directory, 1 << 20);
  }

  private static void requireOne(List<String> warnings, String of) {
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0)).contains(of);
  }

  @ParameterizedTest
  @EnumSource(
      value = Planted.class,
      names = {"LINK", "SECOND_NAME", "DIRECTORY", "FULL_DIRECTORY", "PIPE"})
  void aHeadThatIsNotOursIsNotOpenedAndOtherSpoolsAreShipped(Planted planted) throws IOException {
    ApartOwner one = world.owner().log(3);
    ApartOwner other = world.owner().log(3);
    Path head = one.spool.path().resolve("head");
    planted.putAt(head);
    ApartShipper shipper = world.shipper();
    shipper.disk.affecting(path -> path.equals(head));
    for (int i = 0; i < 8; i++) {
      shipper.look().turns(1);
    }
    other.turns(1);

    assertThat(shipper.disk.calls(Op.OPEN)).isZero();
    requireOne(shipper.account.warnings, head.toString());
    assertThat(other.account.committed).isEqualTo(3);
    assertThat(one.turns(1).account.committed).isZero();
    one.die();
    other.die();
  }

  /** A volume with an {@code fsGroup} gets them each time a pod starts. */
  @Test
  void rightsOfOthersToAHeadAreTakenBack() throws IOException {
    ApartOwner owner = world.owner().log(3);
    Planted.FOR_OTHERS.putAt(owner.spool.path().resolve("head"));
    world.settle("with its rights", world.shipper(), List.of(owner));
    owner.stop();
    world.drain("at the end");
  }

  @ParameterizedTest
  @EnumSource(
      value = Planted.class,
      names = {"LINK", "SECOND_NAME", "DIRECTORY", "PIPE"})
  void aLockThatIsNotOursStopsNoOtherSpool(Planted planted) throws IOException {
    ApartOwner one = world.owner().log(3);
    ApartOwner other = world.owner().log(3);
    ApartShipper shipper = world.shipper().turns(1);
    planted.putAt(one.spool.path().resolve("lock"));
    for (int i = 0; i < 8; i++) {
      shipper.look().turns(1);
    }
    other.turns(1);
    assertThat(other.account.committed).isEqualTo(3);
    assertThat(shipper.account.failures).isEmpty();
    assertThat(shipper.account.warnings)
        .hasSizeLessThanOrEqualTo(2)
        .allMatch(w -> w.contains("lock") || w.contains("owner"));
    one.die();
    other.die();
  }

  @ParameterizedTest
  @EnumSource(
      value = Planted.class,
      names = {"LINK", "SECOND_NAME", "DIRECTORY", "FULL_DIRECTORY", "PIPE"})
  void whoFillsInShipsOnWhereWaitingCannotBeShown(Planted planted) throws IOException {
    ApartOwner owner = world.owner().log(3).turns(1);
    world.pass(ApartWorld.PATIENCE_NS);
    owner.turns(4);
    assertThat(owner.ships()).isTrue();
    planted.putAt(owner.spools.path().resolve("next.lock"));
    int before = owner.account.warnings.size();
    ApartShipper waiting = world.shipper();
    for (int i = 0; i < 6; i++) {
      waiting.turns(1);
      owner.log(1).turns(1);
    }
    owner.turns(20); // a scan reports it
    assertThat(owner.ships()).isTrue();
    assertThat(owner.inFlight()).isZero();
    assertThat(owner.account.warnings).hasSize(before + 1);
    assertThat(waiting.account.failures).isEmpty();
    requireOne(waiting.account.warnings, "next.lock");
    owner.die();
    waiting.turns(8);
    assertThat(world.linesOf(owner)).isEqualTo(owner.flushed);
  }

  @ParameterizedTest
  @EnumSource(
      value = Planted.class,
      names = {"LINK", "DIRECTORY", "FULL_DIRECTORY", "PIPE"})
  void aNoteThatIsNotOursIsNeitherBelievedNorInTheWay(Planted planted) throws IOException {
    ApartOwner owner = world.owner().log(3);
    planted.putAt(owner.spools.path().resolve("shipper"));
    ApartShipper shipper = world.shipper();
    owner.turns(2);
    assertThat(owner.account.failures).isEmpty();
    world.settle("shipped", shipper, List.of(owner));
    assertThat(shipper.account.warnings).hasSizeLessThanOrEqualTo(1);
    assertThat(shipper.account.failures).isEmpty();
  }

  @Test
  void anOwnerCountsNoMoreThanItWroteWhateverTheCheckpointSays() throws IOException {
    ApartOwner owner = world.owner().log(3);
    try (CheckpointFile planted = new CheckpointFile(owner.spools, false)) {
      SpoolPosition far = new SpoolPosition(owner.spool.instanceId(), 1000, 0, 0);
      planted.save(far, owner.spools, State.BOUNDARY, Position.NOWHERE, Anchor.NONE);
    }
    assertThat(owner.follower.doWork()).isEqualTo(1);
    assertThat(owner.account.committed).isEqualTo(3);
    owner.die();
  }

  /** Its writer notices and goes on elsewhere; what was there is counted. */
  @Test
  void aDirectoryThatVanishesEndsItsShippingAndItsOwnerCountsTheLoss() throws IOException {
    ApartOwner owner = world.owner().log(3);
    ApartShipper shipper = world.shipper();
    world.settle("before", shipper, List.of(owner));
    owner.log(2);
    FileTree.delete(owner.spools.path());
    shipper.look().turns(30);
    assertThat(shipper.shipping.isOver()).isTrue();
    assertThat(shipper.account.failures).isEmpty();
    assertThat(shipper.account.warnings).hasSizeLessThanOrEqualTo(1);

    owner.queue.retire(owner.spools, owner.spool);
    owner.turns(1);
    world.pass(ApartWorld.PATIENCE_NS);
    owner.turns(6);
    assertThat(owner.inFlight()).isZero();
    assertThat(owner.account.committed).isBetween(3L, 5L);
    assertThat(owner.account.warnings)
        .as("that it ships, and what it found")
        .hasSizeLessThanOrEqualTo(2)
        .anyMatch(w -> w.contains("was removed"));
  }
}
