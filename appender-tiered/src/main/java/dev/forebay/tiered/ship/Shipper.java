package dev.forebay.tiered.ship;

import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Carries records from the spools to the log: the only thread that ever waits for the log's disk.
 *
 * <p>Each turn copies what there is, settles it when the fsync policy says so, rolls the log when
 * the user's policy says so, and takes up spools of dead processes. A failure of the disk costs
 * nothing but time: the records stay in the spool, and after a pause the log is opened anew and
 * read to find out where to go on.
 */
public final class Shipper implements Agent {

  private static final int BATCHES_PER_TURN = 64;

  /** Unsettled bytes at which progress is settled early, so that the spool's segments come free. */
  private static final long SETTLE_BYTES = 8L << 20;

  /** Failed attempts to read an orphan, after which it no longer holds up the others. */
  private static final int MAX_FAILED_READS = 5;

  private final Docket docket;
  private final Destination destination;
  private final LogCopier copier;
  private final FsyncPolicy fsync;
  private final ShipmentAccount account;
  private final NanoClock clock;
  private final RetryDelay retry = new RetryDelay();
  private final OthersNotice othersNotice;

  private @Nullable Cargo current;

  /** The log must be opened anew and compared before anything is appended. */
  private boolean lostTrack;

  /** In succession. */
  private int failedReads;

  private boolean stopping;
  private boolean beginOwed;

  /** Whether the active file holds nothing but a header. */
  private boolean sectionEmpty;

  private long lastSettleNs;

  /** Raised by any thread that waits in flush. */
  private volatile boolean settleRequested;

  /** Raised by the stopping thread when its time is over. */
  private volatile boolean givenUp;

  /**
   * @param docket what to ship
   * @param destination where to; owned by this agent
   * @param fsync when to force
   * @param account told of what became of records
   * @param clock monotonic clock
   */
  public Shipper(
      Docket docket,
      Destination destination,
      FsyncPolicy fsync,
      ShipmentAccount account,
      NanoClock clock) {
    this.docket = docket;
    this.destination = destination;
    this.copier = new LogCopier(destination, fsync.forces(), account);
    this.fsync = fsync;
    this.account = account;
    this.clock = clock;
    this.othersNotice = new OthersNotice(destination, account, clock);
    this.lastSettleNs = clock.nanoTime();
  }

  @Override
  public int doWork() {
    long nowNs = clock.nanoTime();
    docket.takeIn();
    if (!retry.isOver(nowNs)) {
      return 0;
    }
    try {
      int work = turn(nowNs);
      retry.succeeded();
      failedReads = 0;
      account.worked();
      return work;
    } catch (IOException | RuntimeException e) { // policies of the user may throw anything
      tellFailure(e);
      lostTrack = failedReads < MAX_FAILED_READS || !setAside(e);
      retry.failed(clock.nanoTime());
      return 0;
    } catch (Error e) { // ends this thread; the next one must not go on in the middle
      lostTrack = true;
      throw e;
    }
  }

  private void tellFailure(Exception e) {
    if (e instanceof SpoolReadException) {
      failedReads++;
      account.unreadable(e);
    } else {
      failedReads = 0;
      account.failed(e);
    }
  }

  private int turn(long nowNs) throws IOException {
    if (!docket.isShipper(nowNs)) {
      lostTrack = true; // others may write to the log until we are
      return 0;
    }
    docket.scan(nowNs);
    // A cargo that broke off may have left half a record in the log: it goes on first.
    Cargo broken = lostTrack ? current : null;
    if (broken != null && broken.isRemoved()) {
      abandon(broken);
      return 1;
    }
    Cargo cargo = broken != null ? broken : docket.next();
    if (cargo == null) {
      return 0;
    }
    if (cargo.isUnused() && cargo != current && !docket.isLast(cargo)) {
      finish(cargo); // on a full file system it has not even a checkpoint
      return 1;
    }
    open();
    if (lostTrack || current != cargo) {
      take(cargo);
    }
    int records = copy(cargo);
    settleIfDue(nowNs);
    // The last one stays, because its checkpoint is needed for the footer.
    if (records == 0 && cargo.isExhausted() && !docket.isLast(cargo)) {
      finish(cargo);
      return 1;
    }
    return records;
  }

  /** A spool that was removed under us cannot be read to its end; what is left of it is lost. */
  private void abandon(Cargo cargo) {
    account.warn("The spool %s was removed".formatted(cargo.source().path()));
    giveUp(cargo);
  }

  private void giveUp(Cargo cargo) {
    copier.abandon();
    docket.remove(cargo);
    current = null;
  }

  /**
   * An orphan that cannot be read is kept for the next start, and the others go on.
   *
   * @return whether all that is in the log is settled now
   */
  private boolean setAside(Exception cause) {
    Cargo cargo = current;
    if (cargo == null || cargo.isOwn()) {
      return false;
    }
    try {
      copier.setAside();
    } catch (IOException e) { // then the log fails too, and its end is still this orphan's
      account.failed(e);
      return false;
    }
    account.warn(
        "The spool %s cannot be read and is kept for the next start: %s"
            .formatted(cargo.source().path(), cause.getCause()));
    docket.setAside(cargo);
    current = null;
    failedReads = 0;
    return true;
  }

  private void open() throws IOException {
    if (lostTrack && destination.isOpen()) {
      destination.close();
    }
    if (!destination.isOpen()) {
      destination.open();
      beginOwed = true;
    }
  }

  private void take(Cargo cargo) throws IOException {
    Cargo before = current;
    if (before != null && before != cargo) {
      copier.unload();
    }
    current = cargo;
    copier.load(cargo);
    lostTrack = false;
    lastSettleNs = clock.nanoTime();
  }

