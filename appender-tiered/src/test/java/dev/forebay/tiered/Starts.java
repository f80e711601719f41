package dev.forebay.tiered;

import dev.forebay.ConfigFindings;
import dev.forebay.PipelineOptions;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.FsyncPolicy;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts of which only some parts are tested. */
final class Starts {

  private Starts() {}

  /** With segments of 64 KB and fsync always. */
  static TieredStart of(
      Path log,
      Path spools,
      @Nullable Long spoolBytes,
      Ledger ledger,
      Disk disk,
      NanoClock clock,
      Voice voice) {
    return of(log, spools, spoolBytes, ledger, disk, clock, voice, new TieredAppender());
  }

  /** The same of this appender. */
  static TieredStart of(
      Path log,
      Path spools,
      @Nullable Long spoolBytes,
      Ledger ledger,
      Disk disk,
      NanoClock clock,
      Voice voice,
      TieredAppender appender) {
    TieredSettings settings =
        new TieredSettings(
            log, spools, spoolBytes, 64 * 1024, FsyncPolicy.ALWAYS, null, null, false, null, null);
    return new TieredStart(
        appender,
        new PipelineOptions().validate("A", new ConfigFindings()),
        settings,
        ledger,
        disk,
        clock,
        voice);
  }

  /** One that passes on warnings only. */
  static Voice voice(Consumer<String> warnings) {
    return new Voice() {
      @Override
      public void info(String text) {}

      @Override
      public void warn(String text, @Nullable Throwable cause) {
        warnings.accept(text);
      }
    };
  }
}
