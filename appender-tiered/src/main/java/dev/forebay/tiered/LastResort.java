package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Printable;
import dev.forebay.observe.StandardError;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Reports on standard error, once per start, that the log has been unwritable for a while and no
 * status listener exists: Logback prints statuses only at the end of a configuration. Used by the
 * shipper's thread.
 */
final class LastResort {

  /** Most failures that end by themselves are over by then. */
  static final long LASTS_NS = 5_000_000_000L;

  private final BooleanSupplier heard;
  private final NanoClock clock;
  private final Consumer<String> output;
  private boolean failing;
  private boolean reported;
  private long sinceNs;

  /**
   * @param heard whether there is a status listener
   * @param clock monotonic clock
   * @param output receives the text; must not block
   */
  LastResort(BooleanSupplier heard, NanoClock clock, Consumer<String> output) {
    this.heard = heard;
    this.clock = clock;
    this.output = output;
  }

  /** Of one start. */
  static LastResort of(StartContext start) {
    TieredAppender appender = start.appender();
    return new LastResort(
        () -> !StandardError.isNeededFor(appender.loggerContext()),
        start.clock(),
        text ->
            StandardError.printLater(
                Printable.text("Appender [%s]: ".formatted(appender.getName())) + text));
  }

  /** To be called after each failed attempt. */
  void failed(String text) {
    long nowNs = clock.nanoTime();
    if (!failing) {
      failing = true;
      sinceNs = nowNs;
    }
    if (!reported && nowNs - sinceNs >= LASTS_NS) {
      reported = true;
      if (!heard.getAsBoolean()) {
        output.accept(Printable.text(text));
      }
    }
  }

  /** To be called after each successful attempt. */
  void succeeded() {
    failing = false;
  }
}
