package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Events;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DropReporterTest {

  private static final long INTERVAL_NS = 1000;

  private final Ledger ledger = new Ledger();
  private final List<ILoggingEvent> reports = new ArrayList<>();
  private boolean sinkWorks = true;
  private long nowNs = 77;
  private final DropReporter reporter =
      new DropReporter(
          ledger,
          new PipelineContext(
              Events.context("reporter"),
              () -> nowNs,
              () -> 1_700_000_000_000L,
              (text, cause) -> {}),
          INTERVAL_NS,
          DropReason.ENCODE_FAILED);

  @Test
  void waitsForOneQuietLookBehindTheLastDrop() {
    drop(3);
    look(true);
    assertThat(reports).as("first look").isEmpty();
    drop(1);
    look(true);
    assertThat(reports).as("one more dropped").isEmpty();
    look(true);

    assertThat(messages()).singleElement().asString().startsWith("Forebay: 4 events dropped");
  }

  @Test
  void reportsLastingPressureOnceAnInterval() {
    for (int i = 0; i < 30; i++) {
      drop(1);
      look(false);
      nowNs += INTERVAL_NS / 10;
    }

    assertThat(messages()).hasSizeBetween(2, 3).allMatch(text -> text.startsWith("Forebay: 1"));
  }

  @Test
  void reportsAtMostOnceAnInterval() {
    drop(1);
    look(true);
    look(true);
    drop(1);
    look(true);
    look(true);
    assertThat(reports).hasSize(1);

    nowNs += INTERVAL_NS;
    look(true);
    assertThat(reports).hasSize(2);
  }

  @Test
  void aReportNobodyTookIsRepeatedWhenEventsComeThroughAgain() {
    drop(3);
    sinkWorks = false;
    look(true);
    look(true);
    assertThat(reports).hasSize(1);
    for (int i = 0; i < 10; i++) {
      nowNs += INTERVAL_NS;
      look(true);
    }
    assertThat(reports).as("nothing new, so no further attempt").hasSize(1);

    sinkWorks = true;
    reporter.reportIfDue(true, true, this::take);

    assertThat(messages().get(1)).startsWith("Forebay: 3 events dropped");
    nowNs += INTERVAL_NS;
    reporter.reportIfDue(true, true, this::take);
    assertThat(reports).hasSize(2);
  }

  @Test
  void whatComesLateForTheIntervalIsReportedWithoutFurtherEvents() {
    drop(3);
    sinkWorks = false;
    look(true);
    look(true);
    sinkWorks = true;
    reporter.reportIfDue(true, true, this::take);
    assertThat(reports).as("within the interval").hasSize(1);

    nowNs += INTERVAL_NS;
    look(true);

    assertThat(reports).hasSize(2);
  }

  private void drop(int events) {
    for (int i = 0; i < events; i++) {
      ledger.drop(DropReason.RING_FULL, Events.info("dropped"));
    }
  }

  private void look(boolean emptied) {
    reporter.reportIfDue(emptied, false, this::take);
  }

  private boolean take(ILoggingEvent report) {
    reports.add(report);
    if (!sinkWorks) {
      ledger.drop(DropReason.ENCODE_FAILED, report);
    }
    return sinkWorks;
  }

  private List<String> messages() {
    return reports.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
