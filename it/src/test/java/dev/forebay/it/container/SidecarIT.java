package dev.forebay.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * An application and the process that ships for it, each in a container, which share the spool and
 * the directory of the log as the containers of a pod do.
 */
class SidecarIT {

  private static final String HEAP = "-Xmx64m";
  private static final int RING = 256;
  private static final int THREADS = 2;
  private static final Duration GRACE = Duration.ofSeconds(30);

  private static final String INNER =
      LogContainer.places()
          + "<shipping>apart</shipping><shippingFallback>never</shippingFallback>"
          + "<appendTimeout>30 seconds</appendTimeout>"
          + ("<ringBufferSize>" + RING + "</ringBufferSize>")
          + Xml.FAST
          + Xml.MESSAGES;

  @AutoClose private final Places places = Places.create();

  /** As when the memory of a pod's main container is not enough, or its node says good-bye. */
  @Test
  void whatAnApplicationLeftWhoseContainerIsRemovedIsShipped() throws Exception {
    Path logs = places.directory("logs");
    Oracle oracle = new Oracle();
    try (Engine engine = Engine.start(places);
        LogContainer app = application(engine, logs);
        ShipContainer ship = sidecar(engine, logs)) {
      ChildReports killed =
          app.live(new Child.Task("killed", THREADS, Long.MAX_VALUE, 0, 10, "exit"), INNER, HEAP);
      app.awaitOffered(2_000);
      app.await("shipped", () -> killed.progress().durableUpTo() > 1_000);
      app.kill();
      app.remove();
      awaitDrained(ship);
      killed.tell(oracle);
      Oracle.Verdict verdict = oracle.requireSound(app.lines());
      assertThat(killed.offered() - verdict.lineCount())
          .as("only the ring's")
          .isLessThanOrEqualTo(RING + THREADS);

      ChildReports last = app.lastLife(INNER, HEAP);
      assertThat(last.dropped()).isZero();
      assertThat(last.status()).isEmpty();
      last.tell(oracle);
      awaitDrained(ship);
      ship.stop(GRACE);
      assertThat(ship.awaitEnd()).as(ship.output()).isZero();
      oracle.requireSound(app.lines());
      assertThat(ship.shipped()).isEqualTo(verdict.lineCount() + last.offered());
    }
  }

  /** The disk thaws only after the shipper has said what it leaves. */
  @Test
  void whatAGracePeriodIsTooShortForIsCountedAndLeftToTheNextShipper() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        Engine engine = Engine.start(places);
        LogContainer app = application(engine, disk.at());
        ShipContainer first = sidecar(engine, disk.at())) {
      ChildReports all =
          app.live(new Child.Task("all", THREADS, Long.MAX_VALUE, 0, 10, "released"), INNER, HEAP);
      app.await("shipped", () -> all.progress().durableUpTo() > 1_000);
      disk.freeze();
      app.awaitOffered(all.offered() + 2_000);
      all.release();
      assertThat(app.awaitEnd()).as(app.output()).isZero();
      assertThat(all.account()).contains("dropped 0 ");
      long left = inFlight(all);
      assertThat(left).isGreaterThan(1_000);
      app.remove();

      CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> first.stop(GRACE));
      long said = first.awaitLeft(LogContainer.LOG);
      disk.thaw();
      stop.join();
      assertThat(said)
          .as("or less by a commit after the application's end")
          .isLessThanOrEqualTo(left);
      assertThat(first.shipped() + said).isEqualTo(all.offered());
      Path log = disk.at().resolve("app").resolve("app.log");
      try (ShipContainer next = sidecar(engine, disk.at())) {
        awaitDrained(next);
        Oracle oracle = new Oracle();
        all.tell(oracle);
        oracle.complete(0).requireSound(LogFiles.of(log).lines());
        next.stop(GRACE);
        assertThat(next.awaitEnd()).as(next.output()).isZero();
        assertThat(next.shipped()).isLessThanOrEqualTo(left);
      }
    }
  }

  /** Of the account at its end. */
  private static long inFlight(ChildReports life) throws IOException {
    String account = life.account();
    return Long.parseLong(account.substring(account.lastIndexOf(' ') + 1));
  }

  private LogContainer application(Engine engine, Path logs) throws Exception {
    return LogContainer.in(engine, places, "reports", logs)
        .bind(places.spool(), LogContainer.SPOOL);
  }

  private ShipContainer sidecar(Engine engine, Path logs) throws Exception {
    return ShipContainer.start(engine, logs, places.spool());
  }

  private void awaitDrained(ShipContainer ship) throws Exception {
    Await.process("all shipped: " + ship, () -> SpoolPeek.spools(places.spool()).isEmpty());
  }
}
