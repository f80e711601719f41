package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.flight.FlightSettings;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each mistake in the configuration of a flight recorder gets a message. */
@Tag("once")
class FlightRecorderOptionsTest {

  private static final long SEGMENT = 4 << 20;

  private final FlightRecorderOptions options = new FlightRecorderOptions();
  private final ConfigFindings findings = new ConfigFindings();

  private List<String> messages() {
    LoggerContext context = new LoggerContext();
    ContextAwareBase component = new ContextAwareBase();
    component.setContext(context);
    findings.reportTo(component, "A");
    return context.getStatusManager().getCopyOfStatusList().stream()
        .map(Status::getMessage)
        .toList();
  }

  private void requireMessage(Consumer<FlightRecorderOptions> mistake, String... parts) {
    mistake.accept(options);
    options.validate(SEGMENT, findings);
    assertThat(findings.hasErrors()).isTrue();
    assertThat(messages()).singleElement().asString().contains(parts);
  }

  @Test
  void theDefaultsAreThoseOfThePage() {
    assertThat(options.validate(SEGMENT, findings))
        .isEqualTo(
            new FlightSettings(
                2,
                64 << 20,
                60_000_000_000L,
                4,
                null,
                1_000_000_000,
                30_000_000_000L,
                20,
                null,
                true));
    assertThat(messages()).isEmpty();
  }

  @Test
  void everythingCanBeSet() {
    options.setLevel("debug");
    options.setSize(new FileSize(8 << 20));
    options.setKeep("5 minutes");
    options.setDumpOn("marker: ALARM ");
    options.setAfter("0");
    options.setMinInterval("1 second");
    options.setMaxDumps(3);
    options.setKey(" traceId ");
    options.setDumpAtCrash(false);
    assertThat(options.validate(SEGMENT, findings))
        .isEqualTo(
            new FlightSettings(
                1, 8 << 20, 300_000_000_000L, 5, "ALARM", 0, 1_000_000_000, 3, "traceId", false));
    assertThat(messages()).isEmpty();
  }

  @Test
  void aLevelAboveDumpOn() {
    requireMessage(
        all -> {
          all.setLevel("ERROR");
          all.setDumpOn("WARN");
        },
        "<level> of <flightRecorder> is ERROR",
        "<dumpOn> is WARN",
        "write a <level> of at most WARN");
  }

  @Test
  void aSizeBelowTwoSegments() {
    requireMessage(
        all -> all.setSize(new FileSize(2 * SEGMENT - 1)),
        "<size> of <flightRecorder> is 8388607 bytes",
        "8388608 bytes",
        "smaller <segmentSize>");
  }

  @Test
  void nothingToKeep() {
    requireMessage(all -> all.setKeep("0"), "<keep> of <flightRecorder> is 0 ms", "between 1 and");
  }

  @Test
  void noTime() {
    requireMessage(all -> all.setKeep("long"), "<keep> of <flightRecorder> is \"long\"", "a time");
  }

  @Test
  void anAfterThatNeverEnds() {
    requireMessage(all -> all.setAfter("2 minutes"), "<after> of", "120000 ms", "60000 ms");
  }

  @Test
  void anIntervalOfDays() {
    requireMessage(all -> all.setMinInterval("2 days"), "<minInterval> of", "86400000 ms");
  }

  @Test
  void noDumps() {
    requireMessage(all -> all.setMaxDumps(0), "<maxDumps> of <flightRecorder> is 0", "10000");
  }

  @Test
  void noLevel() {
    requireMessage(all -> all.setLevel("FINE"), "<level> of <flightRecorder> is \"FINE\"", "TRACE");
  }

  @Test
  void noTrigger() {
    requireMessage(all -> all.setDumpOn("alarm"), "<dumpOn> of", "\"alarm\"", "marker:NAME or OFF");
  }

  @Test
  void anEmptyKey() {
    requireMessage(all -> all.setKey(" "), "<key> of <flightRecorder> is empty", "remove <key>");
  }
}
