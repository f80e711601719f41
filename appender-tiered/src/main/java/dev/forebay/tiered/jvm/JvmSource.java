package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.JvmDirectory;
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
  private final LineTarget target;
  private final JvmAccount account;
  private final JvmClaim claim;
  private final Voice voice;
  private final LookPace pace = new LookPace();

  /** What the agent has opened; null once it is read. */
  private @Nullable JvmOpening early = JvmOpening.take();

  private @Nullable JvmReading reading;
  private boolean isImpossible;

  /** Whether others have ended the output that is being read. */
  private boolean isCut;

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
  public JvmSource(JvmSettings settings, Path log, LineTarget target, String owner, Voice voice) {
    this.settings = settings;
    this.log = log;
    this.vmLog = new VmLog();
    this.target = target;
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
      if (current != null && nowNs - nextLookNs >= 0) {
        nextLookNs = nowNs + LOOK_NS;
        current = current.isIntact() ? current : replace(current);
      }
      if (current == null) {
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
    if (lines == 0 && (current == null || !current.isBlocked())) {
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
    boolean isWaiting = isCut || current != null && current.isBlocked();
    return isWaiting ? Math.min(pacedNs, LookPace.BLOCKED_NS) : pacedNs;
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
    if (!isCut && nowNs - nextOutputLookNs >= 0) {
      nextOutputLookNs = nowNs + OUTPUT_LOOK_NS;
      isCut = vmLog.outputs().stream().noneMatch(output -> output.isFile(current.output().file()));
      if (isCut) {
        current.end();
        voice.warn(
            "VM.log, called by others, has ended the JVM's log: up to %d s of it are missing; it is written again from now on"
                .formatted(CUT_S),
            null);
      }
    }
    if (isCut && current.takeLast(Gap.notice(CUT))) {
      isCut = false;
      reading = null;
      current.close();
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
    if (isImpossible
        || target.spool() == null
        || (hasFailed && nowNs - nextTryNs < 0)
        || !hasClaim()) {
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
      if (opened == null) {
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

  /** What the agent has opened, if the log's directory there is still this one. */
  private @Nullable JvmReading tryEarly(JvmOpening opened) throws IOException, VmLogException {
    if (!target.isPlace(opened.directory().path().resolveSibling(""))) {
      early = null;
      opened.end(vmLog);
      return null;
    }
    warnOfOutputs(opened.directory()); // first: whoever begins to read has to go on
    JvmReading begun = JvmReading.begin(opened, settings, target);
    early = null;
    return begun;
  }

  private @Nullable JvmReading tryOpen() throws IOException, VmLogException {
    JvmReading taken = early == null ? null : tryEarly(early);
    if (taken != null) {
      return taken;
    }
    for (VmLogOutput output : vmLog.outputs()) {
      if (output.isFile() && output.file().toAbsolutePath().normalize().equals(log)) {
        refuse(
            "<file> %s is the file of another output of the JVM, with the selection \"%s\": their lines would mix; remove that -Xlog, or write another <file>"
                .formatted(log, output.what()));
        return null;
      }
    }
    JvmDirectory directory = target.createDirectory();
    if (directory == null) {
      return null;
    }
    boolean isOpen = false;
    try {
      if (!directory.disk().isInMemory(directory.path())) {
        refuse(
            "<spoolDirectory> %s is not on tmpfs: the JVM would wait for its disk in every pause; write a directory on tmpfs, such as /dev/shm"
                .formatted(directory.path()));
        return null;
      }
      if (VmLog.isUnspeakable(directory.path())) {
        refuse(
            "<spoolDirectory> %s has a quote in its name, which the JVM's command cannot write; write another directory"
                .formatted(directory.path()));
        return null;
      }
      UlOutput there = settings.takesUp() ? takeUp(directory) : null;
      UlOutput output = there == null ? UlOutput.ours(directory, settings) : there;
      ReadMark mark = ReadMark.of(System.getProperties(), output);
      JvmReading begun = JvmReading.begin(directory, output, mark, settings, target);
      if (there == null && !isAdded(output)) {
        return null;
      }
      begun.look();
      warnOfOutputs(directory);
      isOpen = true;
      return begun;
    } finally {
      if (!isOpen) {
        undo(directory);
      }
    }
  }

  private @Nullable UlOutput takeUp(JvmDirectory directory) throws IOException, VmLogException {
    return new TakeUp(
            vmLog.outputs(),
            directory.disk(),
            directory.path(),
            warning -> voice.warn(warning, null))
        .find();
  }

  private boolean isAdded(UlOutput output) throws VmLogException {
    String answer = vmLog.add(output.file(), settings);
    if (!answer.isEmpty()) {
      refuse(
          "the JVM refuses <what> \"%s\" with <decorators> \"%s\": %s; write both as in -Xlog, such as gc*=info and time,level,tags; jcmd <pid> VM.log list shows all"
              .formatted(settings.what(), settings.decorators(), answer.replaceAll("\\s+", " ")));
    }
    return answer.isEmpty();
  }

  private void undo(JvmDirectory directory) throws IOException, VmLogException {
    try {
      vmLog.remove(directory.path().resolve(JvmDirectory.LOG));
    } finally {
      directory.discard();
    }
  }

  private void refuse(String text) {
    isImpossible = true;
    voice.error(text, null);
  }

  /** Other outputs may stall the JVM. */
  private void warnOfOutputs(JvmDirectory directory) throws VmLogException {
    if (!warnedOutputs) {
      warnedOutputs = true;
      for (String text : new OtherOutputs(vmLog.outputs(), directory.disk()).warnings()) {
        voice.warn(text, null);
      }
    }
  }

  /** The directory was removed by others, and with it what had not been read. */
  private @Nullable JvmReading replace(JvmReading removed) throws IOException, VmLogException {
    warn(
        "our directory for %s was removed: what was not read is lost"
            .formatted(removed.output().file()),
        null);
    reading = null;
    isCut = false;
    leave(removed);
    removed.close();
    return null;
  }

  /** The JVM stops writing an output of ours; another one stays, to be continued. */
  private void leave(JvmReading left) throws VmLogException {
    if (left.output().isOurs()) {
      vmLog.remove(left.output().file());
    } else {
      left.mark().leave(System.getProperties(), left.output());
    }
  }

  private void warn(String text, @Nullable Exception cause) {
    if (!warned) {
      warned = true;
      voice.warn(text, cause);
    }
  }

  /** Adds a line of our own; false if there is no room. */
  public boolean takeOwn(byte[] line) throws IOException {
    JvmReading current = reading;
    return current != null && current.takeOwn(line);
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
        leave(current);
        current.end();
        while (current.turn() > 0) {
          // until nothing is left, or there is no room
        }
      } else {
        while (current.turn() >= JvmReading.MAX_LINES) {
          // until nothing was left for a moment: the JVM goes on writing
        }
        leave(current);
      }
    } finally {
      current.close();
    }
  }
}
