package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.ShippedLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Runs the verb on logs that a test makes up, in time that the test lets pass. */
final class ShipRig implements Shipping, Pauses {

  final List<ShippedLog> logs = new ArrayList<>();
  final List<String> said = new ArrayList<>();
  final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 1);
  boolean isDrained;
  boolean hasLooked = true;
  boolean isStarted;
  boolean isClosed;
  int missing;

  /** Called with the time since the start, in milliseconds, at each pause. */
  LongConsumer passes = ms -> {};

  long stopAtMs = Long.MAX_VALUE;

  private final long startNs = nowNs.get();
  private final NanoClock clock = nowNs::get;
  final StringWriter out = new StringWriter();

  static ShippedLog log(String name, long shipped, long waiting, ShippedLog.State state) {
    return new ShippedLog(
        "/var/log/" + name,
        Path.of("/dev/shm/forebay-7/" + name),
        state,
        shipped,
        0,
        0,
        waiting,
        1500,
        state == ShippedLog.State.REFUSED ? "no description" : "");
  }

  static ShippedLog log(String name, long shipped, long waiting) {
    return log(name, shipped, waiting, ShippedLog.State.SHIPPING);
  }

  void set(ShippedLog... now) {
    logs.clear();
    logs.addAll(List.of(now));
  }

  int run(ShipRun.Until until, boolean isChild) throws InterruptedException {
    Messages messages = new Messages(said::add);
    PrintWriter print = new PrintWriter(out, true);
    Output output = new Output();
    ShipStatus status = new ShipStatus(output, false, messages, () -> Instant.EPOCH);
    ShipRun.Ending ending = new ShipRun.Ending(until, Duration.ofSeconds(10), isChild);
    int exitCode = new ShipRun(this, ending, status, messages, this, clock).run();
    messages.close(60_000);
    print.flush();
    return exitCode;
  }

  private void pass(long ns) {
    nowNs.addAndGet(ns);
    passes.accept((nowNs.get() - startNs) / 1_000_000);
  }

  long nowMs() {
    return (nowNs.get() - startNs) / 1_000_000;
  }

  @Override
  public boolean isStopped(long atMostNs) {
    long leftNs = (stopAtMs - nowMs()) * 1_000_000;
    if (stopAtMs == Long.MAX_VALUE && atMostNs == Long.MAX_VALUE) {
      throw new AssertionError("waits for ever");
    }
    boolean isStopped = stopAtMs != Long.MAX_VALUE && leftNs <= atMostNs;
    pass(isStopped ? Math.max(0, leftNs) : atMostNs);
    return isStopped;
  }

  @Override
  public void pause(long ns) {
    pass(ns);
  }

  @Override
  public void start() {
    isStarted = true;
  }

  @Override
  public List<ShippedLog> logs() {
    return List.copyOf(logs);
  }

  @Override
  public boolean hasLooked() {
    return hasLooked;
  }

  @Override
  public boolean isDrained() {
    return isDrained;
  }

  @Override
  public int missing() {
    return missing;
  }

  @Override
  public void close(long limitNs) {
    isClosed = true;
  }
}
