package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.it.application.FaultyListener.Heard;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Listeners that misbehave while the log cannot be written, the ring overflows and all is well
 * again: whatever they do, callers, flusher and shipper go on.
 */
class ListenerFaultsIT {

  private final CountDownLatch latch = new CountDownLatch(1);
  @AutoClose private final Places places = Places.create();
  private final String inner =
      places.xml()
          + Xml.FAST
          + "<reportInterval>20 milliseconds</reportInterval>"
          + "<ringBufferSize>64</ringBufferSize>"
          + "<spoolSize>64KB</spoolSize><segmentSize>64KB</segmentSize>"
          + "<listener class=\""
          + FaultyListener.class.getName()
          + "\"/>"
          + Xml.MESSAGES;

  @AfterEach
  void endFaults() {
    latch.countDown();
    FaultyListener.does(callback -> {});
  }

  /** Has everything happen that listeners are told of, with callers that keep logging. */
  private LedgerSnapshot live(String fault, Tiered tiered, boolean heardInTime, Oracle oracle)
      throws Exception {
    TieredAppender appender = tiered.appender();
    try (Load load = Load.on(tiered)) {
      load.awaitMore(20);
      Await.until("drops", () -> appender.snapshot().dropped() > 100);
      if (heardInTime) {
        Await.until(
            "heard of the fault",
            () ->
                FaultyListener.heard().containsAll(EnumSet.of(Heard.DROPPED, Heard.OUTPUT_FAILED)));
      }
      Files.delete(places.logDirectory());
      Await.until("log works", () -> Files.exists(places.log()) && Files.size(places.log()) > 0);
      load.awaitMore(20);
      load.stop();
      tiered.flush();
      if (heardInTime) {
        Await.until(
            "heard of the end",
            () ->
                FaultyListener.heard()
                    .containsAll(EnumSet.of(Heard.DROPS_ENDED, Heard.OUTPUT_RECOVERED)));
      }
      tiered.log("fresh", 0, 1).flush();
      load.tell(oracle.producer("fresh", 1, 1));
    }
    tiered.close();
    tiered.calls().record(fault);
    return appender.snapshot();
  }

  private Tiered startBlocked() throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    return Tiered.with(inner);
  }

  @Test
  void oneThatThrowsInEveryCallbackHarmsNobody() throws Exception {
    FaultyListener.does(FaultyListener::throwing);
    Oracle oracle = new Oracle();
    Tiered tiered = startBlocked();
    LedgerSnapshot account = live("listeners throw", tiered, true, oracle);
    assertThat(FaultyListener.heard()).containsExactlyInAnyOrder(Heard.values());
    assertThat(tiered.warnings())
        .anyMatch(text -> text.contains(FaultyListener.class.getName() + " threw"));
    oracle.dropped(account.dropped()).complete(0).requireSound(places.lines());
  }

  @ParameterizedTest
  @EnumSource
  void oneThatBlocksForEverHoldsUpNobody(Heard callback) throws Exception {
    FaultyListener.does(FaultyListener.blockingAt(callback, latch));
    Oracle oracle = new Oracle();
    LedgerSnapshot account =
        live("a listener blocks at " + callback, startBlocked(), false, oracle);
    assertThat(account.inFlight()).isZero();
    oracle.dropped(account.dropped()).complete(0).requireSound(places.lines());
  }

  @Test
  void oneThatLogsIntoTheSameAppenderFromEveryCallbackIsHeardAndCounted() throws Exception {
    Oracle oracle = new Oracle();
    AtomicLong next = new AtomicLong();
    FaultyListener.does(callback -> {});
    Tiered tiered = startBlocked();
    Consumer<Heard> logs = FaultyListener.loggingTo(tiered.logger(), next);
    FaultyListener.does(logs);
    LedgerSnapshot account = live("listeners log", tiered, true, oracle);
    assertThat(FaultyListener.heard()).contains(Heard.STOPPED, Heard.DROPS_ENDED);
    assertThat(account.dropped(DropReason.REENTRANT)).isZero();
    oracle
        .producer("listener", 0, next.get())
        .dropped(account.dropped())
        .complete(0)
        .requireSound(places.lines());
  }

  /** Logback calls status listeners on the thread that adds the status: ours too. */
  @Test
  void aStatusListenerThatThrowsHarmsNobody() throws Exception {
    FaultyListener.does(FaultyListener::throwing);
    Oracle oracle = new Oracle();
    Tiered tiered = startBlocked();
    tiered
        .context()
        .getStatusManager()
        .add(
            (StatusListener)
                status -> {
                  if (Thread.currentThread().getName().startsWith("forebay-")) {
                    throw new IllegalStateException("status listener");
                  }
                });
    LedgerSnapshot account = live("status listeners throw", tiered, true, oracle);
    assertThat(FaultyListener.heard()).contains(Heard.STOPPED, Heard.DROPS_ENDED);
    oracle.dropped(account.dropped()).complete(0).requireSound(places.lines());
  }
}
