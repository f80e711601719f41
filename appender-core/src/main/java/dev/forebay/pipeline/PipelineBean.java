package dev.forebay.pipeline;

import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.Ledger;
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
  public long getOffered() {
    return ledger.snapshot().offered();
  }

  @Override
  public long getDelivered() {
    return ledger.snapshot().delivered();
  }

  @Override
  public long getDroppedTotal() {
    return ledger.snapshot().dropped();
  }

  @Override
  public Map<String, Map<String, Long>> getDropped() {
    return ledger.snapshot().droppedByReasonAndLevel();
  }

  @Override
  public long getInFlight() {
    return ledger.snapshot().inFlight();
  }

  @Override
  public long getReports() {
    return ledger.snapshot().reports();
  }

  @Override
  public int getRingFill() {
    Pipeline running = pipeline.get();
    return running == null ? 0 : running.ring().size();
  }

  @Override
  public int getRingCapacity() {
    Pipeline running = pipeline.get();
    return running == null ? 0 : running.ring().capacity();
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
