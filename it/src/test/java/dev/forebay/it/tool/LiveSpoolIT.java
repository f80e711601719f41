package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.SpoolView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tool beside a process that logs as fast as it can and recycles small segments. */
class LiveSpoolIT {

  /** Whole readings of the spool; for an hour with {@code -Dforebay.verify.minutes=60}. */
  private static final int ROUNDS = Integer.getInteger("forebay.verify.rounds", 50);

  private static final long MINUTES = Long.getLong("forebay.verify.minutes", 0);

  /** So that the test can read the log of an hour into memory. */
  private static final int PACE = 3;

  private static final int BATCH_BYTES = 64 * 1024;

  @AutoClose private final Places places = Places.create();

  private Child start(long count, String end) throws IOException {
    String xml =
        Xml.configuration(
            places.xml()
                + Xml.FAST
                + Xml.MESSAGES
                + "<segmentSize>64KB</segmentSize><spoolSize>2MB</spoolSize>"
                + "<appendTimeout>10 seconds</appendTimeout>");
    Child.Task task = new Child.Task("p", 2, count, 0, MINUTES == 0 ? 0 : PACE, end);
    return Child.start(task, xml, places.directory("child"));
  }

  @Test
  @Tag("soak")
  void nothingOfALiveSpoolIsTakenForDamage() throws Exception {
    try (Child child = start(Long.MAX_VALUE, "released")) {
      child.awaitOffered(0, 10_000);
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
      long shippedMeanwhile = 0;
      for (int round = 0;
          round < ROUNDS || shippedMeanwhile == 0 || System.nanoTime() - end < 0;
          round++) {
        shippedMeanwhile += readAll(); // until segments were recycled under the reader, too
      }
      for (int round = 0; round < 2; round++) {
        Tool.Run run = Tool.run(places, "verify");
        assertThat(run.out()).contains("all whole");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
      }
      child.release();
      assertThat(child.awaitEnd()).isZero();
      Oracle oracle = new Oracle();
      child.tell(oracle);
      oracle.requireSound(places.lines());
      assertThat(Tool.run(places, "ls").out()).as("nothing is left").isEmpty();
    }
  }

  /** Reads every record once; how many left the spool before they could be read. */
  private long readAll() throws IOException {
    long shipped = 0;
    RecordBatch batch = SpoolView.batch();
    for (LogSpools log : LogSpools.below(places.spool())) {
      for (Path spool : log.directories(SpoolFacts.Kind.SPOOL)) {
        try (SpoolView view = log.open(spool)) {
          long end = view.endSequence();
          boolean first = true;
          while (view.nextSequence() < end) {
            long wanted = view.nextSequence();
            MissingRecords found = view.read(batch, BATCH_BYTES);
            assertThat(found).isNull();
            shipped += first ? 0 : view.nextSequence() - wanted - batch.count();
            if (found == null && batch.count() == 0) {
              break;
            }
            first = false;
          }
        }
      }
    }
    return shipped;
  }

  @Test
  void aLiveProcessIsListedAndItsLinesAreRead() throws Exception {
    try (Child child = start(1_000, "wait")) {
      child.awaitOffered(0, 1_000);
      child.awaitOffered(1, 1_000);
      Await.until("shipped", () -> Files.exists(places.log()) && places.lines().size() == 2_000);

      Tool.Run ls = Tool.run(places, "ls");
      assertThat(ls.exitCode()).isZero();
      assertThat(ls.lines()).hasSize(2);
      assertThat(ls.lines().get(1))
          .endsWith(places.log().toString())
          .contains(child.pid() + " dev.forebay.it.support.LoggingChild");
      assertThat(Tool.run(places, "ls", "--json").lines())
          .singleElement()
          .asString()
          .contains("\"log\":\"" + places.log() + "\"", "\"alive\":true", "\"pid\":" + child.pid());

      assertThat(Tool.run(places, "stat", child.pid()).out())
          .contains("shipper          " + child.pid(), "committedBytes", "records");
      Tool.Run cat = Tool.run(places, "cat", places.log());
      assertThat(cat.exitCode()).isZero();
      assertThat(cat.lines()).isNotEmpty().allMatch(line -> line.startsWith("p-"));
      assertThat(places.lines()).containsAll(cat.lines());
      assertThat(Tool.run(places, "cat", child.pid()).out()).isEqualTo(cat.out());
      assertThat(Tool.run(places, "cat", "--unshipped", child.pid()).out()).isEmpty();
      assertThat(Tool.run(places, "cat", "--json", child.pid()).lines())
          .hasSize(cat.lines().size())
          .allMatch(line -> line.startsWith("{\"sequence\":"));

      Tool.Run recover =
          Tool.run(places, "recover", "--to", places.root().resolve("x"), places.log());
      assertThat(recover.exitCode()).isEqualTo(4);
      assertThat(recover.err()).contains("in use by " + child.pid(), "stop that first");
      child.release();
      assertThat(child.awaitEnd()).isZero();
      Oracle oracle = new Oracle();
      child.tell(oracle);
      oracle.requireSound(places.lines());
    }
  }

  @Test
  void linesAreFollowedFromOneProcessToTheNext() throws Exception {
    Program follower;
    try (Child first = start(1_000, "wait")) {
      first.awaitOffered(0, 1_000);
      first.awaitOffered(1, 1_000);
      Await.until("spooled", () -> Tool.facts(places).endsAt(2_000));
      follower = Tool.start(places, "cat", "-f", places.log());
      Await.until("follows", () -> !follower.output().isEmpty());
      first.kill();
    }
    try (follower) {
      String xml = Xml.configuration(places.xml() + Xml.FAST + Xml.MESSAGES);
      Child.Task task = new Child.Task("q", 1, 500, 0, 0, "wait");
      try (Child second = Child.start(task, xml, places.directory("second"))) {
        second.awaitOffered(0, 500);
        follower.awaitSaid("q-0 499");
        second.release();
        assertThat(second.awaitEnd()).isZero();
      }
      assertThat(follower.output().lines().filter(line -> line.startsWith("q-"))).hasSize(500);
    }
  }
}
