package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.Gap;
import dev.forebay.tiered.spool.LineSpool;
import dev.forebay.tiered.spool.Voice;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's log as a source of records: has the JVM write it beside the spool, reads it, and has
 * the JVM stop. Opening is tried until it succeeds, unless the configuration is wrong.
 *
 * <p>For the flusher's thread unless a comment says otherwise.
 */
public final class JvmSource {

  private static final long RETRY_NS = 1_000_000_000;

  /** How often the directory is looked at. */
  private static final long LOOK_NS = 1_000_000_000;

  /** Most of the log that is missing if others have ended the output. */
  private static final int CUT_S = 5;

  /**
   * How long after its last line the JVM is asked whether it still writes, and how often then. The
   * line may be a look older, and the question a look late.
   */
  private static final long OUTPUT_LOOK_NS = CUT_S * 1_000_000_000L - 2 * LookPace.LONGEST_NS;

  private static final String CUT =
      "VM.log ended the JVM's log here: up to %d s of it are missing".formatted(CUT_S);

  private final JvmSettings settings;
  private final Path log;
  private final VmLog vmLog;
  private final LinePlace place;
  private final JvmAccount account;
  private final JvmClaim claim;
  private final Voice voice;
  private final LookPace pace = new LookPace();

  /** What the agent has opened; null once it is read. */
  private @Nullable JvmOpening early = JvmOpening.take();

  private @Nullable JvmReading reading;
  private boolean isImpossible;

  private boolean hasFailed;
  private boolean warned;
  private boolean warnedOthers;
  private boolean warnedOutputs;
  private long nextTryNs;
  private long nextLookNs;
  private long nextOutputLookNs;

  /** What the JVM had written when it was last seen to write. */
  private long writtenBytes;

  private long restNs;

  /** Set by threads that wait in flush; what was asked before a complete turn is answered by it. */
  private volatile long asked;

  private volatile long answered;

  /**
   * @param log the file that the lines are shipped to
   * @param owner name of the appender, for others
   */
  public JvmSource(JvmSettings settings, Path log, LinePlace place, String owner, Voice voice) {
    this.settings = settings;
    this.log = log;
    this.vmLog = new VmLog();
    this.place = place;
    this.account = settings.account();
    this.claim = early == null ? new JvmClaim(System.getProperties(), owner) : early.claim();
    this.voice = voice;
  }

  /** Passes on what the JVM has written; returns the number of lines. */
  public int turn(long nowNs) {
    long asking = asked;
    JvmReading current = reading;
    int lines = 0;
    try {
      boolean isPlaced = place.look();
      if (current != null && nowNs - nextLookNs >= 0) {
        nextLookNs = nowNs + LOOK_NS;
        current = follow(current);
      }
      if (current == null && isPlaced) {
        current = open(nowNs);
      }
      if (current != null) {
        lines = current.turn();
        warned = false;
        followOutput(current, nowNs);
      }
    } catch (IOException | VmLogException | RuntimeException e) {
      warn("cannot read the JVM's log: %s; retrying".formatted(e), e);
    }
    if (lines == 0) {
      answered = asking;
    }
    restNs = restAfter(current, lines, nowNs);
    return lines;
  }

  private long restAfter(@Nullable JvmReading current, int lines, long nowNs) {
    long pacedNs =
        current == null
            ? pace.next(nowNs, 0, 0)
            : pace.next(nowNs, current.writtenBytes(), current.output().rotation().fileBytes());
    if (lines == JvmReading.MAX_LINES) {
      return 0; // there may be more
    }
    return current == reading ? pacedNs : Math.min(pacedNs, LookPace.BLOCKED_NS);
  }

  /** How long no turn is needed after the last one, nanoseconds. */
  public long restNs() {
    return restNs;
  }

  /** An output that others have ended is read to its end and replaced by another one. */
  private void followOutput(JvmReading current, long nowNs) throws IOException, VmLogException {
    if (writtenBytes != current.writtenBytes()) {
      writtenBytes = current.writtenBytes();
      nextOutputLookNs = nowNs + OUTPUT_LOOK_NS;
    }
    if (nowNs - nextOutputLookNs < 0) {
      return;
    }
    nextOutputLookNs = nowNs + OUTPUT_LOOK_NS;
    for (VmLogOutput output : vmLog.outputs()) {
      if (output.isFile(current.output().file())) {
        return;
      }
    }
    voice.warn(
        "VM.log, called by others, has ended the JVM's log: up to %d s of it are missing; it is written again from now on"
            .formatted(CUT_S),
        null);
    reading = null;
    try {
      current.end();
      current.takeLast(Gap.notice(CUT));
    } finally {
      leave(current);
    }
  }

