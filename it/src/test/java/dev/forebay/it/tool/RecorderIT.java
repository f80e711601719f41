package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Dumps;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the tool shows of a flight recorder, living or dead. */
class RecorderIT {

  private static final int MESSAGES = 3000;

  @AutoClose private final Places places = Places.create();

  private String xml() {
    return Xml.configuration(
        places.xml()
            + Xml.FAST
            + Xml.MESSAGES
            + "<flightRecorder><level>WARN</level><dumpOn>OFF</dumpOn></flightRecorder>");
  }

  @Test
  void theDumpOfADeadProcessEndsWhatThatHadBegun() throws Exception {
    String inner =
        places.xml()
            + Xml.MESSAGES
            + "<flightRecorder><dumpOn>INFO</dumpOn><after>1 minute</after></flightRecorder>";
    Child.Task task = new Child.Task("p", 1, 10, 0, 0, "wait");
    try (Child child = Child.start(task, Xml.configuration(inner), places.directory("child"))) {
      Await.until("a dump is begun", () -> !DumpFiles.unfinished(places.log()).isEmpty());
      child.kill();
    }
    Path file = places.directory("recovered").resolve("app.log");
    Tool.Run recovery = Tool.run(places, "recover", "--to", file, places.log());
    assertThat(recovery.exitCode()).as(recovery.err()).isZero();
    assertThat(DumpFiles.of(file)).hasSize(1);
    assertThat(DumpFiles.unfinished(places.log())).isEmpty();
  }

  private String loopOf(Tool.Run ls) {
    assertThat(ls.exitCode()).as(ls.err()).isZero();
    List<String> loops =
        ls.lines().stream().filter(line -> line.matches("(loop |.*\"loop\":).*")).toList();
    assertThat(loops).as(ls.out()).hasSize(1);
    return loops.get(0);
  }

  @Test
  void theLoopOfALivingAndOfADeadProcessIsSeen() throws Exception {
    Child.Task task = new Child.Task("p", 1, MESSAGES, 0, 0, "wait");
    try (Child child = Child.start(task, xml(), places.directory("child"))) {
      child.awaitOffered(0, MESSAGES);
      Await.until("recorded", () -> loopOf(Tool.run(places, "ls")).contains(" 3,000 "));
      assertThat(loopOf(Tool.run(places, "ls")))
          .contains(places.log().toString(), String.valueOf(child.pid()), " s ");
      assertThat(loopOf(Tool.run(places, "ls", "--json")))
          .contains("\"loop\":", "\"alive\":true", "\"records\":3000", "\"oldest\":\"20");
      assertThat(Tool.run(places, "stat", places.log()).out())
          .contains("records   3,000\n", "oldest    20");
      child.kill();
    }
    assertThat(loopOf(Tool.run(places, "ls"))).contains(" dead ", " 3,000 ");
    assertThat(loopOf(Tool.run(places, "ls", "--json")))
        .contains("\"alive\":false", "\"records\":3000");
    Map<String, List<String>> loops = SpoolPeek.loops(places.spool(), places.log());
    assertThat(loops).hasSize(1);
    List<String> recorded = loops.values().iterator().next();
    Dumps.requireGapless(recorded);

    Path file = places.directory("recovered").resolve("app.log");
    Tool.Run recovery = Tool.run(places, "recover", "--to", file, places.log());
    assertThat(recovery.exitCode()).as(recovery.err()).isZero();
    assertThat(recovery.err()).isEmpty();
    assertThat(recovery.out()).contains("app.flight.", ".crash-", ": 3000 events");
    assertThat(DumpFiles.of(file)).hasSize(1);
    assertThat(DumpFiles.events(DumpFiles.of(file).get(0))).isEqualTo(recorded);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}
