package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Printable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Says once a start, on standard error, that the log cannot be written, when that lasts and nobody
 * listens to statuses: Logback prints them at the end of a configuration only. Used by the
 * shipper's thread.
 */
final class LastResort {

  /** Most failures that need nobody are over by then. */
  static final long LASTS_NS = 5_000_000_000L;

  private final BooleanSupplier heard;
  private final NanoClock clock;
  private final Consumer<String> output;
  private boolean failing;
  private boolean told;
  private long sinceNs;

  /**
   * @param heard whether anybody listens to statuses
   * @param clock monotonic clock
   * @param output takes the text; must not block
   */
  LastResort(BooleanSupplier heard, NanoClock clock, Consumer<String> output) {
    this.heard = heard;
    this.clock = clock;
    this.output = output;
  }

  /** After each failed attempt. */
  void failed(String text) {
    long nowNs = clock.nanoTime();
    if (!failing) {
      failing = true;
      sinceNs = nowNs;
    }
    if (!told && nowNs - sinceNs >= LASTS_NS) {
      told = true;
      if (!heard.getAsBoolean()) {
        output.accept(Printable.text(text));
      }
    }
  }

  /** After each attempt that succeeded. */
  void succeeded() {
    failing = false;
  }
}
