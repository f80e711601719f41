package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.agent.Agent;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a dump begins and ends, turn by turn: the test is both threads and the clock. */
@Tag("once")
class FlightTurnsTest {

  private static final long SECOND = 1_000_000_000;
  private static final int SEGMENT = 1024;
  private static final int SEGMENTS = 8;

  /** A ring that a turn may not empty. */
  private static final int RING = 2 * EventSink.MAX_TURN;

  @TempDir Path base;
  @TempDir Path logs;

  private final LoggerContext context = new LoggerContext();
  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  private final Ledger ledger = new Ledger();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private SpoolDirectory directory;
  private Flight flight;
  private FlightRecorder recorder;
  private Agent dumper;
  private long nowNs = SECOND;
  private int recorded;
  private int wakes;
  private boolean isClosed;

  @BeforeEach
  void create() throws IOException {
    directory = SpoolDirectory.open(disk, base, LogIdentity.of(disk, logs.resolve("app.log")));
    begin(settings(null));
  }

  private static FlightSettings settings(@Nullable String key) {
    return new FlightSettings(
        2, SEGMENTS * SEGMENT, 3600 * SECOND, 4, null, SECOND, 30 * SECOND, 20, key, true);
  }

  private void begin(FlightSettings settings) {
    FlightVoice voice =
        new FlightVoice() {
          @Override
          public void info(String text) {}

          @Override
          public void warn(String text, @Nullable Throwable cause) {
            warnings.add(text);
          }
        };
    flight =
        new Flight(
            settings,
            new FlightContext(
                logs.resolve("app.log"),
                disk,
                true,
                () -> directory,
                ledger,
                voice,
                () -> nowNs,
                () -> 1_700_000_000_000L + nowNs / 1_000_000,
                RING));
    flight.connect(this::open, () -> wakes++, () -> {}, () -> {});
    recorder = flight.recorder();
    dumper = flight.dumper();
  }

