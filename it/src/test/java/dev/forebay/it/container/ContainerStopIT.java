package dev.forebay.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.LoggingChild;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A container that is stopped politely, and one that is frozen for a while. */
@ExtendWith(RequiresDocker.class)
@Tag("nightly")
class ContainerStopIT {

  private static final int TERMINATED = 128 + 15;

  private static final String INNER =
      LogContainer.places()
          + "<fsync>50 milliseconds</fsync><appendTimeout>30 seconds</appendTimeout>"
          + "<maxFlushTime>30 seconds</maxFlushTime>"
          + Xml.MESSAGES;

  @Test
  void dockerStopLeavesEveryLineInTheLogThoseOfAShutdownHookToo() throws Exception {
    try (Places places = Places.create();
        LogContainer container = LogContainer.in(places)) {
      container.tmpfs(LogContainer.SPOOL, "rw,size=64m,mode=1777"); // which the stop takes away
      ChildReports life =
          container.live(new Child.Task("life", 2, Long.MAX_VALUE, 0, 10, "exiting"), INNER);
      container.awaitOffered(1000);
      long before = life.offered();
      assertThat(container.stop()).as(container.output()).isEqualTo(TERMINATED);
      assertThat(life.account()).as("nobody stopped the appender").isEmpty();
      assertThat(life.offered()).as("logged on meanwhile").isGreaterThan(before);
      Oracle oracle = new Oracle().complete(0);
      life.tell(oracle);
      oracle
          .producer("life-hook", LoggingChild.HOOK_MESSAGES, LoggingChild.HOOK_MESSAGES)
          .requireSound(container.lines());
    }
  }

  @Test
  void aPausedContainerLosesNothing() throws Exception {
    try (Places places = Places.create();
        LogContainer container = LogContainer.in(places)) {
      container.tmpfs(LogContainer.SPOOL, "rw,size=64m,mode=1777");
      ChildReports life =
          container.live(new Child.Task("life", 2, Long.MAX_VALUE, 0, 10, "released"), INNER);
      container.awaitOffered(1000);
      container.pause();
      long frozen = life.offered();
      Await.pass(Duration.ofMillis(300)); // several intervals of everything
      assertThat(life.offered()).isEqualTo(frozen);
      container.unpause();
      container.awaitOffered(frozen + 1000);
      life.release();
      assertThat(container.awaitEnd()).as(container.output()).isZero();
      Oracle oracle = new Oracle().dropped(life.dropped()).complete(0);
      life.tell(oracle);
      oracle.requireSound(container.lines());
      assertThat(life.dropped()).isZero();
      assertThat(life.status()).isEmpty();
    }
  }
}
