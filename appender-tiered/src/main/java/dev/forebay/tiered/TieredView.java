package dev.forebay.tiered;

import dev.forebay.observe.TieredAppenderMXBean;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.ControlEndpoint;
import dev.forebay.pipeline.JmxRegistration;
import dev.forebay.pipeline.NamedBean;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.spool.OwnSpool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What JMX shows of one start of a tiered appender. Any thread. */
class TieredView extends PipelineBean implements TieredAppenderMXBean {

  final StartContext context;

  /** The spool in use; null while there is none. */
  final Supplier<? extends @Nullable OwnSpool> place;

  private final @Nullable Flight flight;

  TieredView(
      StartContext context,
      AppendGate gate,
      Supplier<? extends @Nullable OwnSpool> place,
      @Nullable Flight flight) {
    super(gate);
    this.context = context;
    this.place = place;
    this.flight = flight;
  }

  /** Where it is shown. */
  ControlEndpoint endpoint() {
    return jmx(new NamedBean(this, TieredAppenderMXBean.class));
  }

  final JmxRegistration jmx(NamedBean bean) {
    return new JmxRegistration(context.loggers(), context.ring().appender(), bean, context.voice());
  }

  @Override
  public String getSpoolPath() {
    OwnSpool spool = place.get();
    if (spool == null) {
      return "";
    }
    return spool.isInHeap() ? "heap" : spool.path().toString();
  }

  @Override
  public String getLastDump() {
    return flight == null ? "" : flight.lastDump();
  }

  @Override
  public String dump(String reason) {
    if (flight == null) {
      throw new IllegalStateException(
          "no flight recorder is configured: add <flightRecorder> to the appender");
    }
    if (!flight.dump(reason)) {
      throw new IllegalStateException(
          "no dump: one is asked for already, or nothing is recorded yet");
    }
    return "dump asked for; a line in the log names it when it is complete";
  }
}
