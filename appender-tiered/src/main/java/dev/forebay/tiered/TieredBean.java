package dev.forebay.tiered;

import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.jvm.JvmAccount;
import dev.forebay.tiered.spool.Spool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The JMX view of one start of a tiered appender. */
final class TieredBean extends PipelineBean implements TieredAppenderMXBean {

  private final Ledger ledger;
  private final SpoolPlace place;
  private final ShippingMetrics account;
  private final @Nullable Flight flight;
  private final @Nullable JvmAccount jvm;

  TieredBean(
      Ledger ledger,
      AppendGate gate,
      Supplier<@Nullable Pipeline> pipeline,
      SpoolPlace place,
      ShippingMetrics account,
      @Nullable Flight flight,
      @Nullable JvmAccount jvm) {
    super(ledger, gate, pipeline);
    this.ledger = ledger;
    this.place = place;
    this.account = account;
    this.flight = flight;
    this.jvm = jvm;
  }

  @Override
  public long getSpoolBytes() {
    Spool spool = place.spool();
    return spool == null ? 0 : spool.usedBytes();
  }

  @Override
  public long getSpoolLimitBytes() {
    Spool spool = place.spool();
    return spool == null ? 0 : spool.limitBytes();
  }

  @Override
  public long getDurableUpTo() {
    return account.durableUpTo();
  }

  @Override
  public long getUnconfirmed() {
    return ledger.unconfirmed();
  }

  @Override
  public long getRecovered() {
    return account.recovered();
  }

  @Override
  public long getLostBytes() {
    return jvm == null ? 0 : jvm.lostBytes();
  }

  @Override
  public String getSpoolPath() {
    return place.path();
  }

  @Override
  public long getHeld() {
    return ledger.snapshot().held();
  }

  @Override
  public long getExpired() {
    return ledger.snapshot().expired();
  }

  @Override
  public long getRecorderBytes() {
    return flight == null ? 0 : flight.usedBytes();
  }

  @Override
  public long getDumps() {
    return flight == null ? 0 : flight.dumps();
  }

  @Override
  public long getFailedDumps() {
    return flight == null ? 0 : flight.failedDumps();
  }

  @Override
  public long getDumpedEvents() {
    return flight == null ? 0 : flight.dumpedEvents();
  }

  @Override
  public String getLastDump() {
    return flight == null ? "" : flight.lastDump();
  }

  boolean hasFlightRecorder() {
    return flight != null;
  }

  @Override
  public boolean dump(String reason) {
    return flight != null && flight.dump(reason);
  }
}
