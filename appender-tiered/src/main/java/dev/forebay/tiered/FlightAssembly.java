package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.Agent;
import dev.forebay.observe.Levels;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.flight.FlightContext;
import dev.forebay.tiered.flight.FlightDumper;
import dev.forebay.tiered.flight.FlightRecorder;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.flight.LoopPlaces;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Assembles the flight recorder of one start. Used by the thread that starts the appender. */
final class FlightAssembly {

  private final StartContext start;
  private final FlightSettings recorded;
  private final Flight flight;

  FlightAssembly(StartContext start, FlightSettings recorded, LogLocator locator) {
    this.start = start;
    this.recorded = recorded;
    this.flight =
        new Flight(
            recorded,
            new FlightContext(
                start.settings().logName(),
                start.disk(),
                start.settings().fsync().forces(),
                places(locator),
                start.voice(),
                start.clock(),
                start.wallClockMs()));
  }

  Flight flight() {
    return flight;
  }

  Agent dumper() {
    return new FlightDumper(flight);
  }

  private LoopPlaces places(LogLocator locator) {
    return new LoopPlaces() {
      @Override
      public @Nullable SpoolDirectory own() {
        LogIdentity log = locator.known();
        try {
          return log == null
              ? null
              : SpoolDirectory.openExisting(start.disk(), start.settings().spoolDirectory(), log);
        } catch (IOException e) {
          return null; // then the spool cannot be there either, and its opening is reported
        }
      }

      @Override
      public LogIdentity log() {
        return locator.get();
      }

      @Override
      public List<SpoolDirectory> others() throws IOException {
        return SpoolDirectory.all(start.disk(), start.settings().spoolDirectory());
      }
    };
  }

  FlightSink sink(SpoolSink spool, Encoder<ILoggingEvent> encoder) {
    return new FlightSink(
        start,
        spool,
        encoder,
        new FlightRecorder(flight, start.ledger(), start.ring().ringCapacity()));
  }

  /** Once loggers are configured. */
  private void lookAtLoggers() {
    RecordedLoggers loggers =
        new RecordedLoggers(start.appender().loggerContext(), start.appender(), recorded.logFrom());
    String level = Levels.of(recorded.logFrom()).name();
    if (!loggers.areMoreThanTheLog()) {
      warn(
          "<flightRecorder> records nothing more than the log, since no logger is below its <level> %s: lower the level of your own packages, for example <logger name=\"com.example\" level=\"TRACE\"/>"
              .formatted(level));
    }
    Set<String> names = loggers.unfilteredAppenders();
    if (!names.isEmpty()) {
      warn(
          "<flightRecorder> has loggers below its <level> %s, and their events also go to the appenders %s, which have no filter: add <filter class=\"ch.qos.logback.classic.filter.ThresholdFilter\"><level>%s</level></filter> to each"
              .formatted(level, names, level));
    }
  }

  private void warn(String text) {
    start.voice().warn(text, null);
  }

  /** Before the threads start. */
  void connect(SpoolPlace place, Runnable wakeShipper, Runnable wakeFlusher) {
    LoopOpener opener = new LoopOpener(start, recorded, place);
    flight.connect(opener::open, wakeShipper, wakeFlusher, this::lookAtLoggers);
  }
}
