package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two processes that ship from the same directory: one ships, the other waits. */
class SeveralShippersIT {

  @AutoClose private final Places places = Places.create();

  @Test
  void theSecondTakesOverFromTheFirstThatIsKilled() throws Exception {
    try (Tiered app = Tiered.with(Apart.inner(places.log(), places.spool()));
        Load load = Load.on(app);
        Ship one = Ship.start(places.root().resolve("one"), places.spool());
        Ship two = Ship.start(places.root().resolve("two"), places.spool())) {
      app.flush();
      Await.until("one ships: " + one + two, () -> one.isShipping() != two.isShipping());
      Ship first = one.isShipping() ? one : two;
      Ship second = one.isShipping() ? two : one;
      load.requireGoingOn();
      app.flush();
      assertThat(second.isShipping()).isFalse();

      long killedNs = System.nanoTime();
      first.kill();
      second.awaitShipping();
      app.flush();
      Figures.record(
          "apart.txt",
          "a second shipper has committed what was logged %.1f s after the first was killed",
          (System.nanoTime() - killedNs) / 1e9);
      load.requireGoingOn().stop();
      app.flush();
      assertThat(app.problems()).isEmpty();
      assertThat(app.snapshot().delivered()).isEqualTo(load.offered());
      app.context().stop();
      second.awaitDrained().end();
      load.oracle().complete(0).requireSound(places.lines());
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    }
  }
}
