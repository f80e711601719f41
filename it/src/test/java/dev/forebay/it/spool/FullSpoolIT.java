package dev.forebay.it.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/** A spool whose memory is full, in bytes or in files, because the log takes nothing. */
class FullSpoolIT {

  private static final String SMALL =
      Xml.FAST
          + "<spoolSize>8MB</spoolSize><segmentSize>64KB</segmentSize>"
          + "<ringBufferSize>1024</ringBufferSize>"
          + "<reportInterval>1 hour</reportInterval>";

  @AutoClose private final Places places = Places.create();

  @ParameterizedTest
  @ValueSource(strings = {"512k", "4m,nr_inodes=15"})
  void dropsAreCountedByReasonAndLevelToldOnceAndOverWhenTheDiskIsBack(String options)
      throws Exception {
    try (Mounted memory = Mounted.memory(places, "mode=0700,size=" + options);
        Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("app.log");
      try (Tiered tiered = Tiered.with(Xml.places(log, memory.at()), SMALL, Xml.MESSAGES);
          Load load = Load.on(tiered, Level.INFO, Level.WARN)) {
        load.requireGoingOn();
        tiered.flush();
        assertThat(tiered.snapshot().dropped()).isZero();
        tiered.calls().reset();
        disk.freeze();
        Await.until("both levels are dropped", () -> drops(tiered.snapshot(), Level.WARN) > 100);
        load.requireGoingOn();
        tiered.calls().record("spool full (tmpfs " + options + ") and log disk stalled");
        load.stop();
        disk.thaw();
        tiered.flush();
        tiered.log("fresh", 0, 10).flush();
        assertThat(tiered.errors()).isEmpty();
        TieredAppender appender = tiered.appender();
        tiered.context().stop(); // reports the rest: the interval after the first is not over

        LedgerSnapshot account = appender.snapshot();
        List<String> lines = LogFiles.of(log).lines();
        Oracle.Verdict verdict =
            load.oracle()
                .producer("fresh", 10, 10)
                .dropped(account.dropped())
                .complete(0)
                .requireSound(lines);
        assertThat(verdict.lines()).containsEntry("fresh", 10L);
        assertThat(load.missing(0, verdict)).isEqualTo(drops(account, Level.INFO));
        assertThat(load.missing(1, verdict)).isEqualTo(drops(account, Level.WARN));
        assertThat(DropReports.told(lines)).isEqualTo(account.droppedByReasonAndLevel());
        assertThat(verdict.reports()).as("one when it begins, one at its end").isBetween(1L, 2L);
      }
    }
  }

  @Test
  void aSpoolIsEmptiedAheadOfTheForceThatItCannotWaitFor() throws Exception {
    int messages = 2000; // more than three times the spool, and less than the ring
    try (Tiered tiered =
        Tiered.with(
            places.xml(),
            "<fsync>1 hour</fsync><segmentSize>64KB</segmentSize><spoolSize>128KB</spoolSize>",
            Xml.MESSAGES)) {
      tiered.log("p", 0, messages);
      Await.until("all lines are in the log", () -> places.lines().size() == messages);
      tiered.flush();
      assertThat(tiered.warnings()).isEmpty();
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    new Oracle().producer("p", messages, messages).complete(0).requireSound(places.lines());
  }

  private static long drops(LedgerSnapshot account, Level level) {
    return DropReports.of(level.name(), account.droppedByReasonAndLevel());
  }

  /** What the appender's own lines in the log say about drops. */
  private static final class DropReports {

    /** A reason and its levels, as a report of drops has them: {@code SHED 5 (DEBUG 3, INFO 2)}. */
    private static final Pattern REASON = Pattern.compile("([A-Z_]+) \\d+ \\(([^)]*)\\)");

    private static final Pattern LEVEL = Pattern.compile("([A-Z]+) (\\d+)");

    private DropReports() {}

    /** All reports together: reason to level to count. */
    static Map<String, Map<String, Long>> told(List<String> lines) {
      Map<String, Map<String, Long>> told = new TreeMap<>();
      for (String line : lines) {
        Matcher reason = REASON.matcher(line);
        while (line.startsWith("Forebay: ") && reason.find()) {
          Map<String, Long> levels = told.computeIfAbsent(reason.group(1), r -> new TreeMap<>());
          Matcher level = LEVEL.matcher(reason.group(2));
          while (level.find()) {
            levels.merge(level.group(1), Long.valueOf(level.group(2)), Long::sum);
          }
        }
      }
      return told;
    }

    /** How many events of a level they count, for all reasons. */
    static long of(String level, Map<String, Map<String, Long>> told) {
      return told.values().stream().mapToLong(levels -> levels.getOrDefault(level, 0L)).sum();
    }
  }
}
