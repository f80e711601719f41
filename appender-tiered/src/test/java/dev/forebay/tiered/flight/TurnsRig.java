package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.agent.Agent;
import dev.forebay.host.DumpFiles;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A flight recorder driven turn by turn: the test is both threads and the clock. */
final class TurnsRig implements Flight.Host {

  static final long SECOND = 1_000_000_000;
  static final int SEGMENT = 1024;
  static final int SEGMENTS = 8;

  /** A ring that a turn may not empty. */
  static final int RING = 2 * EventSink.MAX_TURN;

  final Path base;
  final Path logs;

  final LoggerContext context = new LoggerContext();
  final FaultyDisk disk = new FaultyDisk(new NioDisk());
  final Ledger ledger = new Ledger();
  final List<String> warnings = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  final SpoolDirectory directory;
  Flight flight;
  FlightRecorder recorder;
  Agent dumper;
  long nowNs = SECOND;
  int recorded;
  int wakes;
  int flusherWakes;
  boolean namesLog = true;
  boolean isClosed;

  TurnsRig(Path base, Path logs) throws IOException {
    this.base = base;
    this.logs = logs;
    this.directory = SpoolDirectory.open(disk, base, LogIdentity.of(disk, logs.resolve("app.log")));
    begin(settings(null));
  }

  static FlightSettings settings(@Nullable String key) {
    return new FlightSettings(
        2, SEGMENTS * SEGMENT, 3600 * SECOND, 4, null, SECOND, 30 * SECOND, 20, key, true);
  }

  void begin(FlightSettings settings) {
    isClosed = false;
    flight =
        new Flight(
            settings,
            logs.resolve("app.log"),
            disk,
            true,
            this,
            warnings::add,
            () -> nowNs,
            this::nowMs);
    recorder = new FlightRecorder(flight, ledger, RING, null);
    dumper = new FlightDumper(flight, () -> 0);
  }

  long nowMs() {
    return 1_700_000_000_000L + nowNs / 1_000_000;
  }

  @Override
  public SpoolDirectory directory() {
    return directory;
  }

  @Override
  public Loop open(Spool spool, long atNs) {
    return create(SEGMENT, namesLog);
  }

  @Override
  public void wakeShipper() {
    wakes++;
  }

  @Override
  public void wakeFlusher() {
    flusherWakes++;
  }

  private Loop create(int segment, boolean namesLog) {
    try {
      return directory.createLoop(
          new SpoolLimits((long) SEGMENTS * segment, segment),
          3600 * SECOND,
          ledger::expire,
          () -> 0,
          nowNs,
          namesLog);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Every event is accounted for, and nothing is left in memory. */
  void requireNothingLeft() throws Exception {
    close();
    assertThat(ledger.snapshot().held()).isZero();
    assertThat(ledger.snapshot().expired()).isEqualTo(recorded);
    try (Stream<Path> left = Files.list(directory.path())) {
      assertThat(left).isEmpty();
    }
  }

  void close() throws Exception {
    if (!isClosed) {
      isClosed = true;
      endOrders();
      recorder.close();
      dumper.onClose();
    }
  }

  /** Ends the process as a kill does, except that its files are closed. */
  void kill() {
    isClosed = true;
    Objects.requireNonNull(flight.loop).close();
  }

  /** What a stop does, and the end of the JVM. */
  void endOrders() throws Exception {
    recorder.prepareForEnd();
    for (int turns = 0; recorder.owesDumps() && turns < 100; turns++) {
      turn();
      work();
    }
    assertThat(recorder.owesDumps()).isFalse();
  }

  void turn(String... texts) {
    turnOf(Level.TRACE, texts);
  }

  void turnOf(Level level, String... texts) {
    recorder.beginTurn(nowNs, texts.length > 0, null);
    if (recorder.hasNote()) {
      notes.add(recorder.takeNote());
    }
    for (String text : texts) {
      record(level, text);
    }
    recorder.endOfBatch();
  }

  void record(Level level, String text) {
    LoggingEvent event =
        new LoggingEvent("fqcn", context.getLogger("test"), level, text, null, null);
    event.setMDCPropertyMap(
        text.contains("=") ? Map.of("id", text.replaceAll(".*=", "")) : Map.of());
    event.setInstant(Instant.ofEpochSecond(1_700_000_000, nowNs));
    byte[] line = (text + "\n").getBytes(StandardCharsets.UTF_8);
    recorder.record((ILoggingEvent) event, line, line.length);
    recorded += level.toInt() < Level.INFO_INT ? 1 : 0;
  }

  void work() throws Exception {
    int work = dumper.doWork();
    for (int turns = 0; work != 0 && turns < 100; turns++) {
      work = dumper.doWork();
    }
    assertThat(work).as("work without an end").isZero();
  }

  List<Path> dumps() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files.filter(path -> !path.getFileName().toString().startsWith(".")).sorted().toList();
    }
  }

  List<Path> unfinished() throws IOException {
    return DumpFiles.unfinished(logs.resolve("app.log"));
  }

  List<String> lines(int dump) throws IOException {
    return Files.readAllLines(dumps().get(dump));
  }

  List<String> events(int dump) throws IOException {
    return lines(dump).stream().filter(line -> !line.startsWith("#")).toList();
  }

  void makeDumps() throws Exception {
    for (int i = 0; i < 20; i++) {
      pass(1);
      work();
    }
  }

  void pass(long seconds) {
    turn();
    nowNs += seconds * SECOND;
    turn();
    turn();
    turn();
  }

  /** A dead process's loop with one event. */
  void leaveLoop() throws IOException {
    leave(create(SEGMENT, true), 1, "\0\0dead\n".getBytes(StandardCharsets.UTF_8));
  }

  /** With 10 records of almost a megabyte: a batch holds one, a segment two. */
  void leaveLargeLoop() throws IOException {
    byte[] record = new byte[(1 << 20) - 100];
    Arrays.fill(record, 2, record.length, (byte) 'x');
    record[record.length - 1] = '\n';
    leave(create(2 << 20, true), 10, record);
  }

  private static void leave(Loop loop, int records, byte[] record) throws IOException {
    for (int i = 0; i < records; i++) {
      loop.append(record, 0, record.length, 0, false);
      loop.flush();
    }
    loop.close();
  }
}