  private int copy(Cargo cargo) throws IOException {
    int records = 0;
    for (int i = 0; i < BATCHES_PER_TURN && !givenUp; i++) {
      if (copier.isAtRecordBoundary() && !prepareNext(cargo)) {
        return records;
      }
      int copied = copier.copyBatch();
      records += copied;
      sectionEmpty &= copied == 0;
      boolean due = copier.unsettledBytes() >= SETTLE_BYTES || fsync.intervalNs() == 0;
      if (due && copier.hasUnsettled()) {
        settle();
      }
      if (copied == 0 && cargo.appended() >= SpoolReadException.limitOf(cargo.source())) {
        return records;
      }
    }
    return givenUp ? records : MORE;
  }

  /** Between two records: others may have moved the log, a header may be owed, a roll be due. */
  private boolean prepareNext(Cargo cargo) throws IOException {
    if (!destination.isUndisturbed() && !goOnBehindOthers()) {
      leaveToOthers();
      return false;
    }
    if (beginOwed) {
      sectionEmpty = destination.position().offset() == 0;
      copier.crossBoundary(destination::begin);
      beginOwed = false;
    }
    // A log that is idle over midnight is rolled too, but not for nothing.
    boolean idle = cargo.appended() >= SpoolReadException.limitOf(cargo.source());
    if (!(idle && sectionEmpty) && destination.isRollDue()) {
      copier.crossBoundary(destination::roll);
      sectionEmpty = true;
    }
    return true;
  }

  /**
   * Where others have only appended, the next batch follows without another look: those who append
   * all the time must not keep us from it.
   *
   * @return whether they did nothing else
   */
  private boolean goOnBehindOthers() throws IOException {
    if (!destination.followAppends()) {
      return false;
    }
    othersNotice.tell("is written to by others too; going on behind their lines");
    copier.goOnBehindOthers();
    beginOwed = false;
    sectionEmpty = false;
    lastSettleNs = clock.nanoTime();
    return true;
  }

  /**
   * Others moved, removed or changed the log. All that was appended stands somewhere, at a place
   * that only they know, unless they removed it: it is settled there, and the log goes on where it
   * is found when it is opened anew.
   */
  private void leaveToOthers() throws IOException {
    othersNotice.tell("was moved, removed or changed by others; opening it anew");
    lostTrack = true;
    if (!destination.isRemoved()) {
      copier.crossBoundary(destination::close);
    }
  }

  private void settleIfDue(long nowNs) throws IOException {
    if (lostTrack || !destination.isOpen() || !copier.isAtRecordBoundary()) {
      return;
    }
    boolean due = settleRequested || fsync.isDue(nowNs - lastSettleNs);
    if (due && copier.hasUnsettled()) {
      settle();
    }
    settleRequested = false;
  }

  private void settle() throws IOException {
    copier.settle();
    lastSettleNs = clock.nanoTime();
  }

  /** A spool that cannot be deleted is left to a later scan, with a mark that it is shipped. */
  private void finish(Cargo cargo) throws IOException {
    if (cargo.home().isDurable() && !cargo.isUnused()) {
      cargo.leaveMark(); // a power cut may bring it back
    }
    try {
      cargo.discard();
    } catch (IOException e) {
      if (!cargo.isRemoved()) {
        cargo.leaveMark();
        account.warn("Cannot delete the spool %s: %s".formatted(cargo.source().path(), e));
      }
      cargo.handOver();
    }
    docket.remove(cargo);
    if (current == cargo) {
      current = null;
    }
  }

  @Override
  public boolean finish() throws IOException {
    if (!stopping) {
      stopping = true;
      retry.succeeded(); // the time to stop in may be shorter than the delay
      docket.hurry();
    }
    settleRequested = true;
    doWork();
    docket.takeIn();
    // An orphan that was found on the way is shipped too, unless it makes trouble.
    boolean shipped = docket.isOwnShipped() && (lostTrack || !docket.hasOrphans());
    return givenUp || shipped || !mayShip();
  }

  private boolean mayShip() {
    try {
      return docket.isShipper(clock.nanoTime());
    } catch (IOException e) {
      account.failed(e);
      return false;
    }
  }

  @Override
  public void onClose() {
    try {
      docket.takeIn();
      Cargo last = current;
      if (last != null && last.isRemoved()) {
        abandon(last);
      }
      endSection();
      for (Cargo cargo = docket.next(); cargo != null && cargo.isExhausted(); ) {
        finish(cargo);
        cargo = docket.next();
      }
      Cargo unfinished = current;
      if (unfinished != null && unfinished.isLostWithProcess()) {
        unfinished.tellLost(account);
        giveUp(unfinished);
      }
    } catch (IOException | RuntimeException e) {
      account.failed(e);
    } finally {
      close(); // also after an Error: this step is not taken twice
    }
  }

  private void close() {
    try {
      destination.close();
    } finally {
      docket.close(); // with its locks, whatever the log does
    }
  }

  private void endSection() throws IOException {
    if (!destination.isOpen() || lostTrack) {
      return;
    }
    if (current == null) {
      destination.end();
    } else if (copier.isAtRecordBoundary()) {
      copier.crossBoundary(destination::end);
    }
  }

  /** Has what was appended settled soon, in front of the interval. Any thread. */
  public void requestSettle() {
    settleRequested = true;
  }

  /**
   * Called by the stopping thread when its time is over: what is not shipped stays in the spool.
   */
  public void giveUp() {
    givenUp = true;
  }
}
