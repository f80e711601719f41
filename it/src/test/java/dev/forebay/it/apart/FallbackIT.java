package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An application for which nobody ships. */
class FallbackIT {

  @AutoClose private final Places places = Places.create();

  private String inner() {
    return Apart.inner("1 second", places.log(), places.spool());
  }

  @Test
  void theApplicationShipsAfterAWhileAndHandsBackToAShipperThatComes() throws Exception {
    Oracle oracle;
    long offered;
    try (Tiered app = Tiered.with(inner());
        Load load = Load.on(app)) {
      load.requireGoingOn();
      app.flush();
      assertThat(app.warnings()).as("nobody ships").hasSize(1);
      assertThat(places.lines()).isNotEmpty();
      try (Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
        load.requireGoingOn();
        ship.awaitShipping();
        load.requireGoingOn().stop();
        app.log("fresh", 0, 10).flush();
        assertThat(app.problems()).hasSize(1);
        offered = load.offered() + 10;
        assertThat(app.snapshot().delivered()).isEqualTo(offered);
        assertThat(app.snapshot().dropped()).isZero();
        app.context().stop();
        ship.awaitDrained().end();
        assertThat(ship.shipped()).isBetween(10L, offered - 1);
      }
      oracle = load.oracle().producer("fresh", 10, 10);
    }
    oracle.complete(0).requireSound(places.lines());
  }

  @Test
  void noLineIsDoubledOrLostWhenShippersComeAndDie() throws Exception {
    Oracle oracle;
    try (Tiered app = Tiered.with(inner());
        Load load = Load.on(app)) {
      for (int i = 0; i < 2; i++) {
        try (Ship ship = Ship.start(places.root().resolve("ship" + i), places.spool())) {
          ship.awaitShipping();
          load.requireGoingOn();
          ship.kill();
        }
        load.requireGoingOn();
        app.flush(); // nobody else is there
      }
      load.stop();
      app.flush();
      assertThat(app.snapshot().delivered()).isEqualTo(load.offered());
      assertThat(app.errors()).isEmpty();
      oracle = load.oracle();
    }
    oracle.complete(0).requireSound(places.lines());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** The time is over when another application with the same patience has lost its own. */
  @Test
  void anApplicationThatShallNeverShipWaits() throws Exception {
    Path other = places.logDirectory().resolve("other").resolve("other.log");
    try (Tiered never = Tiered.with(Apart.inner(places.log(), places.spool()))) {
      never.log("never", 0, 100);
      for (int i = 0; i < 2; i++) {
        try (Tiered patient = Tiered.with(Apart.inner("1 second", other, places.spool()))) {
          patient.log("patient" + i, 0, 100).flush();
        }
      }
      assertThat(places.log()).doesNotExist();
      assertThat(never.snapshot().inFlight()).isEqualTo(100);
      assertThat(never.problems()).isEmpty();
      try (Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
        never.flush();
        assertThat(never.snapshot().delivered()).isEqualTo(100);
        never.context().stop();
        assertThat(ship.awaitDrained().end().shipped()).isEqualTo(100);
      }
    }
    new Oracle().producer("never", 100, 100).complete(0).requireSound(places.lines());
    new Oracle()
        .producer("patient0", 100, 100)
        .producer("patient1", 100, 100)
        .complete(0)
        .requireSound(LogFiles.of(other).lines());
  }

  /** A disk that stands still is no reason: somebody ships. */
  @Test
  void aShipperThatWaitsForItsDiskIsNotReplaced() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        Places others = Places.create();
        Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
      Path log = disk.at().resolve("app.log");
      Tiered app = Tiered.with(Apart.inner("5 seconds", log, places.spool()));
      app.log("app", 0, 100).flush();
      disk.freeze();
      app.log("app", 100, 100);
      for (int i = 0; i < 2; i++) {
        try (Tiered clock = Tiered.with(Apart.inner("5 seconds", others.log(), others.spool()))) {
          clock.log("clock" + i, 0, 100).flush();
        }
      }
      assertThat(app.snapshot().inFlight()).isEqualTo(100);
      app.context().stop();
      assertThat(app.problems()).isEmpty();
      disk.thaw();
      assertThat(ship.awaitDrained().end().shipped()).isEqualTo(200);
      new Oracle().producer("app", 200, 200).complete(0).requireSound(LogFiles.of(log).lines());
    }
  }
}
