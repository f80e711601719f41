package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.spi.FilterAttachableImpl;
import dev.forebay.agent.SleepFlag;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs an event through all the code of a log call, on a private ring.
 *
 * <p>The first use of a class or {@code VarHandle} needs far more stack than later ones. A thread
 * near the end of its stack could overflow there, after {@link AppendGate#log} has looked, and a
 * class whose initialiser overflows can never be used again.
 */
final class LogCallWarmup {

  private static final int SLOTS = 2;
  private static final long BYTES = 1 << 20;

  /** Set by the thread that is done; a second thread that warms up does no harm. */
  private static volatile boolean done;

  private LogCallWarmup() {}

  /** Called by each start; only the first call has an effect. */
  static void run() {
    if (!done) {
      rehearse();
      done = true;
    }
  }

  private static void rehearse() {
    Ledger ledger = new Ledger();
    EventRing ring = new EventRing(SLOTS, BYTES, ledger);
    ledger.addIntake(ring);
    ILoggingEvent event = event();
    event.prepareForDeferredProcessing();
    new AppendGate(ledger).log(event, new FilterAttachableImpl<>());
    long weightBytes = EventWeight.of(event) + EventWeight.ofMdc(event, AppendGate.newCaller());
    boolean taken = ring.offer(event, weightBytes, SLOTS) && ring.offer(event, BYTES / 4, SLOTS);
    if (!taken || !ring.offer(event, BYTES / 4, SLOTS)) {
      ring.noteRefusal();
    }
    if (ring.isFullTo(SLOTS) && !ring.lacksBytes(BYTES) && !ring.canNeverHold(BYTES)) {
      throw new IllegalStateException("more bytes than there are");
    }
    ledger.drop(DropReason.RING_FULL, Levels.indexOf(event), 1, event.getTimeStamp());
    while (ring.poll() != null) {
      ring.release();
    }
    ring.abandon();
    new AtomicInteger().compareAndSet(0, 1); // of WakeSignal
    SleepFlag.rehearse();
  }

  private static ILoggingEvent event() {
    LoggerContext context = new LoggerContext();
    LogbackMDCAdapter mdc = new LogbackMDCAdapter();
    mdc.put("key", "value");
    context.setMDCAdapter(mdc);
    return new LoggingEvent(
        LogCallWarmup.class.getName(),
        context.getLogger("dev.forebay.rehearsal"),
        Level.INFO,
        "{} {}",
        new IllegalStateException("none", new IllegalStateException("none")),
        new Object[] {"a", 1});
  }
}
