package dev.forebay.tiered.flight;

import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.RecordBatch;
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
final class FlightDumper implements Agent {

  private static final int BATCH_BYTES = 1 << 20;

  /** Then the shipper has a turn. */
  private static final int BATCHES_PER_TURN = 8;

  private final FlightSettings settings;
  private final FlightOrders orders;
  private final DumpNames names;
  private final DumpDirectory directory;
  private final DeadLoops deadLoops;
  private final Disk disk;
  private final boolean forces;
  private final FlightMetrics metrics;
  private final FlightVoice voice;
  private final NanoClock clock;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);

  private @Nullable DumpOrder order;
  private @Nullable Dump dump;
  private @Nullable DumpFile file;
  private @Nullable Path path;

  /** Set before the thread starts. */
  private Runnable wakeFlusher = () -> {};

  private Runnable onFirstRecorded = () -> {};

  private boolean hasLookedAround;

  /** Set by the stopping thread: when a stop gives up what is not done. */
  private volatile long deadlineNs;

  private volatile boolean hasDeadline;

  FlightDumper(
      FlightSettings settings,
      FlightOrders orders,
      DumpNames names,
      DeadLoops deadLoops,
      Disk disk,
      boolean forces,
      FlightMetrics metrics,
      FlightVoice voice,
      NanoClock clock) {
    this.settings = settings;
    this.orders = orders;
    this.names = names;
    this.directory = new DumpDirectory(disk, names, settings.maxDumps());
    this.deadLoops = deadLoops;
    this.disk = disk;
    this.forces = forces;
    this.metrics = metrics;
    this.voice = voice;
    this.clock = clock;
  }

  void connect(Runnable wake, Runnable firstRecorded) {
    wakeFlusher = wake;
    onFirstRecorded = firstRecorded;
  }

  @Override
  public int doWork() {
    DumpOrder now = order;
    if (now == null) {
      now = orders.orders.poll();
      order = now;
    }
    if (now != null) {
      return work(now);
    }
    discardRetired();
    if (orders.recorded && !hasLookedAround) {
      hasLookedAround = true;
      onFirstRecorded.run();
    }
    return deadLoops.look(clock.nanoTime(), this::dumpDead) ? 1 : 0;
  }

  private int work(DumpOrder now) {
    boolean isDone = false;
    try {
      Dump running = dump;
      if (running == null) {
        running = begin(now);
        dump = running;
      }
      int copied = 0;
      while (copied < BATCHES_PER_TURN && running.copy()) {
        copied++;
        now.hold().release(running.nextSequence());
      }
      if (copied == BATCHES_PER_TURN) {
        isDone = true;
        return MORE;
      }
      if (running.nextSequence() >= now.hold().to()) {
        complete(running);
        end(now);
      }
      isDone = true;
      return copied;
    } catch (IOException | RuntimeException e) {
      fail(now.reason(), e);
      end(now);
      isDone = true;
      return 1;
    } finally {
      if (!isDone) { // an Error ends this thread; the next one must not continue in the file
        abandonFile();
        end(now);
      }
    }
  }

  private Dump begin(DumpOrder now) throws IOException {
    DumpFile begun = create(directory.freeName(now.timeMs(), now.reason()));
    String key = now.key();
    begun.addRemark(
        "Forebay flight recorder: dump of %s, trigger %s at %s%s"
            .formatted(
                names.log(),
                now.reason(),
                Instant.ofEpochMilli(now.timeMs()),
                key == null ? "" : ", only events with %s=%s".formatted(settings.key(), key)));
    if (now.leftOut() > 0) {
      begun.addRemark(now.leftOut() + " triggers since the last dump caused none");
    }
    if (now.notRecorded() > 0) {
      begun.addRemark(now.notRecorded() + " events since the last dump could not be recorded");
    }
    return new Dump(
        now.loop().read(now.hold()),
        batch,
        begun,
        key == null ? null : RecordLayout.keyBytes(key),
        true);
  }

  private DumpFile create(Path wanted) throws IOException {
    directory.removeUnfinished();
    DumpFile begun = DumpFile.create(disk, wanted);
    file = begun;
    path = wanted;
    return begun;
  }

  /** Writes all of a dead process's loop. */
  private void dumpDead(DeadLoops.Found dead) throws IOException {
    boolean isDone = false;
    try {
      DumpFile begun = create(names.dump(dead.timeMs(), dead.reason(), 1));
      begun.addRemark(
          "Forebay flight recorder: what a process recorded that ended without a stop, last written %s"
              .formatted(Instant.ofEpochMilli(dead.timeMs())));
      Dump all = new Dump(dead.source(), batch, begun, null, false);
      boolean goesOn = true;
      while (goesOn) {
        goesOn = all.copy();
      }
      complete(all);
      isDone = true;
    } finally {
      if (!isDone) {
        abandonFile();
      }
    }
  }

  private void complete(Dump done) throws IOException {
    DumpFile complete = Objects.requireNonNull(file);
    Path name = Objects.requireNonNull(path);
    complete.addRemark("end: " + done.summary());
    complete.complete(name, names.log(), forces);
    file = null;
    metrics.dumped(name.toString(), done.events());
    String text = "the flight recorder has written %s: %s".formatted(name, done.summary());
    orders.notes.add("Forebay: " + text);
    voice.info(text);
    try {
      directory.removeOldest();
    } catch (IOException e) {
      voice.warn("cannot delete dumps beyond <maxDumps> beside %s".formatted(name), e);
    }
  }

  private void fail(String reason, Exception cause) {
    metrics.failed();
    voice.warn(
        "cannot write a dump of the flight recorder (%s) beside %s: %s; its events stay in the recorder until they expire"
            .formatted(reason, names.log(), cause),
        cause);
    abandonFile();
  }

  private void abandonFile() {
    DumpFile left = file;
    file = null;
    if (left != null) {
      left.abandon();
    }
  }

  private void end(DumpOrder done) {
    done.hold().release();
    dump = null;
    order = null;
    orders.addDone();
    wakeFlusher.run();
  }

  private void discardRetired() {
    for (Loop left = orders.retired.poll(); left != null; left = orders.retired.poll()) {
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
    boolean isIdle = order == null && orders.orders.isEmpty() && orders.retired.isEmpty();
    return isIdle ? deadLoops.dueInNs(nowNs) : 0;
  }

  /** Called by the stopping thread: how long {@link #finish} may take. */
  void stopWithin(long timeoutNs) {
    deadlineNs = clock.nanoTime() + timeoutNs;
    hasDeadline = true;
  }

  @Override
  public boolean finish() {
    if (hasDeadline && clock.nanoTime() - deadlineNs >= 0) {
      return true;
    }
    DumpOrder now = order == null ? orders.orders.poll() : order;
    order = now;
    if (now != null) {
      work(now);
    }
    return order == null && orders.orders.isEmpty();
  }

  /** Deletes our loop. If a dump of it is not done, the next start dumps all of it. */
  @Override
  public void onClose() {
    boolean isUndone = order != null || !orders.orders.isEmpty();
    abandonFile();
    if (isUndone) {
      orders.retired.forEach(Loop::close);
    } else {
      discardRetired();
    }
  }
}
