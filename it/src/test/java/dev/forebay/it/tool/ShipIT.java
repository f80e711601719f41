package dev.forebay.it.tool;

import static dev.forebay.it.support.OtherUser.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The verb that ships for other processes: its ends, its users, and what it says. */
class ShipIT {

  private static final long LINES = 2000;
  private static final String APART = "<shipping>apart</shipping>";

  @AutoClose private final Places places = Places.create();

  private String xml() {
    return Xml.configuration(places.xml() + Xml.FAST + APART + Xml.MESSAGES);
  }

  private static Child.Task task() {
    return new Child.Task("a", 1, LINES, 0, 100, "wait");
  }

  private void requireAll() throws Exception {
    new Oracle().producer("a-0", LINES, LINES).complete(0).requireSound(places.lines());
  }

  @Test
  void itShipsWhileTheApplicationLivesAndEndsWhenAskedTo() throws Exception {
    try (Program ship = Tool.start(places, "ship", "--verbose", "--metrics", "127.0.0.1:0");
        Child child = Child.start(task(), xml(), places.directory("reports"))) {
      ship.awaitSaid("metrics at http://127.0.0.1:");
      child.awaitOffered(0, LINES);
      Await.until("shipped", () -> places.lines().size() == LINES || !child.isAlive());
      Tool.Run listed = Tool.run(places, "ls");
      assertThat(listed.out()).containsPattern("\nship .* " + ship.pid() + " .*" + places.log());
      String metrics =
          Command.run("curl", "-s", ship.output().replaceAll("(?s).*(http://\\S+).*", "$1"));
      assertThat(metrics)
          .contains("forebay_events_total{log=\"" + places.log() + "\",directory=\"")
          .contains("outcome=\"delivered\"} " + LINES);
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(ship.terminate()).as(ship.output()).isZero();
      assertThat(ship.output()).contains(" lines shipped, 0 waiting for ");
    }
    requireAll();
  }

  @Test
  void itEndsByItselfWhenTheApplicationHasEndedAndAllIsShipped() throws Exception {
    try (Child child = Child.start(task(), xml(), places.directory("reports"))) {
      child.awaitOffered(0, LINES);
      try (Program ship = Tool.start(places, "ship", "--until-drained")) {
        Await.until("shipped", () -> places.lines().size() == LINES || !ship.isAlive());
        assertThat(ship.isAlive()).as(ship.output()).isTrue();
        child.kill();
        assertThat(ship.awaitEnd()).as(ship.output()).isZero();
      }
    }
    requireAll();
  }

  @Test
  void onceShipsWhatAKilledApplicationLeft() throws Exception {
    try (Child child = Child.start(task(), xml(), places.directory("reports"))) {
      child.awaitOffered(0, LINES);
      Await.until("spooled", () -> Tool.facts(places).endsAt(LINES) || !child.isAlive());
      child.kill();
    }
    Tool.Run run = Tool.run(places, "ship", "--once");
    assertThat(run.exitCode()).as(run.err()).isZero();
    requireAll();
    assertThat(Tool.run(places, "ls").out()).isEmpty();
  }

  @Test
  void whatCannotBeShippedIsCountedAndSaid() throws Exception {
    try (Child child = Child.start(task(), xml(), places.directory("reports"))) {
      child.awaitOffered(0, LINES);
      Await.until("spooled", () -> Tool.facts(places).endsAt(LINES) || !child.isAlive());
      child.kill();
    }
    Files.createDirectory(places.log()); // in the way
    Tool.Run run = Tool.run(places, "ship", "--once", "--grace", "2s");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.err()).contains("WARN 2,000 lines of " + places.log() + " are left in ");
    Files.delete(places.log());
    assertThat(Tool.run(places, "ship", "--once").exitCode()).isZero();
    requireAll();
  }

  /** The processes of a user that ship for root. */
  private static List<ProcessHandle> childrenOf(Program ship) {
    return ProcessHandle.of(ship.pid()).stream()
        .flatMap(ProcessHandle::children)
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  private static boolean isVictims(ProcessHandle process) {
    try {
      Path status = Path.of("/proc", Long.toString(process.pid()), "status");
      String uid = Integer.toString(VICTIM.uid());
      String text = Files.readString(status);
      return text.contains("\nUid:\t%1$s\t%1$s\t%1$s\t%1$s\n".formatted(uid))
          && text.contains("\nGid:\t%1$s\t%1$s\t%1$s\t%1$s\n".formatted(uid))
          && text.contains("\nCapPrm:\t0000000000000000\n")
          && text.contains("\nNoNewPrivs:\t1\n");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void asRootItShipsEachLogWithTheRightsOfItsUser() throws Exception {
    OtherUser.assumePossible();
    Command.run("chmod", "755", places.root().toString());
    OtherUser.share(places.spool());
    VICTIM.own(places.logDirectory());
    String classPath = OtherUser.classPath(places.directory("classes"));
    Path jar = Files.copy(Tool.jar(), places.directory("jar").resolve("forebay.jar"));
    Command.run("chmod", "-R", "a+rX", jar.getParent().toString());
    Object[] verb = Tool.with(places, "ship", "--verbose");
    try (Program ship =
            Program.start(places.directory("ship"), Tool.command(List.of(), jar, verb));
        Child child =
            Child.startAs(VICTIM, classPath, task(), xml(), places.directory("reports"))) {
      child.awaitOffered(0, LINES);
      Await.until("shipped", () -> places.lines().size() == LINES || !child.isAlive());
      List<ProcessHandle> children = childrenOf(ship);
      assertThat(children).hasSize(1).allMatch(ShipIT::isVictims);
      assertThat(Files.getAttribute(places.log(), "unix:uid")).isEqualTo(VICTIM.uid());

      children.get(0).destroyForcibly();
      ship.awaitSaid("the process that ships for user 65533 ended with exit code 137");
      Await.until("another", () -> childrenOf(ship).stream().anyMatch(ShipIT::isVictims));

      List<ProcessHandle> orphans = childrenOf(ship);
      ship.signal("KILL");
      Await.until("ended", () -> orphans.stream().noneMatch(ProcessHandle::isAlive));
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
    }
    requireAll();
  }
}
