package dev.forebay.it.attack;

import dev.forebay.host.Command;
import dev.forebay.it.support.Mounted;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** What others do to the log. */
final class LogAttacks {

  private LogAttacks() {}

  /** Others append to the log, a line each. */
  @Attack.On(Attack.Target.LOG)
  record ForeignWriter(int everyUs, int seconds) implements Attack {

    private static final String SCRIPT =
        """
        use Time::HiRes qw(usleep time); use Fcntl; my ($log, $us, $s) = @ARGV; my $end = time + $s;
        usleep(10_000) until -e $log || time > $end;
        sysopen(my $out, $log, O_WRONLY | O_APPEND) or exit;
        for (my $i = 0; time < $end; $i++) { syswrite($out, "theirs $i\\n"); usleep($us); }
        """;

    @Override
    public void arrange(Field field) {
      if (field.scenario().end() == Scenario.End.KILL) {
        field.allow(Judge.DOUBLES); // at most a fsync interval, with a WARN
      }
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      Process writer =
          new ProcessBuilder(
                  "perl", "-e", SCRIPT, field.log().toString(), "" + everyUs, "" + seconds)
              .start();
      try {
        Attacks.pass(500);
        Attacks.requireDelivery(victim, toString());
        writer.waitFor();
      } finally {
        writer.destroy();
      }
    }
  }

  /** Others rotate the log. */
  @Attack.On(Attack.Target.LOG)
  record Rotated(Rotated.How how, int times) implements Attack {

    enum How {
      MOVE,
      COPY_AND_TRUNCATE,
      REMOVE,
      /** As by an editor: a copy takes its place. */
      EDIT
    }

    @Override
    public void arrange(Field field) {
      if (how != Rotated.How.MOVE) {
        field.allow(Judge.LOSES);
        field.allow(Judge.TEARS);
      }
      if (field.scenario().end() == Scenario.End.KILL) {
        field.allow(Judge.DOUBLES);
      }
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      Path log = field.log();
      for (int i = 0; i < times; i++) {
        Attacks.pass(300);
        try {
          Path archive = log.resolveSibling("app.log." + (i + 1));
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
        } catch (NoSuchFileException e) {
          // not made anew yet
        }
      }
    }
  }

  /** Something stands at the log's name: it cannot be written. */
  @Attack.On(Attack.Target.LOG)
  record Blocked(int ms) implements Attack {
    @Override
    public void outside(Field field, Life victim) throws Exception {
      Path log = field.log();
      Path aside = log.resolveSibling("app.log.1");
      try {
        Files.move(log, aside);
      } catch (NoSuchFileException e) {
        return; // has not come so far
      }
      try {
        Files.createDirectory(log);
      } catch (IOException e) {
        return; // was faster
      }
      Attacks.pass(ms);
      Files.delete(log);
    }
  }

  /** The log's disk takes nothing for a while. */
  @Attack.On(Attack.Target.LOG)
  record Frozen(int ms) implements Attack {
    @Override
    public void arrange(Field field) throws Exception {
      field.disk();
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      Mounted disk = field.logDisk();
      disk.freeze();
      Attacks.pass(ms);
      disk.thaw();
    }
  }

  /** The log's disk is full for a while. */
  @Attack.On(Attack.Target.LOG)
  record FullDisk(int ms) implements Attack {
    @Override
    public void arrange(Field field) throws Exception {
      field.disk();
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      Path filler = field.logDirectory().resolveSibling("filler");
      Command.exitCode("sh", "-c", "cat /dev/zero > \"$1\"", "sh", filler.toString());
      Attacks.pass(ms);
      Files.delete(filler);
    }
  }

  /** The log's directory is renamed while it is written, and comes back. */
  @Attack.On(Attack.Target.LOG)
  record DirectoryMoved(int ms) implements Attack {
    @Override
    public void outside(Field field, Life victim) throws Exception {
      Path directory = field.logDirectory();
      Path aside = directory.resolveSibling("aside");
      Files.move(directory, aside);
      Attacks.pass(ms);
      Files.createDirectories(directory);
      Path old = aside.resolve(field.log().getFileName());
      if (Files.exists(old)) {
        Files.move(old, directory.resolve("app.log.1"));
      }
    }
  }
}
