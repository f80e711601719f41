package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.forebay.host.Await;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Files;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The verbs that ask a live process, and what they say if there is none. */
class SteeringIT {

  private static final int USAGE = 2;
  private static final int NOT_FOUND = 3;
  private static final int REFUSED = 4;

  @AutoClose private final Places places = Places.create();

  private static void requireSaid(Tool.Run run, String text) {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains(text);
  }

  private static void requireRefused(Tool.Run run, int exitCode, String text) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    assertThat(run.err()).contains(text);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void theCauseIsSaidWhileTheLogCannotBeWritten() throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    try (Tiered tiered = Tiered.with(places.xml() + Xml.FAST + Xml.MESSAGES)) {
      tiered.log("p", 0, 10);
      String fails = "the log " + places.log() + ", since 20";
      Await.until(
          "reachable",
          () ->
              Tool.run(places, "account", places.log())
                  .out()
                  .contains("lastError          " + fails));
      requireSaid(Tool.run(places, "account", places.log()), "degraded           " + fails);
      requireSaid(Tool.run(places, "stat", places.log()), "degraded     " + fails);
      requireSaid(Tool.run(places, "stat", places.log(), "--json"), "\"degraded\":\"" + fails);
      Tool.Run doctor = Tool.run(places, "doctor", ProcessHandle.current().pid());
      assertThat(doctor.out()).contains(places.log() + "\n  " + fails);
      Files.delete(places.logDirectory());
      Files.createDirectory(places.logDirectory());
      tiered.flush();
      requireSaid(Tool.run(places, "account", places.log(), "--json"), "\"lastError\":\"the log ");
    }
    new Oracle().producer("p", 10, 10).complete(0).requireSound(places.lines());
  }

  @Test
  void eachVerbIsDoneByTheLiveAppender() throws Exception {
    String xml =
        places.xml() + Xml.FAST + Xml.MESSAGES + Xml.rollBySize(places.logDirectory(), "100MB");
    try (Tiered tiered = Tiered.with(xml)) {
      tiered.log("p", 0, 1000);
      Await.until("reachable", () -> Tool.run(places, "flush", places.log()).exitCode() == 0);
      requireSaid(Tool.run(places, "account", places.log()), "1,000");
      requireSaid(
          Tool.run(places, "account", places.log(), "--json"),
          "\"offered\":1000,\"delivered\":1000");
      requireSaid(Tool.run(places, "rotate", places.log()), "rolled " + places.log());
      assertThat(LogFiles.of(places.log()).fileCount()).isEqualTo(2);
      requireSaid(
          Tool.run(places, "level", places.log(), "it=debug", "--for", "5m"),
          "it set to DEBUG for 300 s");
      assertThat(tiered.logger().getLevel()).isEqualTo(Level.DEBUG);
      requireSaid(Tool.run(places, "level", places.log()), "it DEBUG for ");
      requireRefused(
          Tool.run(places, "level", places.log(), "com.acme=TRACE"),
          REFUSED,
          "no name of a logger");
      requireRefused(Tool.run(places, "level", places.log(), "it"), USAGE, "LOGGER=LEVEL");
      requireRefused(Tool.run(places, "dump", places.log()), REFUSED, "<flightRecorder>");
      LedgerSnapshot account = tiered.flush().snapshot();
      assertThat(account.offered()).isEqualTo(1001);
      assertThat(account.delivered()).isEqualTo(1001);
    }
    new Oracle().producer("p", 1000, 1000).complete(0).requireSound(places.lines());
    requireRefused(Tool.run(places, "account", places.log()), NOT_FOUND, "no spool");
  }
}
