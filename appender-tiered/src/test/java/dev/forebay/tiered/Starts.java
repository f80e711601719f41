package dev.forebay.tiered;

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
import dev.forebay.tiered.ship.SpoolQueue;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Starts of which only some parts are tested, with segments of 64 KB and fsync always. */
final class Starts {

  private Starts() {}

  static TieredStart of(Path log, Path spools, Disk disk, NanoClock clock, Voice warnings) {
    return of(log, spools, null, null, disk, clock, warnings, new TieredAppender());
  }

  static TieredStart of(
      Path log,
      Path spools,
      @Nullable Long spoolBytes,
      @Nullable OverflowSettings overflow,
      Disk disk,
      NanoClock clock,
      Voice warnings,
      TieredAppender appender) {
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
    return new TieredStart(
        appender,
        new PipelineOptions().validate("A", new ConfigFindings()),
        settings,
        new Ledger(),
        disk,
        clock,
        warnings);
  }

  static SpoolQueue queue(TieredStart of) {
    return new SpoolQueue(
        new FileDestination(
            new RollingLog(
                LogSettings.plain(
                    of.context.disk(),
                    of.context.settings().logName().toString(),
                    null,
                    ByteBuffer.allocate(0),
                    of.context.voice())),
            true,
            of.context.clock()),
        there -> {},
        of.account,
        () -> 0);
  }
}
