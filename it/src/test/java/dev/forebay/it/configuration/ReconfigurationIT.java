package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.host.Await;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A context that is configured again and again under load. Between the end of one appender and the
 * start of the next Logback has none to give an event to; such calls are counted one by one.
 */
class ReconfigurationIT {

  private static final int THREADS = 4;

  /** Those of earlier tests of this JVM may still be ending. */
  private final Set<Thread> before = Thread.getAllStackTraces().keySet();

  private static final int TIMES = Integer.getInteger("forebay.reconfigurations", 50);

  @AutoClose private final Places places = Places.create();
  private final String inner =
      places.xml()
          + Xml.FAST
          + "<maxFlushTime>30 seconds</maxFlushTime>"
          + "<filter class=\""
          + Arrivals.class.getName()
          + "\"/>"
          + Xml.rollBySize(places.logDirectory(), "400KB")
          + Xml.MESSAGES;

  /** Says on the thread that logs whether its call has come to an appender. */
  public static final class Arrivals extends Filter<ILoggingEvent> {

    private static final ThreadLocal<AtomicBoolean> ARRIVED =
        ThreadLocal.withInitial(AtomicBoolean::new);

    @Override
    public FilterReply decide(ILoggingEvent event) {
      ARRIVED.get().set(true);
      return FilterReply.NEUTRAL;
    }

    /** Whether one has since the last question. */
    static boolean ask() {
      return ARRIVED.get().getAndSet(false);
    }
  }

  /** Threads that log, and what became of their calls. */
  private static final class Callers {
    private final AtomicBoolean done = new AtomicBoolean();
    private final Map<String, AtomicLong> offered = new ConcurrentHashMap<>();
    private final AtomicLong fellThrough = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();

    Callers(Tiered tiered) {
      for (int i = 0; i < THREADS; i++) {
        String name = "p" + i;
        offered.put(name, new AtomicLong());
        Thread thread = new Thread(() -> log(tiered, name));
        threads.add(thread);
        thread.start();
      }
    }

    private void log(Tiered tiered, String name) {
      AtomicLong next = offered.get(name);
      while (!done.get()) {
        tiered.log(name, next.getAndIncrement(), 1);
        if (!Arrivals.ask()) {
          fellThrough.incrementAndGet();
        }
        if (next.get() % 10 == 0) {
          Await.pass(Duration.ofMillis(1));
        }
      }
    }

    void stop() throws InterruptedException {
      done.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** The law, over all generations of the appender, and that nothing of them is left. */
  private void requireConserved(Tiered tiered, Callers callers, List<TieredAppender> generations)
      throws Exception {
    long accepted = 0;
    long dropped = 0;
    for (TieredAppender appender : generations) {
      LedgerSnapshot account = appender.snapshot();
      long late = account.dropped(DropReason.ABANDONED);
      assertThat(late).as("calls that a stop overtook, one a thread").isBetween(0L, (long) THREADS);
      assertThat(account.dropped(DropReason.STOPPED) + late).isEqualTo(account.dropped());
      assertThat(account.inFlight()).isZero();
      accepted += account.offered() - account.reports();
      dropped += account.dropped();
    }
    long offered = callers.offered.values().stream().mapToLong(AtomicLong::get).sum();
    assertThat(offered).isEqualTo(accepted - 1 + callers.fellThrough.get()); // one is "fresh"
    assertThat(tiered.errors()).isEmpty();
    Oracle oracle = new Oracle().producer("fresh", 0, 1);
    callers.offered.forEach((name, count) -> oracle.producer(name, 0, count.get()));
    Oracle.Verdict verdict =
        oracle
            .dropped(dropped + callers.fellThrough.get())
            .complete(0)
            .requireSound(places.lines());
    assertThat(verdict.lines()).containsEntry("fresh", 1L);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    assertThat(SpoolPeek.openFiles(places.spool())).as("locks among them").isEmpty();
    Await.until(
        "threads end",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .noneMatch(thread -> thread.getName().startsWith("forebay-")));
  }

  @Test
  void manyReconfigurationsUnderLoadLoseNothingUncountedAndLeaveNothingBehind() throws Exception {
    List<TieredAppender> generations = new ArrayList<>();
    Tiered tiered = Tiered.with(inner);
    Callers callers = new Callers(tiered);
    for (int i = 0; i < TIMES; i++) {
      generations.add(tiered.appender());
      Await.pass(Duration.ofMillis(10));
      tiered.reconfigure(inner);
    }
    callers.stop();
    generations.add(tiered.appender());
    tiered.log("fresh", 0, 1).flush(); // when nobody else logs any longer
    tiered.close();
    requireConserved(tiered, callers, generations);
    tiered.calls().record(TIMES + " reconfigurations");
  }
}
