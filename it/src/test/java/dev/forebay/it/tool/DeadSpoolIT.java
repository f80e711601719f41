package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code forebay recover}: what a killed process spooled is moved, and never doubled. */
class DeadSpoolIT {

  private static final int MESSAGES = 20_000;

  @AutoClose private final Places places = Places.create();
  private final Oracle oracle = new Oracle();
  private Path file;

  @BeforeEach
  void name() throws Exception {
    file = places.directory("recovered").resolve("app.log");
  }

  /** Logs all messages, or most of them if told to be killed in between, and is killed. */
  private void killed(String elements) throws Exception {
    String xml = Xml.configuration(places.xml() + Xml.MESSAGES + elements);
    Child.Task task = new Child.Task("p", 1, MESSAGES, 0, 0, "wait");
    try (Child child = Child.start(task, xml, places.directory("child"))) {
      child.awaitOffered(0, MESSAGES);
      Await.until(
          "all spooled",
          () -> SpoolPeek.segmentBytes(places.spool()) > 0 && Tool.facts(places).endsAt(MESSAGES));
      child.kill();
      child.tell(oracle);
    }
  }

  /** A log that cannot be written, so that everything stays in the spool. */
  private void killedWithoutALog() throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    killed("<spoolSize>64MB</spoolSize>");
    Files.delete(places.logDirectory());
    Files.createDirectory(places.logDirectory());
  }

  private Tool.Run recover() throws Exception {
    return Tool.run(places, "recover", "--to", file, places.log());
  }

  @Test
  void allLinesAreMovedAndNothingIsLeft() throws Exception {
    killedWithoutALog();
    List<String> spooled = SpoolPeek.lines(places.spool(), places.log());
    assertThat(spooled).hasSize(MESSAGES);
    Tool.Run ls = Tool.run(places, "ls");
    assertThat(ls.out()).contains("dead", "20,000");
    assertThat(Tool.run(places, "cat", places.log()).lines()).isEqualTo(spooled);

    Tool.Run run = recover();

    assertThat(run.err()).isEmpty();
    assertThat(run.lines()).containsExactly("20,000 records moved to " + file + ", 0 left");
    assertThat(run.exitCode()).isZero();
    assertThat(Files.readAllLines(file)).isEqualTo(spooled);
    oracle.seen(spooled).requireSound(Files.readAllLines(file));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    assertThat(recover().exitCode()).as("nothing is left").isEqualTo(3);
    assertThat(Files.readAllLines(file)).hasSize(MESSAGES);
  }

  @Test
  void aKilledRecoveryIsContinuedWithTheSameFile() throws Exception {
    killedWithoutALog();
    Program first = Tool.start(places, "recover", "--to", file, places.log());
    Await.until("has begun", () -> Files.exists(file) && Files.size(file) > 0);
    first.kill();

    assertThat(recover().exitCode()).isIn(0, 3); // 3: it had come to its end

    assertThat(Files.readAllLines(file)).hasSize(MESSAGES);
    oracle.requireSound(Files.readAllLines(file));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}
