package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.agent.AgentThread;
import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SpoolPlaceTest {

  private static final long SECOND_NS = 1_000_000_000;
  private static final byte[] RECORD = new byte[1000];

  @AutoClose private final Scratch scratch = new Scratch();

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  private final List<String> warnings = new ArrayList<>();
  private final StartRig start;
  private final SpoolPlace place;
  private long nowNs = -5;

  private final Sleeper shipper = new Sleeper();
  private final AgentThread shipperThread =
      new AgentThread(shipper, shipper, "shipper", () -> 0, t -> {}, null);

  SpoolPlaceTest() throws IOException {
    Path shm = scratch.directory("shm");
    start = StartRig.of(Path.of("/app.log"), shm, disk, () -> nowNs, warnings::add);
    start.locator().run();
    SpoolOpener opener =
        new SpoolOpener(start.context(), start.locator(), start.account(), new SpoolBudgets());
    place = new SpoolPlace(opener, start.queue(), start.account(), shipperThread, null);
    shipperThread.start();
  }

  private int fallAsleep() {
    Await.until("asleep", () -> shipperThread.sleepFlag().isUp());
    return shipper.turns.get();
  }

  private void awaitTurnAfter(int before) {
    Await.until("woken", () -> shipper.turns.get() > before);
  }

  @AfterEach
  void close() {
    shipperThread.requestStop();
    Await.until("ended", () -> shipperThread.join(SECOND_NS));
    disk.heal();
    if (place.get() != null) {
      place.get().close();
    }
  }

  private SpoolWriter writer() {
    return Objects.requireNonNull(place.writer());
  }

  private void append() {
    assertThat(writer().append(RECORD, 0, RECORD.length, 2)).isEqualTo(SpoolWriter.Outcome.ADDED);
  }

  private void refuseWrites() {
    disk.failFrom(FaultyDisk.Op.WRITE, 1, () -> new IOException("No space left on device"));
  }

  private String path() {
    return place.get() == null ? "" : place.isInHeap() ? "heap" : place.get().path().toString();
  }

  private boolean leavesWhenItRefuses(int records) {
    assertThat(place.flush()).isTrue();
    for (int i = 0; i < records; i++) {
      append();
    }
    assertThat(place.flush()).isTrue();
    append();
    disk.failOnce(FaultyDisk.Op.WRITE, 1, new IOException("No space left on device"));
    assertThat(place.flush()).isFalse();
    boolean isLeft = place.leaveRefusing(nowNs);
    disk.heal();
    return isLeft;
  }

  @Test
  void aPlaceThatTakesAQuarterOfASegmentBetweenTwoRefusalsIsNotLeft() {
    place.look(nowNs, true);
    for (int i = 0; i < 10; i++) {
      assertThat(leavesWhenItRefuses(20)).isFalse();
      nowNs += SpoolPlace.PATIENCE_NS;
    }
    assertThat(leavesWhenItRefuses(1)).as("crumbs").isTrue();
  }

  @Test
  void aSpoolThatWasRemovedIsReplacedWhenThereIsSomethingToWrite() throws IOException {
    place.look(nowNs, true);
    append();
    assertThat(place.flush()).isTrue();
    String before = path();
    FileTree.delete(Path.of(before));
    place.look(nowNs, true); // the first in place counts from here
    nowNs += SECOND_NS;
    place.look(nowNs, false);
    assertThat(path()).isEqualTo(before);
    place.look(nowNs, true);
    assertThat(path()).isNotEqualTo(before).startsWith(scratch.path().toString());
  }

  @Test
  void aShipperThatSleepsIsWokenByEachFlushAlsoByOneThatFails() {
    place.look(nowNs, true);
    int before = fallAsleep();
    append();
    assertThat(place.flush()).isTrue();
    awaitTurnAfter(before);
    before = fallAsleep();
    append();
    refuseWrites();
    assertThat(place.flush()).isFalse();

    awaitTurnAfter(before);
  }

  /** What calls write too: the flusher may have no turn any more. */
  @Test
  void whileTheJvmIsEndingTheShipperFollowsEachWriteOfACall() throws Exception {
    LoggerContext context = new LoggerContext();
    ILoggingEvent event =
        new LoggingEvent("", context.getLogger("sink"), Level.INFO, "event", null, null);
    Shipper other = new Shipper(start.queue(), FsyncPolicy.NEVER, () -> 0);
    ShippingThread shipping = new ShippingThread(start.account(), other, shipperThread);
    SpoolSink sink =
        new SpoolSink(
            start.context(), start.account(), Joran.encoder(context), null, place, shipping, null);
    sink.beginTurn(true);
    sink.accept(event, null);
    sink.endOfBatch(); // begins the segment
    sink.prepareForShutdown();
    for (int i = 0; i < 100; i++) {
      int before = fallAsleep();
      assertThat(sink.isReadyForCall(1)).isTrue();
      sink.accept(event, new byte[] {'\n'});
      assertThat(sink.writeForCall()).isTrue();
      awaitTurnAfter(before);
    }
  }

  @Test
  void isSettledInTheWantedPlaceWhenAllIsWritten() {
    assertThat(place.isSettled()).as("no spool").isFalse();
    place.look(nowNs, true);
    assertThat(place.isSettled()).isTrue();
    append();
    assertThat(place.isSettled()).as("not written").isFalse();
    assertThat(place.flush()).isTrue();
    assertThat(place.isSettled()).isTrue();
    append();
    refuseWrites();
    assertThat(place.flush()).isFalse();
    assertThat(place.isSettled()).as("refused").isFalse();
    place.rescue();
    disk.heal();
    assertThat(place.isInHeap()).isTrue();

    assertThat(place.isSettled()).as("wants back").isFalse();
  }
}
