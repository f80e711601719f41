package dev.forebay.it.container;

import dev.forebay.it.apart.Kills;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Killable;
import dev.forebay.it.support.Places;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link Kills} of an application and a sidecar, each in a container; one that is killed is removed
 * and made anew, as the pod's next one is. They share the spool, on a tmpfs, and the log's
 * directory.
 */
class SidecarKillsIT {

  private static final int KILLS_OF_A_BUILD = 4;
  private static final String HEAP = "-Xmx64m";

  @AutoClose private final Places places = Places.create();

  @Test
  void whatWasSpooledIsInTheLogOnceAndInOrderHoweverOftenEitherContainerIsKilled()
      throws Exception {
    requireSoundAfter(KILLS_OF_A_BUILD, Kills.NEVER);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {Kills.NEVER, Kills.SOON})
  void norIsALineLostOrDoubledByAHundredKills(String fallback) throws Exception {
    requireSoundAfter(Kills.ALL, fallback);
  }

  private void requireSoundAfter(int kills, String fallback) throws Exception {
    Path logs = places.directory("logs");
    try (Engine engine = Engine.start(places);
        LogContainer app =
            LogContainer.in(engine, places, "reports", logs)
                .bind(places.spool(), LogContainer.SPOOL)) {
      Kills.Starter starter =
          new Kills.Starter() {
            @Override
            public Kills.App app(Child.Task task, String more) throws Exception {
              String inner = Kills.inner(fallback, LogContainer.LOG, LogContainer.SPOOL, more);
              ChildReports reports = app.live(task, inner, HEAP);
              return new Kills.App(app, reports);
            }

            @Override
            public Killable shipper(int number) throws Exception {
              return ShipContainer.start(engine, logs, places.spool());
            }
          };
      Path log = logs.resolve("app").resolve("app.log");
      new Kills("containers", fallback, starter, log, places.spool(), null)
          .requireSoundAfter(kills);
    }
  }
}
