package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.forebay.agent.AgentThread;
import dev.forebay.host.Await;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.SpoolBudgets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the sink wakes a shipper that would park for an hour. */
class SpoolSinkTest {

  @AutoClose private final Scratch scratch = new Scratch();

  private final LoggerContext context = new LoggerContext();
  private final ILoggingEvent event =
      new LoggingEvent("", context.getLogger("sink"), Level.INFO, "event", null, null);
  private final AtomicInteger turns = new AtomicInteger();
  private final AgentThread shipperThread =
      new AgentThread(
          turns::incrementAndGet,
          (workDone, nowNs) -> TimeUnit.HOURS.toNanos(1),
          "shipper",
          () -> 0,
          t -> {},
          false);
  private final SpoolPlace place;
  private final SpoolSink sink;

  SpoolSinkTest() throws Exception {
    Path file = scratch.directory("logs").resolve("app.log");
    TieredStart start =
        Starts.of(file, scratch.directory("shm"), new NioDisk(), () -> 0, text -> {});
    start.locator.run();
    SpoolQueue queue = Starts.queue(start);
    SpoolOpener opener = new SpoolOpener(start, new SpoolBudgets());
    place = new SpoolPlace(opener, queue, start.account, shipperThread);
    context.setMDCAdapter(new LogbackMDCAdapter());
    Shipper shipper = new Shipper(queue, FsyncPolicy.NEVER, () -> 0);
    ShippingThread shipping = new ShippingThread(start, shipper, shipperThread);
    sink = new SpoolSink(start, Joran.encoder(context), true, place, shipping, null);
    shipperThread.start();
    awaitTurns(1);
  }

  @AfterEach
  void stop() {
    shipperThread.requestStop();
    Await.until("ended", () -> shipperThread.join(TimeUnit.SECONDS.toNanos(1)));
    place.leave();
  }

  private void awaitTurns(int least) {
    Await.until(least + " turns", () -> turns.get() >= least);
  }

  private void writeBatch() throws Exception {
    sink.beginTurn(true);
    sink.accept(event, null);
    sink.endOfBatch();
  }

  /**
   * However close batches are, and also what calls write: the flusher may have no turn any more.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whileTheJvmIsEndingTheShipperFollowsEachWrite(boolean isByCall) throws Exception {
    writeBatch(); // begins the segment
    sink.prepareForShutdown();
    awaitTurns(2);

    for (int i = 0; i < 100; i++) {
      int before = turns.get();
      if (isByCall) {
        assertThat(sink.isReadyForCall()).isTrue();
        sink.accept(event, new byte[] {'\n'});
        assertThat(sink.writeForCall()).isTrue();
      } else {
        writeBatch();
      }
      awaitTurns(before + 1);
    }
  }
}
