package dev.forebay.tiered;

import dev.forebay.ConfigFindings;
import dev.forebay.PipelineOptions;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.spool.Voice;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts of which only some parts are tested. */
final class Starts {

  private Starts() {}

  /** With segments of 64 KB and fsync always. */
  static StartContext of(
      Path log,
      Path spools,
      @Nullable Long spoolBytes,
      Ledger ledger,
      Disk disk,
      NanoClock clock,
      Voice voice) {
    TieredSettings settings =
        new TieredSettings(
            log, spools, spoolBytes, 64 * 1024, FsyncPolicy.ALWAYS, null, null, false, null, null);
    return new StartContext(
        new TieredAppender(),
        new PipelineOptions().validate("A", new ConfigFindings()),
        settings,
        ledger,
        new AppendGate(ledger),
        disk,
        clock,
        () -> 0,
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
