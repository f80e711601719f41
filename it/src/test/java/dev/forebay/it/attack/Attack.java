package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.OtherUser;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.Set;

/**
 * One thing that is done to an application that logs. A record of what was drawn for it; its text
 * stands in the report.
 */
interface Attack {

  /** What it is done to. Two of a scenario never meet in the same. */
  enum Target {
    LOG,
    SPOOL,
    THREADS
  }

  /** What an attack may cost, as documented: the faults of that kind are none then. */
  enum Cost {
    LOSES("lost|count"),
    DOUBLES("doubled|disordered|count"),
    TEARS("torn");

    private final String kinds;

    Cost(String kinds) {
      this.kinds = kinds;
    }

    boolean explains(String fault) {
      return fault.substring(0, fault.indexOf(':')).matches(kinds);
    }
  }

  Target target();

  /** What it may cost a process that ends like this. */
  default Set<Cost> costs(Scenario.End end) {
    return Set.of();
  }

  /** Before the process starts: where its log and its spool are. */
  default void arrange(Trial trial) throws Exception {}

  /** While the process logs; leaves everything as it was, unless that is the attack. */
  default void strike(Trial trial) throws Exception {}

  /** Any attack, with anything. */
  static Attack drawn(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> new Rotated(Scenario.pick(random, Rotated.How.values()), 1 + random.nextInt(8));
      case 1 -> new Blocked(500 + random.nextInt(3000));
      case 2 -> new Frozen(500 + random.nextInt(3000));
      case 3 -> new FullDisk(300 + random.nextInt(3000));
      case 4 -> new DirectoryMoved(200 + random.nextInt(3000));
      case 5 -> new SpoolGone(random.nextBoolean());
      case 6 ->
          new FilledTmpfs(
              Scenario.pick(random, "size=1m", "size=9m", "size=64m", "size=64m,nr_inodes=40"),
              random.nextBoolean(),
              500 + random.nextInt(3000),
              1 + random.nextInt(3));
      default -> new Interrupts();
    };
  }

  private static void pass(int ms) {
    Await.pass(Duration.ofMillis(ms));
  }

  /** One on the log. */
  interface OnLog extends Attack {

    @Override
    default Target target() {
      return Target.LOG;
    }
  }

  /** One on the spool. What that held is counted, unless nobody is left who can. */
  interface OnSpool extends Attack {

    @Override
    default Target target() {
      return Target.SPOOL;
    }

    @Override
    default Set<Cost> costs(Scenario.End end) {
      return end == Scenario.End.STOP ? Set.of() : Set.of(Cost.LOSES, Cost.TEARS);
    }
  }

  /** Others rotate the log. */
  record Rotated(Rotated.How how, int times) implements OnLog {

    enum How {
      MOVE,
      COPY_AND_TRUNCATE,
      REMOVE,
      /** As by an editor: a copy takes its place. */
      EDIT
    }

    @Override
    public Set<Cost> costs(Scenario.End end) {
      return how != How.MOVE
          ? Set.of(Cost.values())
          : end == Scenario.End.KILL ? Set.of(Cost.DOUBLES) : Set.of();
    }

    @Override
    public void strike(Trial trial) throws Exception {
      Path log = trial.log();
      for (int i = 0; i < times; i++) {
        pass(300);
        try {
          rotate(log, log.resolveSibling("app.log." + (i + 1)));
        } catch (NoSuchFileException e) {
          // not made anew yet
        }
      }
    }

    private void rotate(Path log, Path archive) throws IOException {
      switch (how) {
        case MOVE -> Files.move(log, archive);
        case REMOVE -> Files.delete(log);
        case EDIT -> {
          Path copy = log.resolveSibling(".copy");
          Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
          Files.move(copy, log, StandardCopyOption.REPLACE_EXISTING);
        }
        case COPY_AND_TRUNCATE -> {
          Files.copy(log, archive);
          FileChannel.open(log, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
              .close();
        }
      }
    }
  }

  /** Something stands at the log's name: it cannot be written. */
  record Blocked(int ms) implements OnLog {

    @Override
    public void strike(Trial trial) throws Exception {
      try {
        Files.move(trial.log(), trial.log().resolveSibling("app.log.1"));
        Files.createDirectory(trial.log());
      } catch (IOException e) {
        return; // the process has not made it yet, or was faster
      }
      pass(ms);
      Files.delete(trial.log());
    }
  }

  /** The log's disk takes nothing for a while. */
  record Frozen(int ms) implements OnLog {

    @Override
    public void arrange(Trial trial) throws Exception {
      trial.logOnDisk();
    }

    @Override
    public void strike(Trial trial) throws Exception {
      Mounted disk = trial.logDisk();
      disk.freeze();
      pass(ms);
      disk.thaw();
    }
  }

  /** The log's disk is full for a while. */
  record FullDisk(int ms) implements OnLog {

    @Override
    public void arrange(Trial trial) throws Exception {
      trial.logOnDisk();
    }

    @Override
    public void strike(Trial trial) throws Exception {
      Path filler = trial.logDisk().at().resolve("filler");
      Command.exitCode("sh", "-c", "cat /dev/zero > \"$1\"", "sh", filler.toString());
      pass(ms);
      Files.delete(filler);
    }
  }

  /** The log's directory is renamed while it is written, and comes back. */
  record DirectoryMoved(int ms) implements OnLog {

    @Override
    public void strike(Trial trial) throws Exception {
      Path directory = trial.log().getParent();
      Path aside = directory.resolveSibling("aside");
      Files.move(directory, aside);
      pass(ms);
      Files.createDirectories(directory);
      Path old = aside.resolve(trial.log().getFileName());
      if (Files.exists(old)) {
        Files.move(old, directory.resolve("app.log.1"));
      }
    }
  }

  /** The spool's directory is emptied or unmounted. */
  record SpoolGone(boolean unmounted) implements OnSpool {

    @Override
    public void arrange(Trial trial) throws Exception {
      if (unmounted) {
        trial.spoolInMemory("size=64m");
      }
    }

    @Override
    public void strike(Trial trial) throws Exception {
      pass(200);
      String spool = trial.spool().toString();
      if (unmounted) {
        Command.exitCode("umount", "-l", spool);
      } else {
        Command.exitCode("sh", "-c", "rm -rf \"$1\"/*", "sh", spool);
      }
      pass(1500);
    }
  }

  /** A user without rights fills the tmpfs on which the spool is, before the start or later. */
  record FilledTmpfs(String options, boolean before, int holdMs, int times) implements OnSpool {

    @Override
    public void arrange(Trial trial) throws Exception {
      OtherUser.assumePossible();
      trial.spoolInMemory(options);
      if (before) {
        fill(trial);
      }
    }

    private void fill(Trial trial) throws Exception {
      String fill =
          options.contains("nr_inodes")
              ? "i=0; while touch $1/filler$i; do i=$((i+1)); done"
              : "cat /dev/zero > $1/filler";
      Command.exitCode(
          OtherUser.STRANGER.command("sh", "-c", fill, "sh", trial.spool().toString()));
    }

    @Override
    public void strike(Trial trial) throws Exception {
      for (int i = 0; i < times; i++) {
        pass(200);
        fill(trial);
        pass(holdMs);
        Command.exitCode("sh", "-c", "rm -f \"$1\"/filler*", "sh", trial.spool().toString());
      }
    }
  }

  /** The application interrupts threads, those that log and ours; see {@link Trial}. */
  record Interrupts() implements Attack {

    @Override
    public Target target() {
      return Target.THREADS;
    }
  }
}
