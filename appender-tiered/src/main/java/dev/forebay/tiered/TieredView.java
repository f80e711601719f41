package dev.forebay.tiered;

import dev.forebay.observe.TieredAppenderMXBean;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.jvm.JvmSettings;
import dev.forebay.tiered.spool.OwnSpool;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What JMX shows of one start of a tiered appender. Any thread. */
class TieredView extends PipelineBean implements TieredAppenderMXBean {

  private static final long NS_PER_MS = 1_000_000;

  final TieredStart start;
  private final @Nullable Flight flight;

  TieredView(TieredStart start) {
    super(start.context.ledger(), start.appender.gate);
    this.start = start;
    this.flight = start.flight;
  }

  /** The watermark first: a reader of the account finds the events that it covers. */
  @Override
  public Map<String, Long> getAccount() {
    long durableUpTo = start.account.durableUpTo();
    Map<String, Long> shown = super.getAccount();
    shown.put("durableUpTo", durableUpTo);
    shown.put("recovered", start.account.recovered());
    shown.put("longestWaitMillis", start.account.longestWaitNs() / NS_PER_MS);
    OwnSpool spool = start.spool();
    shown.put("spoolBytes", spool == null ? 0 : spool.usedBytes());
    shown.put("spoolLimitBytes", spool == null ? 0 : spool.limitBytes());
    JvmSettings jvm = start.context.settings().jvm();
    if (jvm != null) {
      shown.put("lostBytes", jvm.account().lostBytes());
    }
    if (start.overflow != null) {
      shown.put("overflowBytes", start.overflow.bytes());
    }
    if (flight != null) {
      flight.show(shown);
    }
    return shown;
  }

  @Override
  public String getSpoolPath() {
    OwnSpool spool = start.spool();
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
