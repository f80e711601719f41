package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.spi.FilterAttachable;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.agent.AgentThread;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import java.util.concurrent.atomic.AtomicReference;
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

  /** What a call keeps in an {@code int[]}: 1 during a log call, otherwise 0. */
  private static final int INSIDE = 0;

  /** And the identity of the MDC map weighed last, if it was large; otherwise 0. */
  static final int LARGE_MDC = 1;

  private static final int CALLER_STATE = 2;

  private final Ledger ledger;

  /** What a pooled thread refers to is of the JDK, so that it does not keep this class alive. */
  @SuppressWarnings("ThreadLocalUsage") // a call into one appender may be inside one of another
  private final ThreadLocal<int @Nullable []> callers = new ThreadLocal<>();

  /** Written by start and stop of the appender; read by every log call. */
  private volatile @Nullable Admission admission;

  /** Written by start; exchanged for null by the one caller that stops it. */
  private final AtomicReference<@Nullable Pipeline> pipeline = new AtomicReference<>();

  /** Written by any log call whose filters or formatting threw; for JMX. */
  private volatile @Nullable Throwable lastFailure;

  /** Creates a closed gate. */
  public AppendGate(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Passes events to a pipeline from now on. */
  public void open(Pipeline running) {
    pipeline.set(running);
    admission = running.admission();
  }

  /** The pipeline that events go to; null while the gate is closed. */
  public @Nullable Pipeline pipeline() {
    return pipeline.get();
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
    return pipeline.getAndSet(null);
  }

  /** The whole of a log call. Waits only as {@link Admission} and {@link CallTurns} say. */
  public void log(ILoggingEvent event, FilterAttachable<ILoggingEvent> filters) {
    int[] caller = callers.get();
    if (caller == null) {
      caller = newCaller();
      callers.set(caller);
    }
    probeStack(caller);
    if (caller[INSIDE] != 0) {
      ledger.drop(DropReason.REENTRANT, event);
      return;
    }
    caller[INSIDE] = 1;
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
      caller[INSIDE] = 0;
    }
  }

  /**
   * Whether an encoder or appender logged this on the current carrier thread and would feed itself.
   * An event passed on by another ring has the name of the thread that logged it.
   */
  private static boolean isLoggedHere(ILoggingEvent event) {
    return !(event instanceof OwnEvent)
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

  /** What a thread remembers between log calls. Used by that thread. */
  static int[] newCaller() {
    return new int[CALLER_STATE];
  }

  /**
   * Checks that there is enough stack for the rest of a log call before the call changes anything:
   * throws a StackOverflowError, or does nothing. A thread near the end of its stack gets its error
   * here, not between two steps that belong together, such as claiming a slot of the ring and
   * filling it.
   *
   * <p>An interpreted method has a frame for all its variables, used or not: 8 KB here, about three
   * times what our longest chain of calls takes. Compiled code keeps no unused variables, but it
   * touches as much stack as the method would need if it had to continue in the interpreter, which
   * the branch below makes possible. That costs two stores.
   */
  @SuppressWarnings({"unused", "UnusedVariable", "MultiVariableDeclaration"})
  static void probeStack(int[] caller) {
    // spotless:off
    long v00, v01, v02, v03, v04, v05, v06, v07, v08, v09, v0a, v0b, v0c, v0d, v0e, v0f;
    long v0g, v0h, v0i, v0j, v0k, v0l, v0m, v0n, v0o, v0p, v0q, v0r, v0s, v0t, v0u, v0v;
    long v0w, v0x, v0y, v0z, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v1a, v1b;
    long v1c, v1d, v1e, v1f, v1g, v1h, v1i, v1j, v1k, v1l, v1m, v1n, v1o, v1p, v1q, v1r;
    long v1s, v1t, v1u, v1v, v1w, v1x, v1y, v1z, v20, v21, v22, v23, v24, v25, v26, v27;
    long v28, v29, v2a, v2b, v2c, v2d, v2e, v2f, v2g, v2h, v2i, v2j, v2k, v2l, v2m, v2n;
    long v2o, v2p, v2q, v2r, v2s, v2t, v2u, v2v, v2w, v2x, v2y, v2z, v30, v31, v32, v33;
    long v34, v35, v36, v37, v38, v39, v3a, v3b, v3c, v3d, v3e, v3f, v3g, v3h, v3i, v3j;
    long v3k, v3l, v3m, v3n, v3o, v3p, v3q, v3r, v3s, v3t, v3u, v3v, v3w, v3x, v3y, v3z;
    long v40, v41, v42, v43, v44, v45, v46, v47, v48, v49, v4a, v4b, v4c, v4d, v4e, v4f;
    long v4g, v4h, v4i, v4j, v4k, v4l, v4m, v4n, v4o, v4p, v4q, v4r, v4s, v4t, v4u, v4v;
    long v4w, v4x, v4y, v4z, v50, v51, v52, v53, v54, v55, v56, v57, v58, v59, v5a, v5b;
    long v5c, v5d, v5e, v5f, v5g, v5h, v5i, v5j, v5k, v5l, v5m, v5n, v5o, v5p, v5q, v5r;
    long v5s, v5t, v5u, v5v, v5w, v5x, v5y, v5z, v60, v61, v62, v63, v64, v65, v66, v67;
    long v68, v69, v6a, v6b, v6c, v6d, v6e, v6f, v6g, v6h, v6i, v6j, v6k, v6l, v6m, v6n;
    long v6o, v6p, v6q, v6r, v6s, v6t, v6u, v6v, v6w, v6x, v6y, v6z, v70, v71, v72, v73;
    long v74, v75, v76, v77, v78, v79, v7a, v7b, v7c, v7d, v7e, v7f, v7g, v7h, v7i, v7j;
    long v7k, v7l, v7m, v7n, v7o, v7p, v7q, v7r, v7s, v7t, v7u, v7v, v7w, v7x, v7y, v7z;
    long v80, v81, v82, v83, v84, v85, v86, v87, v88, v89, v8a, v8b, v8c, v8d, v8e, v8f;
    long v8g, v8h, v8i, v8j, v8k, v8l, v8m, v8n, v8o, v8p, v8q, v8r, v8s, v8t, v8u, v8v;
    long v8w, v8x, v8y, v8z, v90, v91, v92, v93, v94, v95, v96, v97, v98, v99, v9a, v9b;
    long v9c, v9d, v9e, v9f, v9g, v9h, v9i, v9j, v9k, v9l, v9m, v9n, v9o, v9p, v9q, v9r;
    long v9s, v9t, v9u, v9v, v9w, v9x, v9y, v9z, va0, va1, va2, va3, va4, va5, va6, va7;
    long va8, va9, vaa, vab, vac, vad, vae, vaf, vag, vah, vai, vaj, vak, val, vam, van;
    long vao, vap, vaq, var, vas, vat, vau, vav, vaw, vax, vay, vaz, vb0, vb1, vb2, vb3;
    long vb4, vb5, vb6, vb7, vb8, vb9, vba, vbb, vbc, vbd, vbe, vbf, vbg, vbh, vbi, vbj;
    long vbk, vbl, vbm, vbn, vbo, vbp, vbq, vbr, vbs, vbt, vbu, vbv, vbw, vbx, vby, vbz;
    long vc0, vc1, vc2, vc3, vc4, vc5, vc6, vc7, vc8, vc9, vca, vcb, vcc, vcd, vce, vcf;
    long vcg, vch, vci, vcj, vck, vcl, vcm, vcn, vco, vcp, vcq, vcr, vcs, vct, vcu, vcv;
    long vcw, vcx, vcy, vcz, vd0, vd1, vd2, vd3, vd4, vd5, vd6, vd7, vd8, vd9, vda, vdb;
    long vdc, vdd, vde, vdf, vdg, vdh, vdi, vdj, vdk, vdl, vdm, vdn, vdo, vdp, vdq, vdr;
    long vds, vdt, vdu, vdv, vdw, vdx, vdy, vdz, ve0, ve1, ve2, ve3, ve4, ve5, ve6, ve7;
    // spotless:on
    if (caller.length != CALLER_STATE) {
      throw new IllegalArgumentException("not the state of a caller");
    }
  }
}
