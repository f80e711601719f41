package dev.forebay.it.attack;

import dev.forebay.host.Command;
import dev.forebay.it.support.OtherUser;
import java.util.Random;

/** Attacks on the place where the spool is. */
final class SpoolAttacks {

  private SpoolAttacks() {}

  /** The spool's directory goes away, was never there, or has another mode. */
  @Attack.On(Attack.Target.SPOOL)
  record SpoolGone(SpoolGone.How how, String size) implements Attack {

    enum How {
      REMOVED,
      UNMOUNTED,
      MISSING,
      MODE
    }

    @Override
    public boolean removesLocks() {
      return how == How.REMOVED;
    }

    @Override
    public void arrange(Field field) throws Exception {
      switch (how) {
        case UNMOUNTED -> field.memory("size=" + size);
        case MISSING -> field.spool(field.root().resolve("missing"));
        default -> {}
      }
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      Attacks.pass(200);
      String spool = field.spool().toString();
      switch (how) {
        case REMOVED -> Command.exitCode("sh", "-c", "rm -rf \"$1\"/*", "sh", spool);
        case UNMOUNTED -> Command.exitCode("umount", "-l", spool);
        case MODE -> {
          Command.exitCode("chmod", "-R", "000", spool);
          Attacks.pass(1000);
          Command.exitCode("chmod", "-R", "0777", spool);
        }
        default -> {}
      }
      Attacks.pass(1500);
    }
  }

  /** A user without rights fills the tmpfs on which the spool is. */
  @Attack.On(Attack.Target.SPOOL)
  record FilledTmpfs(String options, String fill, boolean before, int holdMs, int times)
      implements Attack {

    static FilledTmpfs drawn(Random random) {
      boolean inodes = random.nextInt(4) == 0;
      return new FilledTmpfs(
          inodes
              ? "size=64m,nr_inodes=" + Scenario.pick(random, 20, 40, 100)
              : "size=" + Scenario.pick(random, 1, 4, 9, 16, 64) + "m",
          inodes
              ? "i=0; while touch $1/filler$i; do i=$((i+1)); done"
              : "cat /dev/zero > $1/filler",
          random.nextBoolean(),
          500 + random.nextInt(4000),
          1 + random.nextInt(3));
    }

    @Override
    public void arrange(Field field) throws Exception {
      OtherUser.assumePossible();
      field.memory(options);
      if (before) {
        fill(field);
      }
    }

    private void fill(Field field) throws Exception {
      Command.exitCode(
          OtherUser.STRANGER.command("sh", "-c", fill, "sh", field.spool().toString()));
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      for (int i = 0; i < times; i++) {
        Attacks.pass(200);
        fill(field);
        try {
          Attacks.pass(holdMs);
          if (field.isUntouched(Attack.Target.LOG)) {
            Attacks.requireDelivery(victim, "a full tmpfs");
          }
        } finally {
          Command.exitCode("sh", "-c", "rm -f \"$1\"/filler*", "sh", field.spool().toString());
        }
      }
    }

    @Override
    public String toString() {
      return "FilledTmpfs[%s, %s, %d ms, %d times]"
          .formatted(options, before ? "before" : "during", holdMs, times);
    }
  }

  /** Somebody cleans up the locks. */
  @Attack.On(Attack.Target.PROCESSES) // with a second shipper both would ship, and a WARN says so
  record LocksRemoved(int times) implements Attack {
    @Override
    public void outside(Field field, Life victim) throws Exception {
      for (int i = 0; i < times; i++) {
        Attacks.pass(200);
        Command.exitCode(
            "find", field.spool().toString(), "-name", "ship.lock*", "-type", "f", "-delete");
      }
    }
  }
}