  /** Asks for everything that the JVM has written to be passed on. Any thread. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // any later number will do
  public synchronized long ask() {
    asked++;
    return asked;
  }

  /** Whether it has been. Any thread. */
  public boolean isAnswered(long number) {
    return answered >= number;
  }

  private @Nullable JvmReading open(long nowNs) throws IOException, VmLogException {
    if (isImpossible || (hasFailed && nowNs - nextTryNs < 0) || !hasClaim()) {
      return null;
    }
    hasFailed = true; // unless it is opened
    nextTryNs = nowNs + RETRY_NS;
    JvmReading opened = null;
    try {
      opened = tryOpen();
      reading = opened;
      hasFailed = opened == null;
      if (opened != null) {
        account.open();
        nextOutputLookNs = nowNs + OUTPUT_LOOK_NS;
      }
    } catch (VmLogException e) {
      isImpossible = true;
      voice.warn(
          "cannot have the JVM write its log: %s; nothing is written to <file>. This needs HotSpot with the module jdk.management"
              .formatted(e.getMessage()),
          e);
    } finally {
      if (opened == null && early == null) { // else the JVM writes for us
        claim.release();
      }
      account.tried();
    }
    return opened;
  }

  private boolean hasClaim() {
    String owner = claim.take();
    if (owner != null && !warnedOthers) {
      warnedOthers = true;
      voice.warn(
          "the JVM's log is taken by %s, one appender can have it: nothing is written to <file> until that one stops; remove one of the two"
              .formatted(owner),
          null);
    }
    return owner == null;
  }

  private @Nullable JvmReading tryOpen() throws IOException, VmLogException {
    JvmOpening opened = early;
    if (opened != null && !place.holds(opened.spool())) {
      early = null;
      opened.end(vmLog);
      opened = null;
    }
    LineSpool spool = opened == null ? place.create() : opened.spool();
    UlOutput output =
        opened == null ? JvmOpening.open(spool, log, settings, vmLog, voice) : opened.output();
    if (output == null) {
      isImpossible = true;
      return null;
    }
    early = new JvmOpening(spool, output, claim); // until it is read
    warnOfOutputs(spool);
    JvmReading begun = JvmReading.begin(spool, output, settings);
    early = null;
    place.add(spool);
    return begun;
  }

  /** Other outputs may stall the JVM. */
  private void warnOfOutputs(LineSpool spool) throws VmLogException {
    if (!warnedOutputs) {
      warnedOutputs = true;
      for (String text : new OtherOutputs(vmLog.outputs(), spool.disk()).warnings()) {
        voice.warn(text, null);
      }
    }
  }

  /** Ends what was removed by others, and with it what had not been read, or is elsewhere. */
  private @Nullable JvmReading follow(JvmReading removed) throws IOException, VmLogException {
    LineSpool spool = removed.spool();
    if (spool.isIntact() && place.holds(spool)) {
      return removed;
    }
    if (spool.isIntact()) {
      reading = null;
      end(removed);
      return null;
    }
    warn(
        "our directory for %s was removed: what was not read is lost"
            .formatted(removed.output().file()),
        null);
    reading = null;
    try {
      end(removed.output(), removed.mark());
    } finally {
      leave(removed);
    }
    return null;
  }

  /** The JVM stops writing an output of ours; another one stays, to be continued. */
  private void end(UlOutput output, ReadMark mark) throws VmLogException {
    if (output.isOurs()) {
      vmLog.remove(output.file());
    } else {
      mark.leave(System.getProperties(), output);
    }
  }

  /** Nothing more is read; the shipper has it alone. */
  private void leave(JvmReading left) throws IOException {
    try {
      left.close();
    } finally {
      place.retire(left.spool());
    }
  }

  private void warn(String text, @Nullable Exception cause) {
    if (!warned) {
      warned = true;
      voice.warn(text, cause);
    }
  }

  /** Ends: the JVM stops writing, and what it has written is passed on as far as there is room. */
  public void close() {
    JvmReading current = reading;
    reading = null;
    isImpossible = true;
    try {
      if (current != null) {
        end(current);
      } else if (early != null) {
        early.end(vmLog);
        early = null;
      }
    } catch (IOException | VmLogException e) {
      voice.warn("cannot end the JVM's log; the next start ships the rest: " + e, e);
    } finally {
      claim.release();
      account.close();
    }
  }

  private void end(JvmReading current) throws IOException, VmLogException {
    try {
      if (current.output().isOurs()) {
        end(current.output(), current.mark());
        current.end();
      } else {
        while (current.turn() >= JvmReading.MAX_LINES) {
          // until nothing was left for a moment: the JVM goes on writing
        }
        end(current.output(), current.mark());
      }
      current.spool().seal();
    } finally {
      leave(current);
    }
  }
}
