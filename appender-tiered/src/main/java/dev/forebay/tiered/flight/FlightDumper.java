package dev.forebay.tiered.flight;

import dev.forebay.agent.Agent;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Voice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the dumps that the recorder orders, and those of dead processes' loops. Shares the
 * shipper's thread, since both wait for the log's disk; begins a dump at its trigger and follows
 * the loop until the end.
 */
public final class FlightDumper implements Agent {

  private static final int BATCH_BYTES = 1 << 20;

  /** Then the shipper has a turn. */
  private static final int BATCHES_PER_TURN = 8;

  private final Flight flight;
  private final FlightSettings settings;
  private final FlightContext context;
  private final Dumps dumps;
  private final DeadLoops deadLoops;
  private final Disk disk;
  private final Voice voice;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);

  // What is being dumped: one of them, or nothing.
  private @Nullable DumpOrder order;
  private DeadLoops.@Nullable Found dead;

  /** The dump of it, once it is begun. */
  private @Nullable Dump dump;

  private boolean hasLookedAround;

  /** Touches no file yet. */
  public FlightDumper(Flight flight) {
    this.flight = flight;
    this.settings = flight.settings;
    this.context = flight.context;
    this.disk = context.disk();
    this.dumps = new Dumps(disk, context.log());
    this.deadLoops = new DeadLoops(context, dumps, settings.dumpAtCrash());
    this.voice = context.voice();
  }

  @Override
  public int doWork() {
    if (flight.ending) {
      leaveDead(); // to the next start
    }
    if (order == null && dead == null) {
      take();
    }
    return order == null && dead == null ? 0 : work();
  }

  private void take() {
    order = flight.orders.poll();
    if (order != null) {
      return;
    }
    discardRetired();
    if (flight.begun && !hasLookedAround) {
      hasLookedAround = true;
      flight.onFirstEvent.run();
    }
    dead = flight.ending ? null : deadLoops.next(context.clock().nanoTime());
  }

  private int work() {
    try {
      Dump running = dump == null ? begin() : dump;
      int copied = running.copy(BATCHES_PER_TURN);
      if (copied < BATCHES_PER_TURN && running.isAtEnd()) {
        complete(running);
        copied++;
      }
      return copied < BATCHES_PER_TURN ? copied : MORE;
    } catch (IOException | RuntimeException | Error e) { // no later turn continues in the file
      fail(e);
      return 1;
    }
  }

  private Dump begin() throws IOException {
    DumpOrder ordered = order;
    return ordered == null ? begin(Objects.requireNonNull(dead)) : begin(ordered);
  }

  private Dump begin(DumpOrder now) throws IOException {
    dumps.removeUnfinished(now.timeMs());
    RecordSource records = now.loop().read(now.hold());
    EventKey.Value key = now.key();
    byte[] wanted = key == null || !key.exists() ? null : key.bytes;
    Path name = dumps.freeName(now.timeMs(), now.reason());
    Dump begun = new Dump(disk, name, records, batch, wanted, now.hold());
    dump = begun;
    begun.addRemark(
        "Forebay flight recorder: dump of %s, trigger %s at %s%s"
            .formatted(
                context.log(), now.reason(), Instant.ofEpochMilli(now.timeMs()), selection(key)));
    if (now.leftOut() > 0) {
      begun.addRemark(now.leftOut() + " triggers since the last dump caused none");
    }
    if (now.notRecorded() > 0) {
      begun.addRemark(now.notRecorded() + " events since the last dump could not be recorded");
    }
    return begun;
  }

  private String selection(EventKey.@Nullable Value value) {
    String name = settings.key();
    if (name == null || value == null) {
      return "";
    }
    return !value.exists()
        ? ", all events: the trigger had no " + name
        : ", only events with %s=%s%s"
            .formatted(name, value.text, value.isOwn ? "" : ", the last one of its thread");
  }

  private Dump begin(DeadLoops.Found left) throws IOException {
    Path path = left.dumps().nameOfDead(left.timeMs(), left.reason());
    Dump begun = new Dump(disk, path, left.source(), batch, null, null);
    dump = begun;
    begun.addRemark(
        "Forebay flight recorder: what a process that ended without a stop recorded for %s, last written %s"
            .formatted(left.log(), Instant.ofEpochMilli(left.timeMs())));
    return begun;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void complete(Dump done) throws IOException {
    DeadLoops.Found left = dead;
    Path name = done.complete(context.forces());
    dump = null;
    flight.lastDump = name.toString();
    flight.dumpedEvents += done.events();
    flight.dumps++;
    String text = "the flight recorder has written %s: %s".formatted(name, done.summary());
    flight.notes.add("Forebay: " + text);
    voice.info(text);
    if (left != null) {
      dead = null;
      deadLoops.dumped(left.source());
      flight.wakeFlusher.run();
    }
    endOrder();
    try {
      (left == null ? dumps : left.dumps()).removeOldest(name, settings.maxDumps());
    } catch (IOException e) {
      voice.warn("cannot delete dumps beyond <maxDumps> beside %s".formatted(name), e);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void fail(Throwable cause) {
    abandonFile();
    DeadLoops.Found left = dead;
    if (left != null) {
      dead = null;
      deadLoops.failed(left.source(), cause);
      return;
    }
    flight.failedDumps++;
    voice.warn(
        "cannot write a dump of the flight recorder (%s) beside %s: %s; its events stay in the recorder until they expire"
            .formatted(Objects.requireNonNull(order).reason(), context.log(), cause),
        cause);
    endOrder();
  }

  private void endOrder() {
    DumpOrder done = order;
    if (done != null) {
      done.hold().release();
      order = null;
      flight.addDone();
      flight.wakeFlusher.run();
    }
  }

  /** Leaves the loop of a dead process to the next look, or the next start. */
  private void leaveDead() {
    DeadLoops.Found left = dead;
    if (left != null) {
      abandonFile();
      dead = null;
      left.source().close();
    }
  }

  private void abandonFile() {
    Dump begun = dump;
    dump = null;
    if (begun != null) {
      begun.abandon();
    }
  }

  private void discardRetired() {
    for (Loop left = flight.retired.poll(); left != null; left = flight.retired.poll()) {
      try {
        left.discard();
      } catch (IOException e) {
        voice.warn("cannot delete %s".formatted(left.path()), e);
        left.close();
      }
    }
  }

  /** Until the next look for dead processes, unless a dump is under way. */
  @Override
  public long sleepNs(long nowNs) {
    boolean isIdle =
        order == null && dead == null && flight.orders.isEmpty() && flight.retired.isEmpty();
    return isIdle ? deadLoops.dueInNs(nowNs) : 0;
  }

  /**
   * Deletes our loop. If a dump of it is not done: the flusher's thread has given it its time, the
   * next start dumps all of it.
   */
  @Override
  public void onClose() {
    boolean isUndone = order != null || !flight.orders.isEmpty();
    leaveDead();
    deadLoops.close();
    abandonFile();
    if (isUndone) {
      flight.retired.forEach(Loop::close);
    } else {
      discardRetired();
    }
  }
}
