package dev.forebay.tiered;

import dev.forebay.observe.TieredAppenderMXBean;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.jvm.JvmSettings;
import dev.forebay.tiered.spool.OwnSpool;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The JMX view of one start of a tiered appender. */
class TieredBean extends PipelineBean implements TieredAppenderMXBean {

  private final Supplier<@Nullable OwnSpool> place;
  private final ShippingMetrics account;
  private final @Nullable Flight flight;
  private final @Nullable JvmSettings jvm;

  TieredBean(
      StartContext start,
      Supplier<@Nullable OwnSpool> place,
      ShippingMetrics account,
      @Nullable Flight flight) {
    super(start.ledger(), start.gate(), start.appender()::pipeline);
    this.place = place;
    this.account = account;
    this.flight = flight;
    this.jvm = start.settings().jvm();
  }

  /** The watermark first: a reader of the account finds the events that it covers. */
  @Override
  public Map<String, Long> getAccount() {
    long durableUpTo = account.durableUpTo();
    Map<String, Long> shown = super.getAccount();
    shown.put("durableUpTo", durableUpTo);
    shown.put("recovered", account.recovered());
    OwnSpool spool = place.get();
    shown.put("spoolBytes", spool == null ? 0 : spool.usedBytes());
    shown.put("spoolLimitBytes", spool == null ? 0 : spool.limitBytes());
    if (jvm != null) {
      shown.put("lostBytes", jvm.account().lostBytes());
    }
    if (flight != null) {
      flight.show(shown);
    }
    return shown;
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
