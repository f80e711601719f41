package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.spi.FilterAttachable;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.agent.AgentThread;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The whole of a log call: re-entrance guard, filters, and the offer to the running pipeline. Every
 * event ends in the ring or in exactly one counter. Nothing is thrown, with one exception: a thread
 * that runs out of stack gets its StackOverflowError before the event counts as offered.
 *
 * <p>The guard is our own because Logback's has not worked since 1.5.21 and does not count what it
 * refuses. It covers filters and formatting, which are foreign code that may log.
 */
public final class AppendGate {

  private static final VarHandle PIPELINE;

  static {
    try {
      PIPELINE = MethodHandles.lookup().findVarHandle(AppendGate.class, "pipeline", Pipeline.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Ledger ledger;

  @SuppressWarnings("ThreadLocalUsage") // a call into one appender may be inside one of another
  private final ThreadLocal<int @Nullable []> callers = new ThreadLocal<>();

  /** Written by start and stop of the appender; read by every log call. */
  private volatile @Nullable Admission admission;

  /** Written by start; exchanged for null by the one caller that stops it. */
  @SuppressWarnings("unused") // through PIPELINE
  private volatile @Nullable Pipeline pipeline;

  /** Written by any log call whose filters or formatting threw; for JMX. */
  private volatile @Nullable Throwable lastFailure;

  /** Creates a closed gate. */
  public AppendGate(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Passes events to a pipeline from now on. */
  public void open(Pipeline running) {
    pipeline = running;
    admission = running.admission();
  }

  /**
   * Refuses events from now on. Calls that are past this point are left to the pipeline. Any
   * thread.
   *
   * @return the pipeline that events went to, for the one caller that must stop it; null if the
   *     gate was closed
   */
  public @Nullable Pipeline close() {
    admission = null;
    return (Pipeline) PIPELINE.getAndSet(this, (Pipeline) null);
  }

  /** The whole of a log call. Waits only as {@link Admission} and {@link CallTurns} say. */
  public void log(ILoggingEvent event, FilterAttachable<ILoggingEvent> filters) {
    int[] caller = callers.get();
    if (caller == null) {
      caller = CallerState.create();
      callers.set(caller);
    }
    CallerState.probeStack(caller);
    if (caller[CallerState.INSIDE] != 0) {
      ledger.drop(DropReason.REENTRANT, event);
      return;
    }
    caller[CallerState.INSIDE] = 1;
    try {
      if (AgentThread.isCurrentThreadCarrier() && isLoggedHere(event)) {
        ledger.drop(DropReason.REENTRANT, event);
      } else if (filters.getFilterChainDecision(event) != FilterReply.DENY) {
        offer(event, caller);
      }
    } catch (Throwable t) { // foreign code: a log call must not break the caller
      lastFailure = t;
      if (event != null) { // doAppend(null), which no logger calls, has no event to count
        ledger.drop(DropReason.PREPARE_FAILED, event);
      }
    } finally {
      caller[CallerState.INSIDE] = 0;
    }
  }

  /**
   * Whether an encoder or appender logged this on the current carrier thread and would feed itself.
   * An event passed on by another ring has the name of the thread that logged it.
   */
  private static boolean isLoggedHere(ILoggingEvent event) {
    return !(event instanceof DropReport)
        && Thread.currentThread().getName().equals(event.getThreadName());
  }

  private void offer(ILoggingEvent event, int[] caller) {
    Admission running = admission;
    if (running == null) {
      ledger.drop(DropReason.STOPPED, event);
    } else {
      running.offer(event, caller);
    }
  }

  /** The newest failure of a log call in words, or "". */
  public String lastError() {
    Throwable failure = lastFailure;
    return failure == null ? "" : "log call: " + failure;
  }
}
