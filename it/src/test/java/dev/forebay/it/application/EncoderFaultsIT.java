package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Whatever the encoder does costs the event it does it to, and nobody else. */
class EncoderFaultsIT {

  private static final int EACH = 20;
  private static final String FAST = Xml.FAST + "<reportInterval>100 milliseconds</reportInterval>";
  private static final String ENCODER =
      Xml.MESSAGES.replace("<encoder>", "<encoder class=\"" + Faulty.class.getName() + "\">");

  @AutoClose private final Places places = Places.create();

  /** What an encoder does to events of the logger of this name. */
  enum Fault {
    EXCEPTION,
    LINKAGE_ERROR,
    STACK_OVERFLOW,
    HUGE_ALLOCATION,
    /** A byte array without bytes: the event is delivered without a line. */
    NOTHING,
    /** It waits for {@link Faulty#opened}. */
    BLOCK
  }

  /** Fails for events whose logger is called as a fault. */
  public static final class Faulty extends PatternLayoutEncoder {

    private static volatile CountDownLatch reached = new CountDownLatch(1);
    private static volatile CountDownLatch opened = new CountDownLatch(1);

    @Override
    public byte[] encode(ILoggingEvent event) {
      for (Fault fault : Fault.values()) {
        if (fault.name().equals(event.getLoggerName())) {
          return strike(fault, event);
        }
      }
      return super.encode(event);
    }

    private byte[] strike(Fault fault, ILoggingEvent event) {
      return switch (fault) {
        case EXCEPTION -> throw new IllegalStateException("encoder");
        case LINKAGE_ERROR -> throw new NoClassDefFoundError("encoder");
        case STACK_OVERFLOW -> tooDeep(0);
        case HUGE_ALLOCATION -> tooMuch();
        case NOTHING -> new byte[0];
        case BLOCK -> {
          reached.countDown();
          Await.latch(opened);
          yield super.encode(event);
        }
      };
    }

    private static byte[] tooDeep(int depth) {
      return depth < 0 ? new byte[0] : tooDeep(depth + 1).clone();
    }

    private static byte[] tooMuch() {
      List<long[]> all = new ArrayList<>();
      for (long bytes = 0; bytes <= Runtime.getRuntime().maxMemory(); bytes += 8L << 30) {
        all.add(new long[1 << 30]);
      }
      return new byte[all.size()];
    }
  }

  @BeforeEach
  void shut() {
    Faulty.reached = new CountDownLatch(1);
    Faulty.opened = new CountDownLatch(1);
  }

  @AfterEach
  void open() {
    Faulty.opened.countDown();
  }

  /** Has the encoder block with one event in its hands. */
  private static void block(Tiered tiered) {
    tiered.context().getLogger(Fault.BLOCK.name()).info("stuck");
    Await.until("blocks", () -> Faulty.reached.getCount() == 0);
  }

  @ParameterizedTest
  @EnumSource(names = "BLOCK", mode = EnumSource.Mode.EXCLUDE)
  void whatItThrowsCostsTheEventAndIsCountedByLevelAndNothingIsDelivered(Fault fault)
      throws Exception {
    int each = fault == Fault.HUGE_ALLOCATION ? 1 : EACH; // it costs a collection of all garbage
    long faults = fault == Fault.NOTHING ? 0 : (long) each * Level.values().length;
    Oracle oracle = new Oracle();
    try (Tiered tiered = Tiered.with(places.xml(), FAST, ENCODER);
        Load load = Load.on(tiered)) {
      load.awaitMore(50);
      Logger logger = tiered.context().getLogger(fault.name());
      for (int i = 0; i < each; i++) {
        for (Level level : Level.values()) {
          tiered.calls().measure(() -> logger.atLevel(level).log("fails"));
        }
      }
      load.awaitMore(200);
      load.stop();
      tiered.log("fresh", 0, 1).flush();
      LedgerSnapshot account = tiered.snapshot();
      for (Level level : Level.values()) {
        assertThat(account.dropped(DropReason.ENCODE_FAILED, level))
            .isEqualTo(faults / Level.values().length);
      }
      assertThat(account.dropped()).isEqualTo(faults);
      Await.until("told", () -> fault == Fault.NOTHING || !tiered.warnings().isEmpty());
      assertThat(tiered.warnings()).hasSize(fault == Fault.NOTHING ? 0 : 1);
      assertThat(tiered.warnings()).allMatch(text -> text.contains("the encoder failed; until it"));
      assertThat(tiered.errors()).isEmpty();
      load.tell(oracle);
      tiered.calls().record("the encoder fails: " + fault);
    }
    oracle
        .producer("faults", 0, faults)
        .producer("fresh", 1, 1)
        .dropped(faults)
        .complete(0)
        .requireSound(places.lines());
  }

  @Test
  void whileItBlocksNobodyElseDoes() throws Exception {
    Oracle oracle = new Oracle().alsoAllowed("stuck");
    try (Tiered tiered =
            Tiered.with(places.xml(), FAST, "<ringBufferSize>256</ringBufferSize>", ENCODER);
        Load load = Load.on(tiered)) {
      block(tiered);
      load.awaitMore(500);
      assertThat(tiered.snapshot().dropped(DropReason.SHED)).isPositive();
      open();
      load.awaitMore(50);
      load.stop();
      tiered.log("fresh", 0, 1).flush();
      oracle.dropped(tiered.snapshot().dropped());
      load.tell(oracle);
      tiered.calls().record("the encoder blocks, the ring is full");
    }
    oracle.producer("fresh", 1, 1).complete(0).requireSound(places.lines());
    assertThat(places.lines()).containsOnlyOnce("stuck");
  }

  /** What it held, and what was encoded before and not yet written, is neither lost nor silent. */
  @Test
  void whatItHoldsWhenTheAppenderStopsIsCountedWhenItLetsGo() throws Exception {
    String inner = places.xml() + FAST + "<maxFlushTime>300 milliseconds</maxFlushTime>" + ENCODER;
    Oracle oracle = new Oracle();
    Tiered tiered = Tiered.with(inner);
    TieredAppender stopped = tiered.appender();
    try (Load load = Load.on(tiered)) {
      load.awaitMore(50);
      tiered.log("before", 0, EACH); // mostly in one turn with what blocks, encoded and not written
      block(tiered);
      load.awaitMore(50);
      load.stop();
      tiered.calls().record("the encoder blocks, the appender stops");
      load.tell(oracle);
    }
    tiered.close();
    assertThat(stopped.snapshot().inFlight()).as(stopped.snapshot().toString()).isPositive();
    try (Tiered next = Tiered.with(inner)) { // it does not wait for the encoder
      next.log("fresh", 0, 1).flush();
      open();
      Await.until(
          "every event has a fate: " + stopped.snapshot(),
          () -> stopped.snapshot().inFlight() == 0);
    }
    oracle
        .producer("before", 0, EACH)
        .producer("stuck", 0, 1)
        .producer("fresh", 1, 1)
        .dropped(stopped.snapshot().dropped())
        .complete(0)
        .requireSound(places.lines());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}
