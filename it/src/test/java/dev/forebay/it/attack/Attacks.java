package dev.forebay.it.attack;

import dev.forebay.host.Await;
import java.time.Duration;
import java.util.Random;

/** Draws an attack, and what many of them need. */
final class Attacks {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  private Attacks() {}

  /** Any attack, with anything. */
  static Attack drawn(Random random) {
    return switch (random.nextInt(22)) {
      case 0, 1 -> Recursion.drawn(random);
      case 2, 3, 4 ->
          new MemoryAttacks.DirectMemory(1 + random.nextInt(10), 100 + random.nextInt(3000));
      case 5, 6 -> SpoolAttacks.FilledTmpfs.drawn(random);
      case 7 ->
          new SpoolAttacks.SpoolGone(
              Scenario.pick(random, SpoolAttacks.SpoolGone.How.values()),
              Scenario.pick(random, "8m", "64m"));
      case 8 ->
          new LogAttacks.ForeignWriter(
              Scenario.pick(random, 20, 100, 200, 1000, 10_000), 2 + random.nextInt(5));
      case 9 ->
          new LogAttacks.Rotated(
              Scenario.pick(random, LogAttacks.Rotated.How.values()), 1 + random.nextInt(8));
      case 10 -> new LogAttacks.Blocked(500 + random.nextInt(4000));
      case 11 -> new LogAttacks.Frozen(500 + random.nextInt(4000));
      case 12 -> new Junk(random.nextLong(), random.nextBoolean());
      case 13 -> new LifeAttacks.SecondAppender();
      case 14 ->
          random.nextBoolean()
              ? new LifeAttacks.Restarts(1 + random.nextInt(10), random.nextInt(300))
              : new LifeAttacks.Reconfigurations(1 + random.nextInt(6), random.nextInt(300));
      case 15 -> new MemoryAttacks.HeapHog(64 + random.nextInt(96), 500 + random.nextInt(2000));
      case 16 -> new LogAttacks.FullDisk(300 + random.nextInt(3000));
      case 17 -> new LogAttacks.DirectoryMoved(200 + random.nextInt(3000));
      case 18, 19 -> new LifeAttacks.InterruptedAgents(random.nextLong());
      case 20 -> new SpoolAttacks.LocksRemoved(1 + random.nextInt(10));
      default ->
          random.nextBoolean()
              ? new LifeAttacks.SecondProcess()
              : new LifeAttacks.Interrupts(random.nextLong());
    };
  }

  /** While nothing of the log is touched, something must get into it. */
  static void requireDelivery(Life victim, String during) throws Exception {
    long before = victim.tally().account().delivered();
    if (!Await.within(
        PATIENCE, () -> !victim.isAlive() || victim.tally().account().delivered() > before)) {
      throw new AssertionError("silenced: nothing delivered for 20 s during " + during);
    }
  }

  static void pass(int ms) {
    Await.pass(Duration.ofMillis(ms));
  }
}
