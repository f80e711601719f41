package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.file.ShippingProcess;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.RandomDamage;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import org.jspecify.annotations.Nullable;

/**
 * Two damaged spools of which one shipper after the other copies a part, in turns, refuses records,
 * commits, fails to, and dies. Who has no lock sees in the checkpoint exactly how many of the
 * records before a position were lost, and how many of these were refused.
 */
@Tag("once")
class RecordsModelTest {

  private static final int RECORDS = 40;
  private static final int ONE_BYTES = 10;

  enum Kind {
    COPY,
    REFUSE,
    COMMIT,
    /** Nothing of it takes effect. */
    FAIL_TO_COMMIT,
    /** The destination has committed, and nobody but it knows. */
    FAIL_AFTER_COMMIT,
    FAIL_TO_SAVE,
    DIE,
    DIE_AFTER_COMMIT,
    DIE_AFTER_SAVE,
    CHANGE_SPOOL
  }

  record Step(Kind kind, int number) {}

  private World world;

  @Provide
  Arbitrary<List<RandomDamage>> damages() {
    return RandomDamage.few();
  }

  @Provide
  Arbitrary<List<Step>> lives() {
    Arbitrary<Kind> kinds =
        Arbitraries.oneOf(
            Arbitraries.of(Kind.COPY, Kind.COPY, Kind.REFUSE, Kind.COMMIT),
            Arbitraries.of(Kind.values()));
    return Combinators.combine(kinds, Arbitraries.integers().between(1, 9))
        .as(Step::new)
        .list()
        .ofMaxSize(60);
  }

  @AfterTry
  void deleteScratch() throws IOException {
    world.close();
  }

  @Property(seed = "1", tries = 400)
  void theCheckpointCountsWhatWasLostBeforeItsPositions(
      @ForAll boolean transactional,
      @ForAll("damages") List<RandomDamage> first,
      @ForAll("damages") List<RandomDamage> second,
      @ForAll("lives") List<Step> life)
      throws IOException {
    world = new World(transactional);
    world.addSpool(first);
    world.addSpool(second);
    world.begin();
    for (Step step : life) {
      world.run(step);
      world.check();
    }
  }

  private enum Fate {
    THERE,
    UNREADABLE,
    REFUSED
  }

  /** What is true of one spool, and what is said of it. */
  private static final class OneSpool {
    final Path path;
    final InstanceId instance;

    /** What has happened to its first records, for good. */
    final List<Fate> ends = new ArrayList<>();

    /** The same of those that follow, until the next commit. */
    final List<Fate> copied = new ArrayList<>();

    SpoolPosition saved;

    /** By a destination with transactions; otherwise its begin. */
    SpoolPosition kept;

    @Nullable Records records;

    OneSpool(Spool spool) {
      path = spool.path();
      instance = spool.instanceId();
      saved = SpoolPosition.beginOf(instance);
      kept = saved;
    }

    private static int count(List<Fate> fates, Fate wanted) {
      return (int) fates.stream().filter(fate -> fate == wanted).count();
    }

    SpoolPosition position(List<Fate> fates) {
      int refused = count(fates, Fate.REFUSED);
      int lost = count(fates, Fate.UNREADABLE) + refused;
      return new SpoolPosition(instance, fates.size(), lost, refused);
    }

    void copied(Fate fate, long count) {
      for (int i = 0; i < count; i++) {
        copied.add(fate);
      }
    }

    void commit() {
      ends.addAll(copied);
      copied.clear();
    }
  }

  private static final class World implements ShippingListener {
    private final Scratch scratch = new Scratch();
    private final FaultyDisk disk = ShippingProcess.unforced();
    private final boolean transactional;
    private final SpoolDirectory directory;
    private final List<OneSpool> spools = new ArrayList<>();
    private final RecordBatch batch = new RecordBatch(1 << 16);
    private ShipLease lease;
    private OneSpool current;

    World(boolean transactional) throws IOException {
      this.transactional = transactional;
      this.directory =
          SpoolDirectory.open(disk, scratch.path(), LogIdentity.of(disk, Path.of("/app.log")));
    }

