package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class SlotsTest {

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  @TempDir Path base;

  private Slots of(String stream) {
    return new Slots(disk, base, "System.out of a test", stream, false, false, false);
  }

  private static void free(Slots slots) {
    SpoolLock lock = Objects.requireNonNull(slots.claimed()).takeClaim();
    Objects.requireNonNull(lock).close();
  }

  @Test
  void processesOfOneProgramThatRunAtOnceEachHaveTheirOwn() {
    Slots first = of("service");
    Slots second = of("service");
    LogIdentity ofFirst = first.claim();
    LogIdentity ofSecond = second.claim();
    assertThat(ofSecond).isNotEqualTo(ofFirst);
    assertThat(ofSecond.directoryKey()).isEqualTo(ofFirst.directoryKey());
    assertThat(of("another").claim().directoryKey()).isNotEqualTo(ofFirst.directoryKey());
    free(first);
    free(second);
  }

  @Test
  void theNextStartFindsWhatTheLastOneLeft() {
    Slots first = of("service");
    LogIdentity identity = first.claim();
    free(first);
    Slots next = of("service");
    assertThat(next.claim()).isEqualTo(identity);
    assertThat(Objects.requireNonNull(next.claimed()).isOf(identity)).isTrue();
    free(next);
  }

  @Test
  void whoKeepsWhatIsLeftTakesAnotherSlotAndSaysWhich() throws IOException {
    Slots first = of("service");
    first.claim();
    SpoolDirectory directory = Objects.requireNonNull(first.claimed());
    directory.createSpool(new SpoolLimits(1 << 20, 64 << 10)).close();
    free(first);
    Slots next = new Slots(disk, base, "System.out of a test", "service", false, true, false);
    next.claim();
    assertThat(Objects.requireNonNull(next.claimed()).path()).isNotEqualTo(directory.path());
    assertThat(next.left).containsExactly(directory.path());
    assertThat(directory.list(SpoolNames.SPOOL)).hasSize(1);
    free(next);
  }

  /** The name of an appender or of a working directory may hold anything. */
  @ParameterizedTest
  @ValueSource(strings = {"System.out of [a\nb]", "System.out of [a\0b]", "of [\uD800]"})
  void otherProcessesKnowTheProgramOfASpoolWhateverItIsCalled(String title) throws IOException {
    Slots slots = new Slots(disk, base, title, title, false, false, false);
    LogIdentity identity = slots.claim();
    SpoolDirectory claimed = Objects.requireNonNull(slots.claimed());
    Spool spool = claimed.createSpool(new SpoolLimits(1 << 20, 64 << 10));
    LogNote note = Objects.requireNonNull(claimed.note());
    assertThat(note.directoryKey()).isEqualTo(identity.directoryKey());
    assertThat(note.path()).startsWith(title.substring(0, 4));
    spool.close();
    free(slots);
  }

  @Test
  void theClaimIsHandedOverOnceAndIsTheShipLock() throws IOException {
    Slots slots = of("service");
    LogIdentity identity = slots.claim();
    SpoolDirectory again = SpoolDirectory.open(disk, base, identity);
    assertThat(again.tryShipLock()).as("held").isNull();
    SpoolDirectory claimed = Objects.requireNonNull(slots.claimed());
    SpoolLock lock = Objects.requireNonNull(claimed.takeClaim());
    assertThat(claimed.takeClaim()).isNull();
    lock.close();
    SpoolLock free = Objects.requireNonNull(again.tryShipLock());
    free.close();
  }

  @Test
  void withoutAPlaceEachHasAnIdentityThatNobodyElseGets() throws IOException {
    Files.delete(base);
    Slots slots = of("service");
    LogIdentity first = slots.claim();
    LogIdentity second = of("service").claim();
    assertThat(slots.claimed()).isNull();
    assertThat(Set.of(first, second)).hasSize(2);
    Files.createDirectory(base);
  }

  @Test
  void aSlotThatCannotBeLockedDoesNotEndTheSearch() {
    disk.affecting(path -> path.equals(SpoolNames.shipLock(path.resolveSibling(""))));
    disk.failOnce(FaultyDisk.Op.OPEN, 1, new IOException("Operation not permitted"));
    Slots slots = of("service");
    LogIdentity identity = slots.claim();
    assertThat(slots.claimed()).isNotNull();
    disk.heal();
    assertThat(identity).isNotEqualTo(of("service").claim());
    free(slots);
  }
}
