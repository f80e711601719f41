package dev.forebay.tiered.jvm;

import dev.forebay.agent.Once;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's log as a source of records: has the JVM write it beside the spool, reads it, and has
 * the JVM stop. Opening is tried until it succeeds, unless the configuration is wrong.
 *
 * <p>For the flusher's thread unless a comment says otherwise.
 */
public final class JvmSource implements Supplier<@Nullable OwnSpool> {

  /** How often to look whether the JVM still writes, or to try again to have it do so. */
  private static final long LOOK_NS = 2_000_000_000;

  private final JvmSettings settings;
  private final Path log;
  private final VmLog vmLog = new VmLog();
  private final Disk disk;
  private final Path wanted;
  private final LogLocator locator;
  private final SpoolQueue queue;
  private final JvmClaim claim;
  private final byte @Nullable [] description;
  private final Voice voice;
  private final Once once;
  private final LookPace pace = new LookPace();

  /** The open output, perhaps opened by the agent; read if there is a {@link #reading}. */
  private @Nullable JvmOpening opened = JvmOpening.take();

  /** Read by any thread. */
  private volatile @Nullable JvmReading reading;

  /** Where spools of the log are; null until the log is known. */
  private @Nullable SpoolDirectory directory;

  private boolean isImpossible;
  private long nextLookNs;
  private long restNs;

  /** Read by any thread. */
  private volatile long emptyTurns;

  /**
   * @param wanted the configured directory for spools
   * @param log the file that the lines are shipped to
   * @param description for the process that ships the lines; null if this one does
   * @param owner name of the appender, for messages of other appenders
   */
  public JvmSource(
      JvmSettings settings,
      Disk disk,
      Path wanted,
      LogLocator locator,
      SpoolQueue queue,
      Path log,
      byte @Nullable [] description,
      String owner,
      Voice voice) {
    this.settings = settings;
    this.log = log;
    this.disk = disk;
    this.wanted = wanted;
    this.locator = locator;
    this.queue = queue;
    this.claim = opened == null ? new JvmClaim(owner) : opened.claim();
    this.description = description;
    this.voice = voice;
    this.once = new Once(voice);
  }

  /** Passes on what the JVM has written; returns the number of lines. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public int turn(long nowNs) {
    int lines = 0;
    try {
      look(nowNs);
      if (nowNs - nextLookNs >= 0) {
        nextLookNs = nowNs + LOOK_NS;
        JvmReading followed = reading;
        if (followed != null) {
          follow(followed);
        }
        if (reading == null && directory != null && !isImpossible) {
          open();
        }
      }
      JvmReading begun = reading;
      if (begun != null) {
        lines = begun.turn();
        once.over("reading");
      }
    } catch (IOException | RuntimeException e) {
      once.warn("reading", "cannot read the JVM's log: %s; retrying".formatted(e), e);
    }
    emptyTurns += lines == 0 ? 1 : 0;
    JvmReading now = reading;
    long nextNs =
        now == null
            ? pace.next(nowNs, 0, 0)
            : pace.next(nowNs, now.writtenBytes(), now.output.rotation().fileBytes());
    restNs = lines == JvmReading.MAX_LINES ? 0 : nextNs; // there may be more
    return lines;
  }

  /** Finds the place, and has shipped what dead JVMs have left there. */
  private void look(long nowNs) throws IOException {
    SpoolDirectory there = directory;
    if (there == null || locator.isOther(there.log())) {
      LogIdentity found = locator.find(nowNs);
      if (found != null) {
        there = SpoolDirectory.open(disk, wanted, found);
        directory = there;
        nextLookNs = nowNs;
        queue.addDirectory(there);
      }
    }
  }

  /** Whether the log is known, and so a spool tried. */
  public boolean isPlaced() {
    return directory != null;
  }

  /** How long no turn is needed after the last one, nanoseconds. */
  public long restNs() {
    return restNs;
  }

  /** Turns that left nothing of what the JVM had written when they began. Any thread. */
  public long emptyTurns() {
    return emptyTurns;
  }

