package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.forebay.host.Await;
import dev.forebay.it.application.FaultyEncoder.Kind;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.event.Level;

/** Whatever the encoder does costs the event it does it to, and nobody else. */
class EncoderFaultsIT {

  private static final int EACH = 20;

  private static final String FAST = Xml.FAST + "<reportInterval>100 milliseconds</reportInterval>";

  private static final String ENCODER =
      Xml.MESSAGES.replace(
          "<encoder>", "<encoder class=\"" + FaultyEncoder.class.getName() + "\">");

  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void shutEncoder() {
    FaultyEncoder.shut();
  }

  @AfterEach
  void openEncoder() {
    FaultyEncoder.open();
  }

  /** Has the encoder block with one event in its hands. */
  private static void block(Tiered tiered) throws Exception {
    tiered.context().getLogger(Kind.BLOCK.logger()).info(new Numbered("stuck", 0).text());
    Await.until("blocks", FaultyEncoder::isReached);
  }

  private static List<Thread> flushers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("forebay-flusher-"))
        .toList();
  }

  /** Logs events of every level that meet this fault; how many of each. */
  private static int logFaults(Tiered tiered, Kind kind) {
    Logger logger = tiered.context().getLogger(kind.logger());
    int each = kind == Kind.HUGE_ALLOCATION ? 1 : EACH; // it costs a collection of all garbage
    for (int i = 0; i < each; i++) {
      for (Level level : Level.values()) {
        tiered.calls().measure(() -> logger.atLevel(level).log("fails"));
      }
    }
    return each;
  }

  @ParameterizedTest
  @EnumSource(
      names = {"NOTHING", "EMPTY", "BLOCK"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatItThrowsCostsTheEventAndIsCountedByLevel(Kind kind) throws Exception {
    Oracle oracle = new Oracle();
    int faults;
    try (Tiered tiered = Tiered.with(places.xml(), FAST, ENCODER);
        Load load = Load.on(tiered)) {
      load.awaitMore(50);
      List<Thread> before = flushers();
      int each = logFaults(tiered, kind);
      faults = each * Level.values().length;
      load.awaitMore(200);
      load.stop();
      tiered.log("fresh", 0, 1).flush();

      LedgerSnapshot account = tiered.snapshot();
      for (Level level : Level.values()) {
        assertThat(account.dropped(DropReason.ENCODE_FAILED, level)).isEqualTo(each);
      }
      assertThat(account.dropped()).isEqualTo(faults);
      assertThat(flushers()).as("the thread survives").isEqualTo(before);
      assertThat(tiered.errors()).isEmpty();
      load.tell(oracle);
      tiered.calls().record("the encoder fails: " + kind);
    }
    oracle
        .producer("faults", 0, faults)
        .producer("fresh", 1, 1)
        .dropped(faults)
        .complete(0)
        .requireSound(places.lines());
  }

  @ParameterizedTest
  @EnumSource(names = {"NOTHING", "EMPTY"})
  void whatItLeavesOutIsDeliveredWithoutALine(Kind kind) throws Exception {
    Oracle oracle = new Oracle();
    long offered;
    try (Tiered tiered = Tiered.with(places.xml(), FAST, ENCODER);
        Load load = Load.on(tiered)) {
      load.awaitMore(50);
      long each = logFaults(tiered, kind);
      load.awaitMore(50);
      offered = load.stop().offered() + each * Level.values().length;
      tiered.flush();

      LedgerSnapshot account = tiered.snapshot();
      assertThat(account.dropped()).isZero();
      assertThat(account.delivered()).isEqualTo(offered);
      load.tell(oracle);
    }
    oracle.complete(0).requireSound(places.lines());
  }

  @Test
  void whileItBlocksNobodyElseDoes() throws Exception {
    Oracle oracle = new Oracle();
    long dropped;
    try (Tiered tiered =
            Tiered.with(places.xml(), FAST, "<ringBufferSize>256</ringBufferSize>", ENCODER);
        Load load = Load.on(tiered)) {
      block(tiered);
      load.awaitMore(500);
      assertThat(tiered.snapshot().dropped(DropReason.SHED)).isPositive();
      FaultyEncoder.open();
      load.awaitMore(50);
      load.stop();
      tiered.log("fresh", 0, 1).flush();
      dropped = tiered.snapshot().dropped();
      load.tell(oracle);
      tiered.calls().record("the encoder blocks, the ring is full");
    }
    oracle
        .producer("stuck", 1, 1)
        .producer("fresh", 1, 1)
        .dropped(dropped)
        .complete(0)
        .requireSound(places.lines());
  }

  /** What it held, and what was encoded before and not yet written, is neither lost nor silent. */
  @Test
  void whatItHoldsWhenTheAppenderStopsIsCountedWhenItLetsGo() throws Exception {
    String inner = places.xml() + FAST + "<maxFlushTime>300 milliseconds</maxFlushTime>" + ENCODER;
    Oracle oracle = new Oracle();
    TieredAppender stopped;
    Tiered tiered = Tiered.with(inner);
    try (Load load = Load.on(tiered)) {
      stopped = tiered.appender();
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
    FaultyEncoder.open();
    Await.until(
        "every event has a fate: " + stopped.snapshot(), () -> stopped.snapshot().inFlight() == 0);
    try (Tiered next = Tiered.with(inner)) {
      next.log("fresh", 0, 1).flush();
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

  @Test
  void anEncoderThatFailsIsOneWarningWithoutAnyListener() throws Exception {
    try (Tiered tiered = Tiered.with(places.xml(), FAST, ENCODER)) {
      int each = logFaults(tiered, Kind.LINKAGE_ERROR);
      Await.until("told", () -> !tiered.warnings().isEmpty());
      logFaults(tiered, Kind.EXCEPTION);
      tiered.log("p", 0, 3).flush();
      TieredAppender appender = tiered.appender();
      tiered.context().stop();

      assertThat(tiered.warnings())
          .singleElement()
          .asString()
          .contains("Appender [LOG]: the encoder failed; until it works again");
      LedgerSnapshot account = appender.snapshot();
      assertThat(account.dropped(DropReason.ENCODE_FAILED))
          .isEqualTo(2L * each * Level.values().length);
      assertThat(account.delivered() - account.reports()).isEqualTo(3);
      assertThat(account.inFlight()).isZero();
    }
    new Oracle().producer("p", 3, 3).requireSound(places.lines());
  }
}
