package dev.forebay.tiered;

import static dev.forebay.host.DumpFiles.events;
import static dev.forebay.host.DumpFiles.remarks;
import static dev.forebay.tiered.FlightRig.LONG;
import static dev.forebay.tiered.FlightRig.texts;
import static dev.forebay.tiered.Joran.requireLaw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.disk.FaultyDisk;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.MarkerFactory;

/** A flight recorder as configured: what it records, what causes a dump, and the account. */
class FlightRecorderTest {

  @AutoClose private final FlightRig rig = FlightRig.create();

  @Test
  void lowLevelsAreOnlyRecordedAndAnErrorDumpsThem() throws Exception {
    rig.configure("<after>0</after>");
    rig.trace(0, 100);
    rig.logger.info("info");
    rig.logger.error("error");
    List<String> found = events(rig.awaitDumps(1).get(0));

    List<String> expected = new ArrayList<>(texts("trace ", 0, 100));
    expected.addAll(List.of("info", "error"));
    assertThat(found).isEqualTo(expected);
    assertThat(rig.dumps().get(0).getFileName().toString())
        .matches("app\\.flight\\.\\d{8}T\\d{6}\\.\\d{3}Z\\.ERROR\\.dump");
    assertThat(remarks(rig.dumps().get(0))).first().asString().contains("trigger ERROR");
    assertThat(remarks(rig.dumps().get(0))).last().asString().isEqualTo("# end: 102 events");
    Await.until("a line names the dump", () -> rig.log().size() >= 3);
    assertThat(rig.log().subList(0, 2)).containsExactly("info", "error");
    assertThat(rig.log().get(2)).startsWith("Forebay: ").contains(rig.dumps().get(0).toString());
    assertThat(rig.appender.flush(LONG)).isTrue();
    assertThat(rig.appender.snapshot().held()).isEqualTo(100);
    rig.context.stop();
    assertThat(rig.appender.snapshot().expired()).isEqualTo(100);
    assertThat(rig.appender.snapshot().dropped()).isZero();
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void aMarkerCausesADumpAndNoLevelDoes() throws Exception {
    rig.configure("<after>0</after><dumpOn>marker: ALARM</dumpOn>");
    rig.logger.error("no alarm");
    rig.logger.info(MarkerFactory.getMarker("ALARM"), "alarm");
    assertThat(events(rig.awaitDumps(1).get(0))).containsExactly("no alarm", "alarm");
    assertThat(rig.dumps().get(0).toString()).endsWith(".marker-ALARM.dump");
  }

  @Test
  void apiAndJmxCauseDumps() throws Exception {
    rig.configure("<after>0</after><dumpOn>OFF</dumpOn>");
    rig.logger.error("error");
    rig.trace(0, 3);
    assertThat(rig.appender.flush(LONG)).isTrue();
    assertThat(rig.appender.dump("by ../../hand")).isTrue();
    assertThat(rig.awaitDumps(1).get(0).getFileName().toString())
        .endsWith(".hand-by_______hand.dump");
    MBeanServer server = Beans.SERVER;
    ObjectName bean = Beans.await("tiered", "FILE");
    assertThat(Beans.account(bean)).containsEntry("held", 3L);
    Await.until(
        "JMX dumps",
        () ->
            "dump asked for; a line in the log names it when it is complete"
                .equals(
                    server.invoke(
                        bean,
                        "dump",
                        new Object[] {"jmx"},
                        new String[] {String.class.getName()})));
    rig.awaitDumps(2);
    assertThat(events(rig.dumps().get(1))).startsWith("error", "trace 0", "trace 1", "trace 2");
    Await.until("counted", () -> Beans.account(bean).get("dumps").equals(2L));
    assertThat(Beans.account(bean).get("dumpedEvents")).isGreaterThanOrEqualTo(8);
  }

  @Test
  void anEventTooLargeForALoopsSegmentIsCounted() throws Exception {
    rig.configure("<after>0</after>");
    rig.logger.trace("x".repeat(100_000));
    assertThat(rig.appender.flush(LONG)).isTrue();
    assertThat(rig.appender.snapshot().dropped(DropReason.TOO_LARGE)).isEqualTo(1);
  }

  @Test
  void whileTheSpoolIsFullRecordingGoesOnAndTheLogStaysInOrder() throws Exception {
    FaultyDisk disk = Joran.failing(path -> path.endsWith("app.log"), FaultyDisk.Op.WRITE);
    rig.configureOn(
        disk,
        "<spoolSize>64 KB</spoolSize><ringBufferSize>1024</ringBufferSize>"
            + "<ringBufferBytes>1 MB</ringBufferBytes><appendTimeout>30 seconds</appendTimeout>",
        "<size>1 MB</size>");
    String rest = " " + "x".repeat(100);
    for (int i = 0; i < 1500; i++) { // more than the spool takes
      rig.logger.warn("{}{}", i, rest);
      rig.logger.trace("trace {}", i);
    }
    Await.until("all are recorded", () -> recorded() == 1500);
    assertThat(rig.appender.snapshot().dropped()).isZero();
    for (int i = 1500; i < 10_000; i++) { // more than waits in the heap
      rig.logger.warn("{}{}", i, rest);
    }
    rig.trace(1500, 2000);
    Await.until("still recorded", () -> recorded() == 2000);
    LedgerSnapshot full = rig.appender.snapshot();
    requireLaw(full);
    assertThat(full.droppedByReasonAndLevel()).containsOnlyKeys("SPOOL_FULL");
    disk.heal();
    assertThat(rig.appender.flush(LONG)).isTrue();
    List<Integer> logged =
        rig.log().stream()
            .filter(line -> line.endsWith(rest))
            .map(line -> Integer.valueOf(line.substring(0, line.indexOf(' '))))
            .toList();
    assertThat(logged).isSorted().doesNotHaveDuplicates();
    assertThat((long) logged.size()).isEqualTo(10_000 - full.dropped());
    assertThat(logged.subList(0, 1500)).last().isEqualTo(1499);
  }

  private long recorded() {
    LedgerSnapshot account = rig.appender.snapshot();
    return account.held() + account.expired();
  }
}