  private @Nullable Loop open(long atNs) {
    try {
      return directory.createLoop(
          new SpoolLimits(SEGMENTS * SEGMENT, SEGMENT),
          3600 * SECOND,
          ledger::expire,
          () -> 0,
          atNs);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    close();
    assertThat(ledger.snapshot().held()).isZero();
    assertThat(ledger.snapshot().expired()).isEqualTo(recorded);
    try (Stream<Path> left = Files.list(directory.path())) {
      assertThat(left).isEmpty();
    }
  }

  private void close() throws Exception {
    if (!isClosed) {
      isClosed = true;
      recorder.close();
      flight.stopWithin(SECOND);
      dumper.finish();
      dumper.onClose();
    }
  }

  private void turn(String... texts) {
    turnOf(Level.TRACE, texts);
  }

  /** A turn of the flusher. */
  private void turnOf(Level level, String... texts) {
    String note = recorder.beginTurn(nowNs, texts.length > 0);
    if (note != null) {
      notes.add(note);
    }
    for (String text : texts) {
      record(level, text);
    }
    recorder.endOfBatch();
  }

  private void record(Level level, String text) {
    LoggingEvent event =
        new LoggingEvent("fqcn", context.getLogger("test"), level, text, null, null);
    event.setMDCPropertyMap(
        text.contains("=") ? Map.of("id", text.replaceAll(".*=", "")) : Map.of());
    recorder.record((ILoggingEvent) event, (text + "\n").getBytes(StandardCharsets.UTF_8));
    recorded += level.toInt() < Level.INFO_INT ? 1 : 0;
  }

  private void work() throws Exception {
    int work = dumper.doWork();
    for (int turns = 0; work != 0 && turns < 100; turns++) {
      work = dumper.doWork();
    }
    assertThat(work).as("work without an end").isZero();
  }

  private List<Path> dumps() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files.filter(path -> !path.getFileName().toString().startsWith(".")).sorted().toList();
    }
  }

  private List<String> lines(int dump) throws IOException {
    return Files.readAllLines(dumps().get(dump));
  }

  private List<String> events(int dump) throws IOException {
    return lines(dump).stream().filter(line -> !line.startsWith("#")).toList();
  }

  @Test
  void aDumpHasWhatTheRingHeldWhenItWasDueAndNothingLater() throws Exception {
    turn("before");
    turnOf(Level.ERROR, "error");
    assertThat(wakes).isPositive();
    turn();
    work();
    assertThat(dumps()).as("complete before its end").isEmpty();
    nowNs += SECOND - 1;
    turn("early");
    nowNs += 1;
    turn("in the ring"); // of two turns
    turn("in the rest of the ring");
    assertThat(recorder.isSettled()).isFalse();
    work();
    assertThat(dumps()).isEmpty();
    turn("later");
    assertThat(recorder.isSettled()).isTrue();
    work();
    assertThat(events(0))
        .containsExactly("before", "error", "early", "in the ring", "in the rest of the ring");
    assertThat(lines(0)).last().isEqualTo("# end: 5 events");
    turn();
    assertThat(notes).singleElement().asString().contains(dumps().get(0).toString());
    assertThat(warnings).isEmpty();
  }

  private void pass(long seconds) {
    turn();
    nowNs += seconds * SECOND;
    turn();
    turn();
    turn();
  }

  @Test
  void triggersWithinTheIntervalAreCountedInTheNextDump() throws Exception {
    turnOf(Level.ERROR, "first", "second");
    pass(1);
    work();
    turnOf(Level.ERROR, "third"); // the dump is done
    nowNs += 29 * SECOND - 1;
    turnOf(Level.ERROR, "fourth");
    pass(1);
    work();
    assertThat(dumps()).hasSize(1);
    assertThat(events(0)).containsExactly("first", "second");
    turnOf(Level.ERROR, "fifth");
    pass(1);
    work();
    assertThat(dumps()).hasSize(2);
    assertThat(lines(1)).contains("# 3 triggers since the last dump caused none");
    assertThat(events(1)).containsExactly("first", "second", "third", "fourth", "fifth");
  }

  @Test
  void whatADumpNeedsStaysWhileRecordingGoesOn() throws Exception {
    turn("oldest");
    turnOf(Level.ERROR, "error");
    pass(1);
    for (int i = 0; i < 50; i++) {
      turn("x".repeat(300));
    }
    work();
    assertThat(events(0)).containsExactly("oldest", "error");
    assertThat(ledger.snapshot().expired()).isPositive();
  }

  @Test
  void aDumpOfAFullLoopKeepsThreeQuartersAndSaysWhatItLost() throws Exception {
    for (int i = 0; i < 100; i++) {
      turn("old " + i + " " + "x".repeat(100));
    }
    turnOf(Level.ERROR, "error");
    pass(1);
    long heldThen = ledger.snapshot().held();
    for (int i = 0; i < 1000; i++) {
      turn("new " + i + " " + "x".repeat(100));
    }
    work();
    List<String> found = events(0);
    assertThat(found).last().isEqualTo("error");
    assertThat((long) found.size()).isGreaterThan(heldThen / 2);
    assertThat(found).noneMatch(line -> line.startsWith("new "));
    assertThat(lines(0).get(1)).contains("events are missing here");
    assertThat(lines(0)).last().asString().contains("expired before they were read");
  }

  @Test
  void onlyTheTriggersKeyIsDumped() throws Exception {
    close();
    isClosed = false;
    begin(settings("id"));
    turn("a=1", "b=2", "c", "d=12", "e=1");
    turnOf(Level.ERROR, "error=1");
    turn("f=2", "g=1");
    pass(1);
    work();
    assertThat(events(0)).containsExactly("a=1", "e=1", "error=1", "g=1");
  }

  @Test
  void aLongKeyIsCutAndStillFound() throws Exception {
    close();
    isClosed = false;
    begin(settings("id"));
    String key = "k".repeat(300);
    turn("a=" + key, "b=" + key.substring(1, 20));
    turnOf(Level.ERROR, "error=" + key);
    pass(1);
    work();
    assertThat(events(0)).containsExactly("a=" + key, "error=" + key);
  }

  @Test
  void whatADeadProcessRecordedIsDumpedOnceAndDeleted() throws Exception {
    turn("one", "two");
    Loop left = open(nowNs);
    byte[] record = "\0\0dead\n".getBytes(StandardCharsets.UTF_8);
    left.append(record, 0, record.length, 0, false);
    left.flush();
    left.close(); // as the kernel does for a dead process
    work();
    assertThat(dumps()).singleElement().asString().contains(".crash-");
    assertThat(events(0)).containsExactly("dead");
    nowNs += 3600 * SECOND;
    work();
    assertThat(dumps()).hasSize(1);
  }

  @Test
  void aDeadLoopThatCannotBeDumpedIsTriedAgain() throws Exception {
    Loop left = open(nowNs);
    byte[] record = "\0\0dead\n".getBytes(StandardCharsets.UTF_8);
    left.append(record, 0, record.length, 0, false);
    left.flush();
    left.close();
    disk.affecting(path -> path.toString().endsWith(".part"));
    disk.failFrom(FaultyDisk.Op.WRITE, 1, () -> new IOException("No space left on device"));
    dumper.doWork();
    nowNs += 60 * SECOND;
    dumper.doWork();
    assertThat(dumps()).isEmpty();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("No space left", "retrying every 10 s");
    disk.heal();
    nowNs += 60 * SECOND;
    work();
    assertThat(events(0)).containsExactly("dead");
  }

  @Test
  void anUnfinishedDumpOfADeadProcessIsDeleted() throws Exception {
    Path left = logs.resolve(".app.flight.20260101T000000.000Z.ERROR.log.part");
    Path other = logs.resolve(".app.flight.mine.part");
    Files.createFile(left);
    Files.createFile(other);
    turnOf(Level.ERROR, "error");
    pass(1);
    work();
    assertThat(left).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void aStopThatHasNoTimeLeavesTheLoopToTheNextStart() throws Exception {
    turn("one");
    turnOf(Level.ERROR, "error");
    recorder.close();
    flight.stopWithin(-1);
    assertThat(dumper.finish()).isTrue();
    dumper.onClose();
    isClosed = true;
    assertThat(dumps()).isEmpty();
    begin(settings(null));
    isClosed = false;
    work();
    assertThat(events(0)).containsExactly("one", "error");
  }

  @Test
  void aDumpEndsNoEarlierThanAfterAnEventThatWasLoggedDuringATurn() throws Exception {
    recorder.beginTurn(nowNs, true);
    nowNs += SECOND / 2; // the turn takes long, and the event is logged now
    record(Level.ERROR, "error");
    recorder.endOfBatch();
    nowNs += SECOND / 4;
    turn();
    nowNs += SECOND - 1;
    turn("within a second");
    turn("and this");
    nowNs += 1;
    turn();
    turn();
    turn();
    work();
    assertThat(events(0)).containsExactly("error", "within a second", "and this");
  }

  @Test
  void whatACallCannotRecordIsRecordedInTheNextTurn() throws Exception {
    turn("first");
    assertThat(recorder.isReadyForCall()).isTrue();
    record(Level.TRACE, "x".repeat(SEGMENT - 100));
    recorder.writeForCall();
    assertThat(recorder.isReadyForCall()).as("one waits").isFalse();
    assertThat(ledger.snapshot().held()).isEqualTo(1);
    turn();
    assertThat(ledger.snapshot().held()).isEqualTo(2);
  }
}
