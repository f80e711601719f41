package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.TieredAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An encoder that blocks. What it throws costs one event, see the tests of the flusher. */
class EncoderFaultsIT {

  private static final int EACH = 20;
  private static final String FAST = Xml.FAST + "<reportInterval>100 milliseconds</reportInterval>";
  private static final String ENCODER =
      Xml.MESSAGES.replace("<encoder>", "<encoder class=\"" + Blocking.class.getName() + "\">");

  @AutoClose private final Places places = Places.create();

  /** Waits with an event in its hands until it is let go. */
  public static final class Blocking extends PatternLayoutEncoder {

    private static volatile Gate gate = new Gate();

    @Override
    public byte[] encode(ILoggingEvent event) {
      if (event.getMessage().equals("stuck")) {
        gate.pass();
      }
      return super.encode(event);
    }
  }

  @BeforeEach
  void shut() {
    Blocking.gate = new Gate();
  }

  @AfterEach
  void open() {
    Blocking.gate.open();
  }

  private static void block(Tiered tiered) {
    tiered.logger().info("stuck");
    Blocking.gate.awaitReached();
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
