package dev.forebay.pipeline;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.FailureNotifier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports for one appender: notifies the listeners, and opens and closes the {@link
 * ControlEndpoint}. All of this calls foreign code that may block, so it has a thread of its own.
 * The endpoint is opened some time after the start, so that it does not delay the start.
 *
 * <p>While the flusher is awake, this thread polls; so no log call wakes it. While the flusher
 * sleeps and there is nothing to report, it looks once a minute: a flusher that wakes up wakes it.
 */
final class Reporter implements Agent, ParkPolicy, Consumer<Throwable> {

  /** Longest time between two looks while the flusher is awake, nanoseconds. */
  static final long LOOK_NS = 1_000_000_000;

  /** Longest time between two looks while the flusher sleeps, nanoseconds. */
  static final long QUIET_LOOK_NS = 60 * LOOK_NS;

  /** When an endpoint that threw is tended again. */
  static final long RETRY_NS = 10 * LOOK_NS;

  private final FailureNotifier notifier;
  private final PipelineContext context;
  private final long intervalNs;
  private final Supplier<? extends ControlEndpoint> endpoints;
  private final AgentThread flusherThread;
  private final AgentThread thread;

  /** Made by the reporter's thread, null again once closed; read by the shutdown hook. */
  private volatile @Nullable ControlEndpoint endpoint;

  // Used by the reporter's thread.
  private long lastReportNs;
  private long nextTendNs;

  /** Whether there was nothing to report at the last look. */
  private boolean rested;

  /** Set once, by the thread that stops the appender, or if there can be no endpoint. */
  private volatile boolean leaving;

  /** Whether a report out of turn is to be made: set by the shutdown hook, cleared when it is. */
  private volatile boolean reportRequested;

  /**
   * @param flusherThread wakes this thread; a thread with news wakes the flusher's
   */
  Reporter(
      FailureNotifier notifier,
      long intervalNs,
      Supplier<? extends ControlEndpoint> endpoints,
      PipelineContext context,
      AgentThread flusherThread,
      String threadName) {
    this.notifier = notifier;
    this.intervalNs = intervalNs;
    this.endpoints = endpoints;
    this.context = context;
    this.flusherThread = flusherThread;
    this.lastReportNs = context.clock().nanoTime();
    this.nextTendNs = lastReportNs + parkNs(0, lastReportNs);
    this.thread = new AgentThread(this, this, threadName, context.clock(), this, null);
    flusherThread.whenAwake(thread);
  }

  /** If the system has no thread left, this throws, and {@link #close} then does nothing. */
  void start() {
    thread.start();
  }

  /** Reports what a step has thrown. */
  @Override
  public void accept(Throwable failure) {
    context.voice().warn("The reporter failed", failure);
  }

  @Override
  public void onStart() {
    notifier.started();
  }

  @Override
  public int doWork() {
    closeIfLeaving();
    long nowNs = context.clock().nanoTime();
    report(nowNs);
    tend(nowNs);
    return 0;
  }

  private void report(long nowNs) {
    boolean isRequested = reportRequested; // read before the drops are
    if (rested) {
      // The intervals without news count as if each had ended with a report of nothing. So what
      // follows the first drop is reported along with it, not an interval later.
      lastReportNs += (nowNs - lastReportNs) / intervalNs * intervalNs;
    }
    rested = !notifier.hasNews();
    if (isRequested || (!rested && nowNs - lastReportNs >= intervalNs)) {
      lastReportNs = nowNs;
      notifier.report();
    }
    if (isRequested) {
      reportRequested = false;
    }
  }

  private void tend(long nowNs) {
    if (leaving || nowNs - nextTendNs < 0) {
      return;
    }
    nextTendNs = nowNs + RETRY_NS; // if it throws, for example since the heap is full
    ControlEndpoint known = endpoint;
    ControlEndpoint kept = known == null ? make() : known;
    endpoint = kept; // then looks whether the appender is to leave
    if (!leaving) {
      kept.tend();
      nextTendNs = nowNs;
    }
  }

  private ControlEndpoint make() {
    try {
      return endpoints.get();
    } catch (LinkageError e) { // a runtime without java.management: it would be the same again
      leaving = true;
      throw e;
    }
  }

  private void closeIfLeaving() {
    ControlEndpoint kept = endpoint;
    if (leaving && kept != null) {
      try {
        kept.close();
      } finally {
        endpoint = null;
      }
    }
  }

  private boolean isToBeClosed() {
    return leaving && endpoint != null;
  }

  @Override
  public boolean finish() {
    leaving = true;
    closeIfLeaving();
    return true;
  }

  @Override
  public void onClose() {
    notifier.stopped();
  }

  /** 0 while there is something to do; otherwise the time until the next duty or look. */
  @Override
  public long sleepNs(long nowNs) {
    boolean isQuiet =
        flusherThread.sleepFlag().isUp() // first: what came before it was raised is visible then
            && !reportRequested
            && !isToBeClosed()
            && !notifier.hasNews();
    long tendInNs = leaving || nextTendNs - nowNs <= 0 ? QUIET_LOOK_NS : nextTendNs - nowNs;
    return isQuiet ? tendInNs : 0;
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    return Math.min(intervalNs, LOOK_NS);
  }

  @Override
  public boolean maySleep(long nowNs) {
    return true;
  }

  /**
   * Closes the endpoint if there is one; waits for at most {@code timeoutNs}, since a notification
   * listener may hang. Called by the thread that stops the appender.
   */
  void leave(long timeoutNs) {
    leaving = true; // then looks whether something was opened
    if (isToBeClosed()) {
      thread.wake();
      context.clock().await(() -> endpoint == null, timeoutNs);
    }
  }

  /**
   * Makes the remaining reports, and ends the thread. Waits for at most {@code timeoutNs}: if a
   * listener hangs, the rest follows when it returns. Called by the thread that stops the appender.
   */
  void close(long timeoutNs) {
    thread.requestStop();
    boolean unused = thread.join(timeoutNs);
  }

  /** The shutdown hook. */
  void endWithJvm() {
    ControlEndpoint kept = endpoint;
    if (kept != null) {
      kept.endWithJvm();
    }
  }

  /** Requests a report soon, whatever the interval. May have no effect while one is made. */
  void requestReport() {
    reportRequested = true;
    thread.wake();
  }

  /** Whether listeners know all drops so far, and a report requested is made. Any thread. */
  boolean hasReportedDrops() {
    return notifier.hasReportedDrops() && !reportRequested;
  }
}
