package dev.forebay.tiered.flight;

import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.Voice;
import java.nio.file.Path;

/** Dumps what dead processes have recorded, for one who records nothing. */
public final class DeadDumps {

  /** All events of a loop are wanted, and all earlier dumps stay. */
  private static final FlightSettings SETTINGS =
      new FlightSettings(0, 0, 0, Integer.MAX_VALUE, null, 0, 0, Integer.MAX_VALUE, null, true);

  private DeadDumps() {}

  /**
   * A dumper, which is done when a turn of it has no work.
   *
   * @param log gives the dumps their directory, their names and their mode; it need not exist
   */
  public static Agent dumper(Path log, Disk disk, LoopPlaces places, Voice voice, NanoClock clock) {
    FlightContext context = new FlightContext(log, disk, true, places, voice, clock, () -> 0, 0);
    return new FlightDumper(SETTINGS, context, new FlightOrders());
  }
}
