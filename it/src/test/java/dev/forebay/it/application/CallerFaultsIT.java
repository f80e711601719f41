package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Faults on the thread that logs, while others log: values, filters, interrupts, re-entry. */
class CallerFaultsIT {

  private static final int EACH = 20;
  private static final String FAST = Xml.FAST + "<reportInterval>100 milliseconds</reportInterval>";

  @AutoClose private final Places places = Places.create();

  /** What foreign code on the caller's thread may do. */
  enum Fault {
    EXCEPTION,
    STACK_OVERFLOW,
    OUT_OF_MEMORY;

    String strike() {
      return switch (this) {
        case EXCEPTION -> throw new IllegalStateException("foreign");
        case STACK_OVERFLOW -> tooDeep(0);
        case OUT_OF_MEMORY -> throw new OutOfMemoryError("simulated");
      };
    }

    private static String tooDeep(int depth) {
      return depth < 0 ? "the end" : tooDeep(depth + 1) + depth;
    }
  }

  private static Object value(Supplier<String> text) {
    return new Object() {
      @Override
      public String toString() {
        return text.get();
      }
    };
  }

  private static Filter<ILoggingEvent> filter(String logger, Runnable deed) {
    return new Filter<>() {
      @Override
      public FilterReply decide(ILoggingEvent event) {
        if (logger.isEmpty() || event.getLoggerName().equals(logger)) {
          deed.run();
        }
        return FilterReply.NEUTRAL;
      }
    };
  }

  /**
   * An event whose filter fails is counted by its level. SLF4J writes a text of its own in place of
   * a value that fails; that event is as good as any.
   */
  @ParameterizedTest
  @EnumSource
  void aFilterOrAValueThatFailsBreaksNoLogCallAndOthersLoseNothing(Fault fault) throws Exception {
    Oracle oracle = new Oracle().alsoAllowed("value [FAILED toString()]");
    int faults = EACH * Level.values().length;
    try (Tiered tiered = Tiered.with(places.xml(), FAST, Xml.MESSAGES);
        Load load = Load.on(tiered)) {
      tiered.appender().addFilter(filter("filtered", fault::strike));
      load.awaitMore(50);
      Logger filtered = tiered.context().getLogger("filtered");
      for (int i = 0; i < EACH; i++) {
        for (Level level : Level.values()) {
          tiered.calls().measure(() -> filtered.atLevel(level).log("fails"));
        }
      }
      tiered.calls().measure(() -> tiered.logger().warn("value {}", value(fault::strike)));
      load.awaitMore(50);
      load.stop();
      tiered.log("fresh", 0, 1).flush();
      LedgerSnapshot account = tiered.snapshot();
      for (Level level : Level.values()) {
        assertThat(account.dropped(DropReason.PREPARE_FAILED, level)).isEqualTo(EACH);
      }
      assertThat(account.dropped()).isEqualTo(faults);
      load.tell(oracle);
      tiered.calls().record("a filter of the appender and a value fail: " + fault);
    }
    oracle
        .producer("filtered", 0, faults)
        .producer("fresh", 1, 1)
        .dropped(faults)
        .complete(0)
        .requireSound(places.lines());
    assertThat(places.lines()).containsOnlyOnce("value [FAILED toString()]");
  }

  /** A value that logs, in a filter that logs: each inner call is counted, each outer delivered. */
  @Test
  void callsFromWithinLogCallsAreCountedAndCostNobodyElse() throws Exception {
    Oracle oracle = new Oracle();
    long offered;
    try (Tiered tiered = Tiered.with(places.xml(), FAST, Xml.MESSAGES)) {
      Logger logger = tiered.logger();
      tiered.appender().addFilter(filter("", () -> logger.debug("from the filter")));
      Load load = Load.on(tiered);
      load.awaitMore(50);
      for (int i = 0; i < EACH; i++) {
        String text = new Numbered("outer", i).text();
        Object value =
            value(
                () -> {
                  logger.error("from toString");
                  return text;
                });
        tiered.calls().measure(() -> logger.info("{}", value));
      }
      load.awaitMore(50);
      offered = load.stop().offered() + EACH;
      tiered.flush();
      LedgerSnapshot account = tiered.snapshot();
      // One for each event that passes the filter, and one for each value.
      assertThat(account.dropped(DropReason.REENTRANT, Level.DEBUG)).isEqualTo(offered);
      assertThat(account.dropped(DropReason.REENTRANT, Level.ERROR)).isEqualTo(EACH);
      assertThat(account.dropped()).isEqualTo(offered + EACH);
      load.tell(oracle);
      tiered.calls().record("filters and values that log");
    }
    oracle
        .producer("outer", EACH, EACH)
        .producer("inner", 0, offered + EACH)
        .dropped(offered + EACH)
        .complete(0)
        .requireSound(places.lines());
  }

  /** Also while the ring is full and callers may wait for it: an interrupt ends the wait only. */
  @Test
  void anInterruptedCallerStaysInterruptedAndNothingIsClosed() throws Exception {
    String waiting =
        "<ringBufferSize>64</ringBufferSize><appendTimeout>100 milliseconds</appendTimeout>";
    Oracle oracle = new Oracle();
    int messages = 3000;
    AtomicBoolean kept = new AtomicBoolean(true);
    try (Tiered tiered = Tiered.with(places.xml(), FAST, waiting, Xml.MESSAGES);
        Load load = Load.on(tiered)) {
      load.awaitMore(50);
      Thread interrupted =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                for (int number = 0; number < messages; number++) {
                  tiered.log("interrupted", number, 1);
                  kept.compareAndSet(true, Thread.currentThread().isInterrupted());
                }
              });
      interrupted.start();
      interrupted.join();
      load.awaitMore(50);
      load.stop();
      tiered.log("fresh", 0, 1).flush();
      assertThat(kept).isTrue();
      LedgerSnapshot account = tiered.snapshot();
      assertThat(account.dropped())
          .isEqualTo(account.dropped(DropReason.INTERRUPTED) + account.dropped(DropReason.TIMEOUT));
      assertThat(tiered.statuses()).allMatch(status -> status.getEffectiveLevel() == 0);
      load.tell(oracle);
      oracle.dropped(account.dropped());
      tiered.calls().record("callers are interrupted");
    }
    oracle
        .producer("interrupted", 0, messages)
        .producer("fresh", 1, 1)
        .complete(0)
        .requireSound(places.lines());
  }
}
