package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Spools that outlive their processes. */
class RecoveryIT {

  @AutoClose private final Places places = Places.create();

  private Child child(Child.Task task, String inner, String... around) throws Exception {
    return Child.start(task, Xml.configuration(inner), places.directory(task.name()), around);
  }

  private static Child.Task logging(String name, long count, String atTheEnd) {
    return new Child.Task(name, 1, count, 0, 0, atTheEnd);
  }

  /** A log in whose directory's place a file stands, so that everything stays in the spool. */
  private String blocked(Path directory) throws Exception {
    Files.writeString(directory, "in the way");
    return Xml.places(directory.resolve("app.log"), places.spool()) + Xml.FAST + Xml.MESSAGES;
  }

  /** Has a child log to the spool and kills it. */
  private void leaveOrphan(String name, long count, String inner, Oracle oracle, Path log)
      throws Exception {
    int before = SpoolPeek.lines(places.spool(), log).size();
    try (Child child = child(logging(name, count, "wait"), inner)) {
      child.awaitOffered(0, count);
      Await.until("a spool of " + name, () -> child.status().contains("cannot write"));
      Await.pass(Duration.ofMillis(100)); // more than the flusher parks
      child.kill();
      child.tell(oracle);
    }
    List<String> left = SpoolPeek.lines(places.spool(), log);
    assertThat(left).hasSizeGreaterThan(before);
    oracle.seen(left);
  }

  @Test
  void recoveryThatIsKilledAgainAndAgainStillShipsExactlyOnce() throws Exception {
    long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
    Random random = new Random(seed);
    Path directory = places.root().resolve("later");
    Path log = directory.resolve("app.log");
    String inner =
        blocked(directory)
            + Xml.rollBySize(directory, "20KB")
            + "<appendTimeout>30 seconds</appendTimeout>";
    Oracle oracle = new Oracle();
    leaveOrphan("dead", 6000, inner, oracle, log);
    Files.delete(directory);
    for (int life = 0; life < 4; life++) {
      try (Child child = child(logging("life" + life, 0, "wait"), inner)) {
        int target = LogFiles.of(log).fileCount() + 2;
        Await.until(
            "recovery is under way, or over",
            () -> LogFiles.of(log).fileCount() >= target || holdsLines(log, 6000));
        Await.pass(Duration.ofMillis(random.nextInt(100)));
        child.kill();
      }
    }

    try (Tiered tiered = Tiered.with(inner)) {
      tiered.log("new", 0, 10).flush();
      assertThat(tiered.warnings()).isEmpty();
    }
    try {
      oracle.producer("new", 10, 10).complete(0).requireSound(LogFiles.of(log).lines());
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.kill.seed=" + seed, e);
    }
  }

  @Test
  void aLogThatIsEmptiedAtTheStartGetsUnsettledLinesWithoutAWarning() throws Exception {
    String inner = places.xml() + "<append>false</append><fsync>1 hour</fsync>" + Xml.MESSAGES;
    int settled = 30; // emptied by the start, as the user wants it
    Child.Task task = new Child.Task("dead", 1, 50, settled, 0, "wait");
    Oracle oracle = new Oracle();
    try (Child child = child(task, inner)) {
      Await.until("shipped", () -> holdsLines(places.log(), 50));
      child.kill();
      child.tell(oracle);
    }
    try (Tiered tiered = Tiered.with(inner)) {
      tiered.log("new", 0, 10).flush();
      assertThat(tiered.warnings()).isEmpty();
    }
    oracle.producer("new", 10, 10).dropped(settled).complete(0).requireSound(places.lines());
  }

  /** In containers most processes have the same id in every life. */
  @Test
  void aProcessWithTheIdOfTheDeadOneShipsWhatThatOneSpooled() throws Exception {
    Needs.root("making a namespace of process ids");
    assumeTrue(
        Command.exitCode("unshare", "-p", "-f", "--mount-proc", "true") == 0,
        "no unshare: install util-linux, and allow namespaces");
    String[] namespace = {
      "unshare", "-p", "-f", "--kill-child", "--mount-proc", "sh", "-c", "\"$@\"; exit $?", "sh"
    };
    String inner =
        places.xml()
            + Xml.FAST
            + "<maxFlushTime>30 seconds</maxFlushTime><appendTimeout>30 seconds</appendTimeout>"
            + Xml.rollBySize(places.logDirectory(), "100KB")
            + Xml.MESSAGES;
    Oracle oracle = new Oracle();
    List<String> left;
    long pid;
    try (Child one = child(looping("one"), inner, namespace)) {
      one.awaitOffered(0, 250);
      one.kill();
      pid = one.progress().pid();
      one.tell(oracle);
      left = SpoolPeek.lines(places.spool(), places.log());
      oracle.seen(left).seen(places.lines());
    }
    try (Child two = child(looping("two"), inner, namespace)) {
      two.awaitOffered(0, 150);
      assertThat(two.progress().pid()).isEqualTo(pid);
      two.release();
      assertThat(two.awaitEnd()).as(two.output()).isZero();
      two.tell(oracle);
      CallTimes.record("a process id comes back", two.progress().longestCallNs());
    }
    assertThat(left).isNotEmpty();
    oracle.requireSound(places.lines());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  private static Child.Task looping(String name) {
    return new Child.Task(name, 2, Long.MAX_VALUE, 100, 10, "released");
  }

  private static boolean holdsLines(Path log, int count) {
    try {
      return LogFiles.of(log).lines().size() >= count;
    } catch (IOException e) {
      return false; // a file was rolled away while it was read
    }
  }
}
