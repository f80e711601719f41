package dev.forebay.it.apart;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.Killable;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Kills} of two processes, also while the log's disk is frozen. */
@Tag("soak")
class ShipperKillsIT {

  private static final int KILLS_OF_A_BUILD = 6;

  @AutoClose private final Places places = Places.create();

  @ParameterizedTest
  @ValueSource(strings = {Kills.NEVER, Kills.SOON})
  void whatWasSpooledIsInTheLogOnceAndInOrderHoweverOftenEitherIsKilled(String fallback)
      throws Exception {
    kills(fallback, places.log(), null).requireSoundAfter(KILLS_OF_A_BUILD);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {Kills.NEVER, Kills.SOON})
  void norIsALineLostOrDoubledByAHundredKills(String fallback) throws Exception {
    kills(fallback, places.log(), null).requireSoundAfter(Kills.ALL);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {Kills.NEVER, Kills.SOON})
  void norByKillsWhileTheDiskIsFrozen(String fallback) throws Exception {
    try (Mounted disk = Mounted.disk(places, "512m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      kills(fallback, log, disk).requireSoundAfter(Kills.ALL / 5);
    }
  }

  private Kills kills(String fallback, Path log, @Nullable Mounted disk) {
    Kills.Starter starter =
        new Kills.Starter() {
          @Override
          public Kills.App app(Child.Task task, String more) throws Exception {
            String xml = Xml.configuration(Kills.inner(fallback, log, places.spool(), more));
            Child child = Child.start(task, xml, places.directory(task.name()));
            child.awaitUp();
            return new Kills.App(child, child);
          }

          @Override
          public Killable shipper(int number) throws Exception {
            return Ship.launch(places.root().resolve("ship" + number), places.spool());
          }
        };
    String name = disk == null ? "healthy disk" : "frozen disk";
    return new Kills(name, fallback, starter, log, places.spool(), disk);
  }
}
