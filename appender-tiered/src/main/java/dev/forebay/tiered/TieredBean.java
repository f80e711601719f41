package dev.forebay.tiered;

import dev.forebay.observe.Ledger;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.tiered.spool.Spool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The JMX view of one start of a tiered appender. */
final class TieredBean extends PipelineBean implements TieredAppenderMXBean {

  private final Ledger ledger;
  private final SpoolPlace place;
  private final ShippingMetrics account;

  TieredBean(
      Ledger ledger,
      AppendGate gate,
      Supplier<@Nullable Pipeline> pipeline,
      SpoolPlace place,
      ShippingMetrics account) {
    super(ledger, gate, pipeline);
    this.ledger = ledger;
    this.place = place;
    this.account = account;
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
  public String getSpoolPath() {
    return place.path();
  }
}
