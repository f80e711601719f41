package dev.forebay.pipeline;

import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.redact.Redactor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JMX view of an appender's account and newest pipeline. Any thread. */
public class PipelineBean implements AppenderMXBean {

  private final AppendGate gate;

  public PipelineBean(AppendGate gate) {
    this.gate = gate;
  }

  /** The sink's numbers are read first: a reader finds the events that a watermark covers. */
  @Override
  public Map<String, Long> getAccount() {
    Pipeline running = gate.newest();
    Map<String, Long> ofSink = new LinkedHashMap<>();
    if (running != null) {
      running.sink.show(ofSink);
    }
    LedgerSnapshot snapshot = gate.ledger.snapshot();
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
    account.put("ringFill", running == null ? 0L : running.ring.size());
    account.put("ringCapacity", running == null ? 0L : running.ring.capacity());
    account.putAll(ofSink);
    Redactor redactor = running == null ? null : running.settings.redactor();
    if (redactor != null) {
      redactor.counts().forEach((rule, count) -> account.put("redacted." + rule, count));
    }
    return account;
  }

  @Override
  public String getDegraded() {
    Pipeline running = gate.newest();
    if (running == null) {
      return "";
    }
    String ofSink = running.sink.degraded();
    String failing = running.failures().failing();
    return ofSink + (ofSink.isEmpty() || failing.isEmpty() ? "" : "; ") + failing;
  }

  @Override
  public String getLastError() {
    Pipeline running = gate.newest();
    String ofOutputs = running == null ? "" : running.failures().lastError();
    return ofOutputs.isEmpty() ? gate.lastError() : ofOutputs;
  }

  @Override
  public boolean flush(long timeoutMillis) {
    return gate.flush(Duration.ofMillis(timeoutMillis));
  }
}
