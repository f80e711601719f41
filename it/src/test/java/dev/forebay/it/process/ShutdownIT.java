package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LoggingChild;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a JVM in which threads, and a hook of the application, keep logging. */
@Tag("jdk")
class ShutdownIT {

  private static final int TERMINATED = 128 + 15;

  @ParameterizedTest
  @ValueSource(strings = {"exit", "TERM"})
  void whatIsLoggedWhileTheJvmEndsIsInTheLogOrInTheSpool(String end) throws Exception {
    Oracle oracle = new Oracle();
    try (Places places = Places.create()) {
      String inner =
          places.xml()
              + Xml.FAST
              + "<appendTimeout>30 seconds</appendTimeout>"
              + "<maxFlushTime>30 seconds</maxFlushTime>"
              + Xml.MESSAGES;
      try (Child child =
          Child.start(
              new Child.Task("ending", 2, Long.MAX_VALUE, 0, 10, "exiting"),
              Xml.configuration(inner),
              places.directory("ending"))) {
        child.awaitOffered(0, 300);
        long before = child.progress().offered(0);
        if (end.equals("exit")) {
          child.release();
        } else {
          child.signal(end);
        }
        assertThat(child.awaitEnd())
            .as(child.output())
            .isEqualTo(end.equals("exit") ? 0 : TERMINATED);
        assertThat(child.account()).as("nobody stopped the appender").isEmpty();
        assertThat(child.progress().offered(0)).as("logged on meanwhile").isGreaterThan(before);
        CallTimes.record("the JVM ends by " + end, child.progress().longestCallNs());
        child.tell(oracle);
      }
      try (Tiered next = Tiered.with(inner)) {
        next.log("fresh", 0, 1).flush();
        assertThat(next.warnings()).isEmpty();
      }
      oracle
          .producer("ending-hook", LoggingChild.HOOK_MESSAGES, LoggingChild.HOOK_MESSAGES)
          .producer("fresh", 1, 1)
          .complete(0)
          .requireSound(places.lines());
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    }
  }
}
