package dev.forebay.tiered.flight;

import dev.forebay.agent.Agent;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.LoopHold;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolLease;
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
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
public final class FlightDumper implements Agent {

  private static final int BATCH_BYTES = 1 << 20;

  /** Batches copied before the shipper has a turn. */
  private static final int BATCHES_PER_TURN = 8;

  private static final int ID_DIGITS = 8;

  private final Agent shipper;
  private final Flight flight;
  private final Dumps dumps;
  private final DeadLoops deadLoops;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);

  // The order or loop being dumped; both null if none is.
  private Flight.@Nullable Order order;
  private @Nullable RecordSource dead;

  /** The dump under way, once it is begun. */
  private @Nullable Dump dump;

  private boolean hasLookedAround;

  /**
   * Touches no file yet.
   *
   * @param shipper has the first part of each turn, and closes last
   */
  public FlightDumper(Flight flight, Agent shipper) {
    this.shipper = shipper;
    this.flight = flight;
    this.dumps = new Dumps(flight.disk, flight.log);
    this.deadLoops = new DeadLoops(flight, dumps);
  }

  @Override
  public int doWork() throws Exception {
    int shipped = shipper.doWork();
    int dumped = dump();
    return shipped == MORE || dumped == MORE ? MORE : shipped + dumped;
  }

  private int dump() {
    if (flight.ending) {
      leaveDead(); // to the next start
    }
    if (order == null && dead == null) {
      take();
    }
    int done = order == null && dead == null ? 0 : work();
    return order == null && !flight.orders.isEmpty() ? MORE : done;
  }

  private void take() {
    order = flight.orders.poll();
    if (order != null) {
      return;
    }
    discardRetired();
    if (flight.begun && !hasLookedAround) {
      hasLookedAround = true;
      flight.host.onFirstEvent();
    }
    dead = flight.ending ? null : deadLoops.next(flight.clock.nanoTime());
  }

  private int work() {
    try {
      Dump running = dump;
      if (running == null) {
        running = order == null ? begin(Objects.requireNonNull(dead)) : begin(order);
      }
      int copied = 0;
      while (copied < BATCHES_PER_TURN && running.copy()) {
        copied++;
      }
      if (copied == BATCHES_PER_TURN) {
        return MORE;
      }
      if (running.isAtEnd()) {
        complete(running);
        copied++;
      }
      return copied;
    } catch (IOException | RuntimeException | Error e) { // no later turn continues in the file
      fail(e);
      return 1;
    }
  }

  private Dump begin(Flight.Order now) throws IOException {
    RecordSource records = now.loop().read(now.hold());
    Flight.Cause cause = now.cause();
    EventKey.Value key = cause.key();
    byte[] wanted = key == null || !key.exists() ? null : key.bytes;
    Dump begun = create(records, wanted, now.hold());
    begun.addRemark(
        "Forebay flight recorder: dump of %s, trigger %s at %s%s"
            .formatted(
                flight.log, cause.reason(), Instant.ofEpochMilli(cause.timeMs()), selection(key)));
    if (now.leftOut() > 0) {
      begun.addRemark(now.leftOut() + " triggers since the last dump caused none");
    }
    if (now.notRecorded() > 0) {
      begun.addRemark(now.notRecorded() + " events since the last dump could not be recorded");
    }
    return begun;
  }

  private String selection(EventKey.@Nullable Value value) {
    String name = flight.settings.key();
    if (name == null || value == null) {
      return "";
    }
    return !value.exists()
        ? ", all events: the trigger had no " + name
        : ", only events with %s=%s%s"
            .formatted(name, value.text, value.isOwn ? "" : ", the last one of its thread");
  }

  private Dump begin(RecordSource left) throws IOException {
    LogNote note = left.note();
    Dump begun = create(left, null, null);
    begun.addRemark(
        "Forebay flight recorder: what a process that ended without a stop recorded for %s, last written %s"
            .formatted(
                note == null ? flight.log : note.path(),
                Instant.ofEpochMilli(lastWrittenMs(left))));
    return begun;
  }

  private Dump create(RecordSource records, byte @Nullable [] key, @Nullable LoopHold hold)
      throws IOException {
    Path unfinished = dumps.unfinished(records.instanceId());
    Dump begun = new Dump(flight.disk, unfinished, records, batch, key, hold);
    dump = begun; // now, as a remark may fail
    return begun;
  }

  /** The time in the dump's name, the same at each attempt. */
  private long lastWrittenMs(RecordSource left) throws IOException {
    return SpoolLease.lastWrittenMs(flight.disk, left.path());
  }

  /** That of a dead process's loop is the same at each attempt: a kill may come after the first. */
  private Path name(Dump done) throws IOException {
    Flight.Order now = order;
    if (now != null) {
      return dumps.name(done, now.cause().timeMs(), now.cause().reason());
    }
    RecordSource left = Objects.requireNonNull(dead);
    String id = left.instanceId().toString().substring(0, ID_DIGITS);
    Path name = dumps.dump(lastWrittenMs(left), "crash-" + id, 1);
    done.moveTo(name);
    return name;
  }

  private void complete(Dump done) throws IOException {
    done.complete(flight.forces);
    Path name = name(done);
    if (flight.forces) {
      flight.disk.forceDirectory(name.resolveSibling(""));
    }
    dump = null;
    flight.lastDump = name.toString();
    flight.dumpedEvents += done.events();
    flight.dumps++;
    String text = "the flight recorder has written %s: %s".formatted(name, done.summary());
    flight.notes.add("Forebay: " + text);
    flight.voice.info(text);
    if (dead != null) {
      deadLoops.dumped(dead);
    }
    endDump();
  }

  private void fail(Throwable cause) {
    discardFile();
    if (dead != null) {
      deadLoops.failed(dead, cause); // which is tried again and again, and warns once
      dead = null;
    }
    if (order != null) {
      flight.failedDumps++;
      flight.voice.warn(
          "cannot write a dump of the flight recorder (%s) beside %s: %s; its events stay in the recorder until they expire"
              .formatted(order.cause().reason(), flight.log, cause),
          cause);
      endDump();
    }
  }

  private void endDump() {
    dead = null;
    if (order != null) {
      order.loop().endReading();
      order.hold().release();
      order = null;
      flight.owed.decrementAndGet();
    }
    flight.host.wakeFlusher();
    try {
      dumps.removeOld(flight.settings.maxDumps());
    } catch (IOException | RuntimeException | Error e) {
      flight.voice.warn("cannot delete old dumps beside %s: %s".formatted(flight.log, e), e);
    }
  }

  /** Leaves the loop of a dead process to the next look, or the next start. */
  private void leaveDead() {
    RecordSource left = dead;
    if (left != null) {
      discardFile();
      dead = null;
      left.close();
    }
  }

  private void discardFile() {
    Dump begun = dump;
    dump = null;
    if (begun != null) {
      begun.discard();
    }
  }

  private void discardRetired() {
    for (Loop left = flight.retired.poll(); left != null; left = flight.retired.poll()) {
      try {
        left.discard();
      } catch (IOException e) {
        flight.voice.warn("cannot delete %s".formatted(left.path()), e);
        left.close();
      }
    }
  }

  /** Until the next look for dead processes, unless a dump is under way. */
  @Override
  public long sleepNs(long nowNs) {
    boolean isIdle =
        order == null && dead == null && flight.orders.isEmpty() && flight.retired.isEmpty();
    return isIdle ? Math.min(deadLoops.dueInNs(nowNs), shipper.sleepNs(nowNs)) : 0;
  }

  /** Makes the dumps that are left, while there is time. */
  @Override
  public boolean finish() throws Exception {
    boolean isShipped = shipper.finish();
    boolean isOver = flight.clock.nanoTime() - flight.stopNs >= 0;
    return (isOver || dump() == 0) && isShipped;
  }

  /** Deletes our loop. If there was no time for a dump of it, the next start dumps all of it. */
  @Override
  public void onClose() {
    try {
      end();
    } finally {
      shipper.onClose();
    }
  }

  private void end() {
    boolean isUndone = order != null || !flight.orders.isEmpty();
    leaveDead();
    deadLoops.close();
    discardFile();
    if (isUndone) {
      flight.retired.forEach(Loop::close);
    } else {
      discardRetired();
    }
  }
}
