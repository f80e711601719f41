package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.observe.OutputProblem;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
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

  /** The callbacks of a listener. */
  private enum Heard {
    DROPPED,
    DROPS_ENDED,
    OUTPUT_FAILED,
    OUTPUT_RECOVERED,
    STARTED,
    STOPPED
  }

  /** A listener that does what a test wants in each of its callbacks. */
  public static final class Faulty implements FailureListener {

    private static final Set<Heard> HEARD = ConcurrentHashMap.newKeySet();
    private static volatile Consumer<Heard> deed = callback -> {};

    /** Forgets what was heard; from now on every callback does this. */
    private static void does(Consumer<Heard> what) {
      HEARD.clear();
      deed = what;
    }

    private static void throwing(Heard callback) {
      throw new NoClassDefFoundError("listener at " + callback);
    }

    private static void on(Heard callback) {
      HEARD.add(callback);
      deed.accept(callback);
    }

    @Override
    public void onDropped(String appender, List<DropSummary> drops) {
      on(Heard.DROPPED);
    }

    @Override
    public void onDropsEnded(String appender) {
      on(Heard.DROPS_ENDED);
    }

    @Override
    public void onOutputFailed(String appender, OutputProblem problem) {
      on(Heard.OUTPUT_FAILED);
    }

    @Override
    public void onOutputRecovered(String appender, OutputProblem problem) {
      on(Heard.OUTPUT_RECOVERED);
    }

    @Override
    public void onAppenderStarted(String appender) {
      on(Heard.STARTED);
    }

    @Override
    public void onAppenderStopped(String appender) {
      on(Heard.STOPPED);
    }
  }

  private final CountDownLatch latch = new CountDownLatch(1);
  @AutoClose private final Places places = Places.create();
  private final String inner =
      places.xml()
          + Xml.FAST
          + "<reportInterval>20 milliseconds</reportInterval>"
          + "<ringBufferSize>64</ringBufferSize>"
          + "<spoolSize>64KB</spoolSize><segmentSize>64KB</segmentSize>"
          + "<listener class=\""
          + Faulty.class.getName()
          + "\"/>"
          + Xml.MESSAGES;

  @AfterEach
  void endFaults() {
    latch.countDown();
    Faulty.does(callback -> {});
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
            () -> Faulty.HEARD.containsAll(EnumSet.of(Heard.DROPPED, Heard.OUTPUT_FAILED)));
      }
      Files.delete(places.logDirectory());
      Await.until("log works", () -> Files.exists(places.log()) && Files.size(places.log()) > 0);
      load.awaitMore(20);
      load.stop();
      tiered.flush();
      if (heardInTime) {
        Await.until(
            "heard of the end",
            () -> Faulty.HEARD.containsAll(EnumSet.of(Heard.DROPS_ENDED, Heard.OUTPUT_RECOVERED)));
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
    Faulty.does(Faulty::throwing);
    Oracle oracle = new Oracle();
    Tiered tiered = startBlocked();
    LedgerSnapshot account = live("listeners throw", tiered, true, oracle);
    assertThat(Faulty.HEARD).containsExactlyInAnyOrder(Heard.values());
    assertThat(tiered.warnings())
        .anyMatch(text -> text.contains(Faulty.class.getName() + " threw"));
    oracle.dropped(account.dropped()).complete(0).requireSound(places.lines());
  }

  @ParameterizedTest
  @EnumSource(names = {"DROPPED", "OUTPUT_FAILED", "STOPPED"})
  void oneThatBlocksForEverHoldsUpNobody(Heard callback) throws Exception {
    Faulty.does(
        at -> {
          if (at == callback) {
            Await.latch(latch);
          }
        });
    Oracle oracle = new Oracle();
    LedgerSnapshot account =
        live("a listener blocks at " + callback, startBlocked(), false, oracle);
    assertThat(account.inFlight()).isZero();
    oracle.dropped(account.dropped()).complete(0).requireSound(places.lines());
  }
}
