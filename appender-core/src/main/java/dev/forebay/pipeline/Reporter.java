package dev.forebay.pipeline;

import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Patience;
import dev.forebay.agent.SleepFlag;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.JmxRegistration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports for one appender: notifies the listeners, registers the appender with JMX, and warns of
 * carrier threads that were replaced. All of this calls foreign code that may block, so each turn
 * has a thread of its own, one at a time. The {@link Watcher} looks whether a turn is due; starting
 * and stopping the appender begin one too.
 *
 * <p>A running turn owns the fields that say so; between two turns this object's lock guards them.
 */
final class Reporter {

  private final FailureNotifier notifier;
  private final JmxRegistration jmx;
  private final AppenderMXBean bean;
  private final PipelineContext context;
  private final long intervalNs;
  private final Executor turns;
  private final Watchers watchers;
  private final List<AgentThread> watched = new CopyOnWriteArrayList<>();

  /** Replaced by the watcher; the next turn warns of them. */
  private final Queue<AgentThread> replaced = new ConcurrentLinkedQueue<>();

  /** As {@link #announcedBy}; set before the start, null if there is none. */
  private @Nullable SleepFlag herald;

  private final OutpostCare outpost = new OutpostCare();

  /** Set by start(), cleared by close(); read by whoever has news. */
  private volatile @Nullable Watcher watcher;

  /** What stopped the watcher from looking; the next turn warns of it. */
  private volatile @Nullable Throwable failure;

  /** Set once, with the first turn. Read by the thread that stops the appender. */
  private volatile boolean begun;

  /** Whether a turn is running. Guarded by this. */
  private boolean running;

  // Set once: two by the thread that stops the appender, then three by turns.
  private volatile boolean leaving;
  private volatile boolean closing;
  private volatile boolean registered;
  private volatile boolean unregistered;
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
   * @param turns runs each turn on a thread of its own; may throw an OutOfMemoryError instead
   */
  Reporter(
      FailureNotifier notifier,
      long intervalNs,
      JmxRegistration jmx,
      AppenderMXBean bean,
      PipelineContext context,
      Executor turns,
      Watchers watchers) {
    this.notifier = notifier;
    this.intervalNs = intervalNs;
    this.jmx = jmx;
    this.bean = bean;
    this.context = context;
    this.turns = turns;
    this.watchers = watchers;
    this.lastReportNs = context.clock().nanoTime();
  }

  /** Replaces this thread when an Error ends it. Call before it starts. */
  void watch(AgentThread thread) {
    watched.add(thread);
    thread.whenDead(this::wake);
  }

  /**
   * Names the thread that wakes the watcher for everybody: whoever has news wakes this thread if it
   * sleeps, and it wakes the watcher when its sleep ends. So a log call never wakes the watcher,
   * which may need a system call. While this thread is awake, news come without a wake, and the
   * watcher polls. Call before the start.
   */
  void announcedBy(AgentThread thread) {
    herald = thread.sleepFlag();
    thread.whenAwake(this::wakeIfAsleep);
  }

  /** Has turns open this, tend it and close it. Call before the start. */
  void keep(Outpost kept) {
    outpost.keep(kept);
  }

  /** As {@link Pipeline#tendOutpost}. */
  void tendOutpost() {
    outpost.request();
    wake();
  }

  /**
   * Begins the first turn, which registers the appender.
   *
   * @throws OutOfMemoryError if the system has no thread left; {@link #close} undoes what was done
   */
  void start() {
    begin();
    watcher = watchers.add(this);
    wake(); // for news since the watcher's first look
  }

  /** Causes a look soon. Any thread, but not in a log call. */
  void wake() {
    tell(Watcher::wake);
  }

  /** Causes a look if the watcher sleeps. Not in a log call. */
  void wakeIfAsleep() {
    tell(Watcher::wakeIfAsleep);
  }

  private void tell(Consumer<Watcher> what) {
    Watcher current = watcher;
    if (current != null) {
      what.accept(current);
    }
  }

  /** Waits until the appender is registered, if this JVM uses JMX already, or an interrupt. */
  void awaitRegistered(long timeoutNs) {
    Patience.await(
        () -> registered || Thread.currentThread().isInterrupted(), timeoutNs, NanoClock.SYSTEM);
  }

  /**
   * Unregisters the appender from JMX and closes its outpost; waits for at most {@code timeoutNs},
   * since a notification listener may hang. Called by the thread that stops the appender.
   */
  void unregisterFromJmx(long timeoutNs) {
    if (begun) {
      leaving = true;
      beginOrRun();
      Patience.await(() -> unregistered, timeoutNs, context.clock());
    }
  }

  /**
   * Makes the last turn and waits for it, at most {@code timeoutNs}: if a listener hangs, the turn
   * follows when it returns. Called by the thread that stops the appender.
   */
  void close(long timeoutNs) {
    NanoClock clock = context.clock();
    long deadlineNs = clock.nanoTime() + timeoutNs;
    Watcher current = watcher;
    watcher = null;
    if (current != null) {
      watchers.remove(this, current, timeoutNs);
    }
    if (begun) {
      closing = true;
      beginOrRun();
      Patience.await(() -> closed, deadlineNs - clock.nanoTime(), clock);
    }
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
    return isAsked() || news && nowNs - lastReportNs >= intervalNs;
  }

  private boolean isAsked() {
    boolean isBeanDue = registered && jmx.isDue();
    return failure != null
        || !replaced.isEmpty()
        || !hasMadeReports()
        || outpost.isDue()
        || isBeanDue;
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
   * Whether no look is needed until someone wakes the watcher: nothing can come without that, and
   * there is nothing to report, to repeat or to replace. A running turn wakes it at its end if
   * there is.
   */
  boolean isQuiet() {
    try { // the flag first: what came before it was raised is visible then
      return (herald == null || herald.isUp())
          && watched.stream().noneMatch(AgentThread::isDead)
          && isQuietOrRunning();
    } catch (Throwable t) { // as in look; the watcher polls instead
      return false;
    }
  }

  private synchronized boolean isQuietOrRunning() {
    return running || closing || !isAsked() && !notifier.hasNews();
  }

  /** How often to look while there are news. */
  long lookEveryNs() {
    return Math.min(intervalNs, Watcher.WATCH_NS);
  }

  /** Has the next turn warn of what ended the watcher's thread. */
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
      begun = true;
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
    running = leaving && !unregistered || closing && !closed;
    return running;
  }

  private void turn() {
    boolean isFirst = !registered;
    if (isFirst && !JmxRegistration.isInUse()) { // then nobody looks for the bean yet
      registered = true;
    }
    guarded(() -> jmx.open(bean));
    if (isFirst) {
      registered = true;
      guarded(notifier::started);
    }
    if (leaving && !unregistered) {
      guarded(jmx::close);
      guarded(outpost::close);
      wake(); // the watcher's selector lets go of a door
      unregistered = true;
    }
    guarded(this::warn);
    if (closing) {
      guarded(notifier::stopped);
      guarded(jmx::close);
      guarded(outpost::close);
      closed = true;
    } else {
      guarded(this::report);
      guarded(() -> outpost.tend(watcher));
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

  /** Requests a report in the next turn, whatever the interval. One thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void requestReport() {
    reportsRequested++;
    wake();
  }

  /** Whether all requested reports are made. */
  boolean hasMadeReports() {
    return reportsMade == reportsRequested;
  }
}