  /** The spool in use; null while there is none. Any thread. */
  @Override
  public @Nullable LineSpool get() {
    JvmReading now = reading;
    return now == null ? null : now.spool;
  }

  /** Ends a reading whose files or output another process has removed; then opens the next one. */
  private void follow(JvmReading followed) throws IOException {
    Path file = followed.output.file();
    boolean isIntact = followed.spool.isIntact();
    SpoolDirectory there = Objects.requireNonNull(directory);
    if (!isIntact || !followed.spool.path().startsWith(there.path())) {
      if (!isIntact) {
        once.warn(
            "reading",
            "our directory for %s was removed: what was not read is lost".formatted(file));
      }
      end(followed, false);
      return;
    }
    if (vmLog.writes(file)) {
      return;
    }
    voice.warn(
        "VM.log, called by others, has ended the JVM's log: up to 5 s of it are missing; it is written again from now on");
    end(followed, true);
  }

  private void open() throws IOException {
    String owner = claim.take();
    if (owner != null) {
      nextLookNs -= LOOK_NS; // again in the next turn: once that one stops, the JVM writes nothing
      once.warn(
          "taken",
          "the JVM's log is taken by %s, one appender can have it: nothing is written to <file> until that one stops; remove one of the two"
              .formatted(owner));
      return;
    }
    try {
      begin();
      settings.account().open();
    } catch (IllegalArgumentException e) {
      isImpossible = true;
      voice.error(String.valueOf(e.getMessage()), null);
    } catch (UnsupportedOperationException e) {
      isImpossible = true;
      voice.warn(
          "cannot have the JVM write its log: %s; nothing is written to <file>. This needs HotSpot with the module jdk.management"
              .formatted(e.getMessage()),
          e);
    } finally {
      if (opened == null) { // else the JVM writes for us
        claim.release();
      }
      settings.account().tried();
    }
  }

  private void begin() throws IOException {
    JvmOpening opening = opened;
    if (opening == null) {
      SpoolDirectory there = Objects.requireNonNull(directory);
      if (disk.stat(there.path()) == null) { // another process has removed it
        there = SpoolDirectory.open(disk, wanted, there.log());
        directory = there;
      }
      opening = JvmOpening.open(there, log, settings, vmLog, claim, voice);
      opened = opening;
    }
    LineSpool spool = opening.spool();
    for (VmLogOutput output : vmLog.outputs()) { // foreign outputs may stall the JVM
      String stall = output.stall(spool.disk());
      if (stall != null) {
        once.warn(stall, stall);
      }
    }
    if (description != null) {
      spool.describe(description);
    }
    reading = JvmReading.begin(spool, opening.output(), settings);
    queue.add(opening.directory(), spool);
  }

  /**
   * The JVM stops writing, or another output is left to be continued. What was written is passed on
   * as far as there is room; then the shipper has the spool alone.
   *
   * @param isEnded whether the output is
   */
  private void end(JvmReading ended, boolean isEnded) throws IOException {
    JvmOpening of = Objects.requireNonNull(opened);
    UlOutput output = of.output();
    try {
      if (output.isOurs() || isEnded) {
        vmLog.remove(output.file());
        ended.end();
      } else {
        try {
          while (ended.turn() >= JvmReading.MAX_LINES) {
            // until nothing was left for a moment: the JVM goes on writing
          }
        } finally {
          ended.mark().leave(output.file());
        }
      }
      of.spool().seal();
    } finally {
      opened = null;
      reading = null;
      ended.close();
      queue.retire(of.directory(), of.spool());
    }
  }

  /** Ends: the JVM stops writing, and what it has written is passed on as far as there is room. */
  public void close() {
    isImpossible = true;
    try {
      JvmReading begun = reading;
      if (begun != null) {
        end(begun, false);
      } else if (opened != null) {
        opened.end(vmLog);
        opened = null;
      }
    } catch (IOException | RuntimeException e) {
      voice.warn("cannot end the JVM's log; the next start ships the rest: " + e, e);
    } finally {
      claim.release();
      settings.account().close();
    }
  }
}
