package dev.forebay.pipeline;

import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JMX view of a ledger and the pipeline that feeds it. Any thread. */
public class PipelineBean implements AppenderMXBean {

  private final Ledger ledger;
  private final AppendGate gate;
  private final Supplier<@Nullable Pipeline> pipeline;

  /**
   * @param ledger the account
   * @param gate for the failures of log calls
   * @param pipeline the newest pipeline, null before the first start
   */
  public PipelineBean(Ledger ledger, AppendGate gate, Supplier<@Nullable Pipeline> pipeline) {
    this.ledger = ledger;
    this.gate = gate;
    this.pipeline = pipeline;
  }

  @Override
  public Map<String, Long> getAccount() {
    LedgerSnapshot snapshot = ledger.snapshot();
    Map<String, Long> account = new LinkedHashMap<>();
    account.put("offered", snapshot.offered());
    account.put("delivered", snapshot.delivered());
    account.put("dropped", snapshot.dropped());
    account.put("inFlight", snapshot.inFlight());
    account.put("held", snapshot.held());
    account.put("expired", snapshot.expired());
    snapshot
        .droppedByReasonAndLevel()
        .forEach(
            (reason, levels) ->
                levels.forEach(
                    (level, count) -> account.put("dropped." + reason + "." + level, count)));
    account.put("reports", snapshot.reports());
    account.put("unconfirmed", snapshot.unconfirmed());
    Pipeline running = pipeline.get();
    account.put("ringFill", running == null ? 0L : running.ring().size());
    account.put("ringCapacity", running == null ? 0L : running.ring().capacity());
    return account;
  }

  @Override
  public long[] getTurnsByEvents() {
    Pipeline running = pipeline.get();
    return running == null ? new long[0] : running.turnsByEvents();
  }

  @Override
  public String getDegraded() {
    Pipeline running = pipeline.get();
    return running == null
        ? ""
        : Stream.of(running.sink().degraded(), running.failures().failing())
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; "));
  }

  @Override
  public String getLastError() {
    Pipeline running = pipeline.get();
    String ofOutputs = running == null ? "" : running.failures().lastError();
    return ofOutputs.isEmpty() ? gate.lastError() : ofOutputs;
  }

  @Override
  public boolean flush(long timeoutMillis) {
    Pipeline running = pipeline.get();
    return running != null && running.flush(TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
  }
}