    /** Of a process that is dead, and was damaged then. */
    void addSpool(List<RandomDamage> damages) throws IOException {
      try (Spool spool = directory.createSpool(ShippingProcess.LIMITS)) {
        ShippingProcess.write(spool, ShippingProcess.lines("line", RECORDS));
        spools.add(new OneSpool(spool));
      }
      OneSpool one = spools.get(spools.size() - 1);
      damages.forEach(damage -> damage.applyTo(one.path));
      current = one;
    }

    /** A process that ships, from the spool on that the last one had. */
    void begin() throws IOException {
      lease = new ShipLease(directory, true);
      assertThat(lease.take(true, false)).isTrue();
      for (OneSpool one : spools) {
        RecordSource orphan = directory.adopt(one.path); // null if its version is damaged
        one.records = orphan == null ? null : new Records(lease, orphan, null, 0, this);
      }
      take();
    }

    private void take() throws IOException {
      if (current.records != null && transactional) {
        current.records.restart(current.kept);
      } else if (current.records != null) {
        current.records.restart();
      }
    }

    void close() throws IOException {
      die();
      scratch.close();
    }

    private void die() {
      for (OneSpool one : spools) {
        one.copied.clear();
        if (one.records != null) {
          one.records.leave();
        }
      }
      lease.progress.close();
      lease.release();
    }

    void run(Step step) throws IOException {
      Records records = current.records;
      if (records == null || step.kind == Kind.CHANGE_SPOOL) {
        if (records != null) {
          commit(records); // as it is suspended for the other
        }
        current = spools.get(1 - spools.indexOf(current));
        take();
        return;
      }
      switch (step.kind) {
        case COPY, REFUSE -> copy(records, step);
        case COMMIT -> commit(records);
        case FAIL_TO_COMMIT -> lose();
        case FAIL_AFTER_COMMIT -> {
          if (transactional) {
            commitAtDestination(records);
          }
          lose();
        }
        case FAIL_TO_SAVE -> failToSave(records);
        case DIE -> restart();
        case DIE_AFTER_COMMIT -> {
          if (transactional) {
            commitAtDestination(records);
          }
          restart();
        }
        default -> {
          commitAtDestination(records);
          save(records);
          restart();
        }
      }
    }

    private void copy(Records records, Step step) throws IOException {
      long before = records.appended();
      while (records.skip(batch, (long) step.number * ONE_BYTES)) {
        current.copied(Fate.UNREADABLE, records.appended() - before);
        before = records.appended();
      }
      if (batch.count() == 0) {
        return;
      }
      if (step.kind == Kind.REFUSE) {
        records.refuse();
        current.copied(Fate.REFUSED, 1);
        records.seek(records.appended());
      } else {
        records.append(batch.nextSequence());
        current.copied(Fate.THERE, batch.count());
      }
    }

    private void commitAtDestination(Records records) {
      if (transactional) {
        current.kept = records.position();
      }
      current.commit();
    }

    private void save(Records records) throws IOException {
      records.save();
      current.saved = current.position(current.ends);
    }

    private void commit(Records records) throws IOException {
      commitAtDestination(records);
      save(records);
      records.commit();
    }

    /**
     * Without transactions nothing is final then, and all since the last commit is copied again.
     */
    private void failToSave(Records records) throws IOException {
      if (transactional) {
        commitAtDestination(records);
      }
      disk.affecting(path -> path.endsWith(CheckpointFile.NAME))
          .failOnce(FaultyDisk.Op.WRITE, 1, new IOException("no"));
      assertThatThrownBy(records::save).hasMessage("no");
      disk.heal();
      lose();
    }

    private void lose() throws IOException {
      current.copied.clear();
      take();
    }

    private void restart() throws IOException {
      die();
      begin();
    }

    void check() throws IOException {
      CheckpointView seen = CheckpointView.of(disk, directory.path());
      for (OneSpool one : spools) {
        assertThat(seen.position(one.instance)).isEqualTo(one.saved);
      }
      List<Fate> all = new ArrayList<>(current.ends);
      all.addAll(current.copied);
      if (current.records != null) {
        assertThat(current.records.position()).isEqualTo(current.position(all));
      }
    }
  }
}
