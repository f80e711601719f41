package dev.forebay.tiered.inspect;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.flight.FlightContext;
import dev.forebay.tiered.flight.FlightDumper;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.flight.LoopPlaces;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.Voice;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Dumps what the flight recorders of dead processes have recorded for a log, as the next start of
 * its application would, but beside a file of the user's.
 */
public final class LoopDumps {

  private final LogSpools spools;
  private final Path beside;
  private final Consumer<String> warnings;

  /**
   * Touches nothing yet.
   *
   * @param beside gives the dumps their directory and their names; it need not exist
   * @param warnings receives what the user should know
   */
  public LoopDumps(LogSpools spools, Path beside, Consumer<String> warnings) {
    this.spools = spools;
    this.beside = beside;
    this.warnings = warnings;
  }

  /**
   * Dumps all there are, and deletes each loop when its dump is complete.
   *
   * @param dumped receives what was written
   */
  public void run(Consumer<String> dumped) throws Exception {
    FlightContext context =
        new FlightContext(
            beside, spools.disk(), true, new Places(), voice(dumped), NanoClock.SYSTEM, () -> 0);
    FlightDumper dumper = new FlightDumper(new Flight(FlightSettings.OF_THE_DEAD, context));
    try {
      while (dumper.doWork() != 0) {
        // until nothing is left, or cannot be written
      }
    } finally {
      dumper.onClose();
    }
  }

  private Voice voice(Consumer<String> dumped) {
    return new Voice() {
      @Override
      public void info(String text) {
        dumped.accept(text);
      }

      @Override
      public void warn(String text, @Nullable Throwable cause) {
        warnings.accept(text);
      }
    };
  }

  private final class Places implements LoopPlaces {
    @Override
    public SpoolDirectory own() {
      return spools.directory();
    }

    @Override
    public LogIdentity log() {
      return LogIdentity.of(spools.disk(), beside);
    }
  }
}
