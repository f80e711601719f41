package dev.forebay.pipeline;

import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Patience;
import dev.forebay.agent.SleepFlag;
import dev.forebay.observe.FailureNotifier;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports for one appender: notifies the listeners, opens and closes the {@link Outpost}, and warns
 * of carrier threads that were replaced. All of this calls foreign code that may block, so each
 * turn has a thread of its own, one at a time. The {@link Watcher} looks whether a turn is due;
 * stopping the appender begins one too, and so does starting it if there are listeners. What others
 * can look at is opened some time after the start, so that it delays none.
 *
 * <p>A running turn owns the fields that say so; between two turns this object's lock guards them.
 */
final class Reporter {

  private final FailureNotifier notifier;
  private final OutpostCare outpost;
  private final PipelineContext context;
  private final long intervalNs;
  private final Executor turns;
  private final Watchers watchers;
  private final List<AgentThread> watched = new CopyOnWriteArrayList<>();

  /** Replaced by the watcher; the next turn warns of them. */
  private final Queue<AgentThread> replaced = new ConcurrentLinkedQueue<>();

  /** As {@link #announcedBy}; set before the start, null if there is none. */
  private @Nullable SleepFlag herald;

  /** Set by start(), cleared by close(); read by whoever has news. */
  private volatile @Nullable Watcher watcher;

  /** What stopped the watcher from looking; the next turn warns of it. */
  private volatile @Nullable Throwable failure;

  /** Set once, by the start. Read by the thread that stops the appender. */
  private volatile boolean begun;

  /** Whether a turn is running. Guarded by this. */
  private boolean running;

  /** Whether the listeners know of the start. Owned by a running turn. */
  private boolean told;

  // Set once: by the thread that stops the appender, then by a turn.
  private volatile boolean closing;
  private volatile boolean closed;

  /** Reports requested out of turn; written by the shutdown hook. */
  private volatile int reportsRequested;

  /** Of these, those made; written by a turn. */
  private volatile int reportsMade;

  /** Owned by a running turn. */
  private long lastReportNs;

  /** Whether there was nothing to report at the last look. Owned by a running turn. */
  private boolean rested;

  /**
   * @param outposts makes what is shown, some time after the start
   * @param turns runs each turn on a thread of its own; may throw an OutOfMemoryError instead
   */
  Reporter(
      FailureNotifier notifier,
      long intervalNs,
      Supplier<? extends Outpost> outposts,
      PipelineContext context,
      Executor turns,
      Watchers watchers) {
    this.notifier = notifier;
    this.intervalNs = intervalNs;
    this.context = context;
    this.turns = turns;
    this.watchers = watchers;
    this.lastReportNs = context.clock().nanoTime();
    this.outpost = new OutpostCare(outposts, lastReportNs, lookEveryNs());
  }

  /** Replaces this thread if it ends before its work. */
  void watch(AgentThread thread) {
    watched.add(thread);
  }

  /**
   * Names the thread that wakes the watcher for everybody: whoever has news wakes this thread if it
   * sleeps, and it wakes the watcher when its sleep ends. So a log call never wakes the watcher.
   * While this thread is awake, news come without a wake, and the watcher polls. Call before the
   * start.
   */
  void announcedBy(AgentThread thread) {
    herald = thread.sleepFlag();
    thread.whenAwake(this::wakeIfAsleep);
  }

  /**
   * Begins to watch, and a turn if a listener is to be told.
   *
   * @throws OutOfMemoryError if the system has no thread left; {@link #close} undoes what was done
   */
  void start() {
    if (notifier.hasListeners()) {
      begin();
    }
    begun = true;
    watcher = watchers.add(this);
    wake(); // for news since the watcher's first look
  }

  /** Causes a look soon. Any thread, but not in a log call. */
  void wake() {
    Watcher current = watcher;
    if (current != null) {
      current.wake();
    }
  }

  /** Causes a look if the watcher sleeps. Not in a log call. */
  void wakeIfAsleep() {
    Watcher current = watcher;
    if (current != null) {
      current.wakeIfAsleep();
    }
  }

  /**
   * Closes the outpost if it was opened; waits for at most {@code timeoutNs}, since a notification
   * listener may hang. Called by the thread that stops the appender.
   */
  void leave(long timeoutNs) {
    if (outpost.leave()) {
      beginOrRun();
      Patience.await(() -> !outpost.isToBeClosed(), timeoutNs, context.clock());
    }
  }

  /**
   * Makes the last turn if there is something to tell, and waits for it, at most {@code timeoutNs}:
   * if a listener hangs, the turn follows when it returns. Called by the thread that stops the
   * appender.
   */
  void close(long timeoutNs) {
    NanoClock clock = context.clock();
    long deadlineNs = clock.nanoTime() + timeoutNs;
    Watcher current = watcher;
    watcher = null;
    if (current != null) {
      watchers.remove(this, current, timeoutNs);
    }
    if (begun && hasLastTurn()) {
      beginOrRun();
      Patience.await(() -> closed, deadlineNs - clock.nanoTime(), clock);
    }
  }

