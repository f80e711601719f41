package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.overflow.MovableSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of spools in two directories when one of these, or a spool in it, cannot be used.
 */
@Tag("once")
class OverflowFaultsTest extends ShippingRig {

  private Path over() throws IOException {
    return Files.createDirectories(directory.resolve("over"));
  }

  private Spool orphan(String... lines) throws IOException {
    ShippingProcess dead = process();
    Spool left = dead.spoolOf(List.of(lines));
    dead.die();
    return left;
  }

  /** As a kill leaves it between publishing and deleting. */
  private void copy(Spool original, SpoolDirectory to) throws IOException {
    Path copy = Files.createDirectory(to.path().resolve(original.path().getFileName()));
    Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(original.path()));
    try (Stream<Path> files = Files.list(original.path())) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** By the other process that used it, perhaps, or by hand. */
  @Test
  void aDirectoryThatIsRemovedDoesNotKeepOrphansInTheOtherFromTheLog() throws IOException {
    orphan("dead 0");
    orphan("dead 1");
    ShippingProcess process = process();
    SpoolDirectory gone = process.open(over());
    process.queue.addOverflow(gone);
    process.spoolOf(List.of("own"));
    FileTree.delete(gone.path());
    process.turns(12);

    assertThat(process.log.records()).containsExactly("dead 0", "dead 1", "own");
    assertThat(process.account.warnings).isEmpty();
  }

  /** Its process is killed between the looks into the one and into the other, or a lock fails. */
  @Test
  void aCopyIsNotShippedWhileItsOriginalCannotBeTakenOver() throws IOException {
    Spool original = orphan("dead 0", "dead 1");
    ShippingProcess process = process();
    SpoolDirectory over = process.open(over());
    copy(original, over);
    process.spoolOf(List.of("own"));
    process.queue.addOverflow(over);
    disk.affecting(path -> path.startsWith(original.path())).failOnce(Op.OPEN, 1, no());
    process.turns(4);
    process.pass(20_000 * MS);
    process.turns(12);

    assertThat(process.log.records()).containsExactly("dead 0", "dead 1", "own");
  }

  /** A spool of this process that waits behind nothing, with one after it. */
  private MovableSpool waiting(SpoolDirectory home) throws IOException {
    Spool first = home.createSpool(ShippingProcess.LIMITS);
    MovableSpool movable = new MovableSpool(first);
    process.queue.add(home, movable);
    ShippingProcess.write(first, List.of("a", "b"));
    first.endWriting();
    process.queue.retireToNext(home, movable);
    Spool next = home.createNext(first);
    process.queue.add(home, next);
    ShippingProcess.write(next, List.of("c"));
    return movable;
  }

  private void requireShippedOnce() throws IOException {
    process.turns(12);
    assertThat(process.log.records()).containsExactly("a", "b", "c");
    process.die();
    assertThat(process().recover().log.records()).containsExactly("a", "b", "c");
    try (Stream<Path> left = Files.walk(over())) {
      assertThat(left.filter(path -> !Files.isDirectory(path))).isEmpty();
    }
  }

  /** The answer to the rename got lost, and then the disk answers nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCopyThatIsPerhapsPublishedIsNeitherForgottenNorShippedTwice(boolean isPublished)
      throws IOException {
    process = process();
    SpoolDirectory over = process.open(over());
    MovableSpool movable = waiting(process.open(process.base));
    Path visible = over.path().resolve(movable.path().getFileName());
    String name = visible.getFileName().toString();
    disk.affecting(path -> path.startsWith(over.path()))
        .before(
            Op.MOVE,
            1,
            () -> {
              if (isPublished) {
                Files.move(visible.resolveSibling(name.replace("spool-", "new-")), visible);
              }
              disk.failOnce(Op.STAT, 1, no());
              throw no();
            });
    assertThatThrownBy(() -> movable.moveTo(over, () -> true)).hasMessage("no");
    disk.heal();
    process.turns(2);
    assertThat(process.log.records()).isEmpty();

    assertThat(movable.isMoving()).isTrue();
    assertThat(movable.moveTo(over, () -> true)).isEqualTo(isPublished);
    requireShippedOnce();
  }

  @Test
  void aCopyThatIsRemovedBeforeItsOriginalIsDeletedDoesNotHoldUpTheLog() throws IOException {
    process = process();
    SpoolDirectory over = process.open(over());
    MovableSpool movable = waiting(process.open(process.base));
    disk.affecting(path -> path.equals(movable.path())).failOnce(Op.MOVE, 1, no());
    assertThatThrownBy(() -> movable.moveTo(over, () -> true)).hasMessage("no");
    FileTree.delete(over.path().resolve(movable.path().getFileName()));
    assertThatThrownBy(() -> movable.moveTo(over, () -> true))
        .isInstanceOf(NoSuchFileException.class);
    requireShippedOnce();
  }

  /** A path to a network disk that is switched over, for example. */
  @Test
  void whatOverflowedIsReadOnceItsDiskWorksAgain() throws IOException {
    process = process();
    SpoolDirectory over = process.open(over());
    MovableSpool movable = waiting(process.open(process.base));
    assertThat(movable.moveTo(over, () -> true)).isTrue();
    disk.affecting(path -> path.startsWith(movable.path())) // and what is cached can be read
        .from(
            1,
            () -> {
              throw no();
            });
    process.turns(40);
    disk.heal();
    requireShippedOnce();
  }

  /** What is older would come last, and what ends the log would be written again. */
  @Test
  void whatOverflowedIsWaitedForIfItCannotBeLockedAtOnce() throws IOException {
    lockBeyond().failOnce(Op.OPEN, 1, no());
    process.turns(6);

    assertThat(process.log.records()).containsExactly("a", "b", "own");
  }

  @Test
  void whatCanNeverBeLockedIsNotWaitedForForGood() throws IOException {
    lockBeyond().failFrom(Op.OPEN, 1, ShippingRig::no);
    process.turns(60);

    assertThat(process.log.records()).containsExactly("own");
  }

  /** That of a directory in which a dead process has left a spool, for one that now logs. */
  private FaultyDisk lockBeyond() throws IOException {
    ShippingProcess dead = process();
    Spool left = dead.open(over()).createSpool(ShippingProcess.LIMITS);
    ShippingProcess.write(left, List.of("a", "b"));
    left.close();
    dead.die();
    process = process();
    SpoolDirectory over = process.open(over());
    process.queue.addOverflow(over);
    process.spoolOf(List.of("own"));
    return disk.affecting(path -> path.equals(over.path().resolve("ship.lock")));
  }
}
