package dev.forebay.tiered;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.ConfigFindings;
import dev.forebay.PipelineOptions;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.overflow.OverflowSettings;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.SpoolQueue;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What the parts of a start share, with segments of 64 KB and fsync always. */
record StartRig(StartContext context, LogLocator locator, ShippingMetrics account) {

  static StartRig of(Path log, Path spools, Disk disk, NanoClock clock, Voice warnings) {
    return of(log, spools, null, null, disk, clock, warnings);
  }

  static StartRig of(
      Path log,
      Path spools,
      @Nullable Long spoolBytes,
      @Nullable OverflowSettings overflow,
      Disk disk,
      NanoClock clock,
      Voice voice) {
    TieredSettings settings =
        new TieredSettings(
            log,
            null,
            false,
            spools,
            spoolBytes,
            64 * 1024,
            FsyncPolicy.ALWAYS,
            CallerEncoding.IF_NEEDED,
            null,
            false,
            null,
            null,
            null,
            overflow);
    StartContext context =
        new StartContext(
            new PipelineOptions().validate("A", new ConfigFindings()),
            settings,
            new Ledger(),
            new LoggerContext(),
            disk,
            clock,
            InstantSource.system(),
            voice,
            null);
    LogLocator locator = new LogLocator(disk, log, null);
    return new StartRig(context, locator, new ShippingMetrics(context, locator));
  }

  /** What the shipper would ship. */
  SpoolQueue queue() {
    return new SpoolQueue(
        new FileDestination(
            new RollingLog(
                LogSettings.plain(
                    context.disk(),
                    context.settings().logName().toString(),
                    null,
                    ByteBuffer.allocate(0),
                    context.voice())),
            true,
            context.clock()),
        (there, lease) -> null,
        account,
        () -> 0);
  }
}
