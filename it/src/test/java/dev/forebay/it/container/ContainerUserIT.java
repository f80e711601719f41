package dev.forebay.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Containers that may do little: nothing can be written but mounts, the user has no name. */
@ExtendWith(RequiresDocker.class)
@Tag("nightly")
class ContainerUserIT {

  private static final int EVENTS = 500;
  private static final String MEMORY = "rw,size=64m,mode=1777";

  @ParameterizedTest
  @CsvSource({"0, true", "12345, false", "12345, true"})
  void twoMountsAreAllItNeedsWhateverItsUserAndItsRoot(int user, boolean readOnly)
      throws Exception {
    try (Places places = Places.create();
        LogContainer container = on(places, readOnly).user(user + ":" + user)) {
      container.tmpfs(LogContainer.SPOOL, MEMORY);
      ChildReports life = live(container);
      container.await("acknowledged", () -> life.progress().acked(0) == EVENTS);
      container.await("asked JMX", () -> !life.jmx("SpoolPath").isEmpty());
      assertThat(life.jmx("SpoolPath")).startsWith("/spool/forebay-" + user + "/");
      assertThat(end(container, life).dropped()).isZero();
      assertThat(life.status()).isEmpty();
    }
  }

  @Test
  void aSpoolDirectoryThatCannotBeMadeLeavesTheHeapWithAWarning() throws Exception {
    try (Places places = Places.create();
        LogContainer container = on(places, true)) {
      ChildReports life = live(container);
      container.await("acknowledged", () -> life.progress().acked(0) == EVENTS);
      assertThat(end(container, life).dropped()).isZero();
      assertThat(life.status().lines())
          .singleElement()
          .asString()
          .contains("<spoolDirectory> /spool cannot be used: ", "of the heap");
    }
  }

  private static LogContainer on(Places places, boolean readOnly) throws Exception {
    LogContainer container = LogContainer.in(places);
    return readOnly ? container.readOnly() : container;
  }

  private static ChildReports live(LogContainer container) throws Exception {
    return container.live(
        new Child.Task("life", 1, EVENTS, EVENTS, 0, "wait"), LogContainer.places() + Xml.MESSAGES);
  }

  /** Lets it stop, and judges its log. */
  private static ChildReports end(LogContainer container, ChildReports life) throws Exception {
    life.release();
    assertThat(container.awaitEnd()).as(container.output()).isZero();
    Oracle oracle = new Oracle().dropped(life.dropped()).complete(0);
    life.tell(oracle);
    oracle.requireSound(container.lines());
    return life;
  }
}