  private synchronized boolean hasLastTurn() {
    closing = true;
    boolean isOpen = outpost.leave();
    return running || isOpen || isAsked() || notifier.hasListeners() || notifier.hasNews();
  }

  /**
   * Replaces dead threads, and begins a turn if one is due. Calls no foreign code, and lets nothing
   * escape: a turn cannot begin without a thread, for example. The watcher's thread.
   */
  void look() {
    try {
      for (AgentThread thread : watched) {
        if (thread.reviveIfDead()) {
          replaced.add(thread);
        }
      }
      if (isDue()) {
        begin();
      }
    } catch (Throwable t) {
      failure = t;
    }
  }

  private synchronized boolean isDue() {
    if (running || closing) {
      return false;
    }
    long nowNs = context.clock().nanoTime();
    skipIntervals(nowNs);
    boolean news = notifier.hasNews();
    rested = !news;
    return isAsked() || outpost.isDue(nowNs) || news && nowNs - lastReportNs >= intervalNs;
  }

  private boolean isAsked() {
    return failure != null || !replaced.isEmpty() || !hasMadeReports();
  }

  /**
   * Counts the intervals that went by without news as if each had ended with a report of nothing.
   * So what follows the first drop is reported along with it, not an interval later.
   */
  private void skipIntervals(long nowNs) {
    if (rested) {
      lastReportNs += (nowNs - lastReportNs) / intervalNs * intervalNs;
    }
  }

  /**
   * Whether no look is needed until someone wakes the watcher, or for long: nothing can come
   * without that, and there is nothing to report, to repeat or to show. A running turn wakes it at
   * its end if there is.
   */
  boolean isQuiet() {
    try { // the flag first: what came before it was raised is visible then
      return (herald == null || herald.isUp()) && isQuietOrRunning();
    } catch (Throwable t) { // as in look; the watcher polls instead
      return false;
    }
  }

  private synchronized boolean isQuietOrRunning() {
    long nowNs = context.clock().nanoTime();
    return running || closing || !isAsked() && !outpost.isDue(nowNs) && !notifier.hasNews();
  }

  /** How often to look while there are news. */
  long lookEveryNs() {
    return Math.min(intervalNs, Watcher.WATCH_NS);
  }

  /** Has the next turn warn of what the watcher met. */
  void failed(Throwable cause) {
    failure = cause;
  }

  /** Begins a turn, unless one is running: that one takes the requests of a stop along. */
  private void begin() {
    if (!claim()) {
      return;
    }
    boolean isDone = false;
    try {
      turns.execute(this::run);
      isDone = true;
    } finally {
      if (!isDone) {
        release();
      }
    }
  }

  /** Like {@link #begin}; without a thread, this one makes the turn. */
  private void beginOrRun() {
    try {
      begin();
    } catch (OutOfMemoryError e) {
      if (claim()) {
        run();
      }
    }
  }

  private synchronized boolean claim() {
    boolean free = !running;
    running = true;
    return free;
  }

  private synchronized void release() {
    running = false;
  }

  private void run() {
    boolean more = true;
    try {
      while (more) {
        turn();
        more = goesOn();
      }
    } finally {
      if (more) { // an Error has ended it
        release();
      }
      if (!isQuiet()) {
        wake();
      }
    }
  }

  /** Whether a stop requested something meanwhile; otherwise the turn is over. */
  private synchronized boolean goesOn() {
    running = outpost.isToBeClosed() || closing && !closed;
    return running;
  }

  private void turn() {
    if (!told) {
      told = true;
      guarded(notifier::started);
    }
    if (outpost.isToBeClosed()) {
      guarded(outpost::close);
    }
    guarded(this::warn);
    if (closing) {
      guarded(notifier::stopped);
      closed = true;
    } else {
      guarded(this::report);
      guarded(() -> outpost.tend(context.clock().nanoTime()));
    }
  }

  /** Runs a step that must not end the turn. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) { // for example out of memory; the next step still runs
      context.warnings().accept("The reporter failed", t);
    }
  }

  private void warn() {
    Throwable cause = failure;
    if (cause != null) {
      failure = null;
      context.warnings().accept("The reporter failed", cause);
    }
    for (AgentThread thread = replaced.poll(); thread != null; thread = replaced.poll()) {
      context.warnings().accept("Replaced a thread that had died: " + thread, null);
    }
  }

  private void report() {
    int asked = reportsRequested; // read before the drops are
    long nowNs = context.clock().nanoTime();
    skipIntervals(nowNs);
    if (nowNs - lastReportNs >= intervalNs || asked != reportsMade) {
      lastReportNs = nowNs;
      notifier.report();
      reportsMade = asked;
    }
  }

  /** The shutdown hook. */
  void endWithJvm() {
    outpost.endWithJvm();
  }

  /** Requests a report in the next turn, whatever the interval, if there are news. One thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void requestReport() {
    boolean isNeeded;
    synchronized (this) {
      isNeeded = running || notifier.hasNews();
    }
    if (isNeeded) {
      reportsRequested++;
      wake();
    }
  }

  /** Whether all requested reports are made. */
  boolean hasMadeReports() {
    return reportsMade == reportsRequested;
  }
}
