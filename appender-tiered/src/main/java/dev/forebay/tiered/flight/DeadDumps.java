package dev.forebay.tiered.flight;

import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.InstanceId;
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
  public static Agent dumper(
      Path log, Disk disk, LoopPlaces places, FlightVoice voice, NanoClock clock) {
    DumpNames names = new DumpNames(log);
    LeftEvents others =
        new LeftEvents() {
          @Override
          public void left(InstanceId loop, long events) {}

          @Override
          public void gone(InstanceId loop) {}
        };
    return new FlightDumper(
        SETTINGS,
        new FlightOrders(),
        names,
        new DeadLoops(disk, places, names, true, others, voice),
        disk,
        true,
        new FlightMetrics(),
        others,
        voice,
        clock);
  }
}
