package dev.forebay.javaagent.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent takes the choice of the time zone from nobody. */
class ChosenZoneTest {

  private static final String ZONE = "user.timezone";

  private final TimeZone ofJvm = TimeZone.getDefault();
  private final String named = System.getProperty(ZONE);

  @AfterEach
  void restore() {
    System.setProperty(ZONE, named);
    TimeZone.setDefault(ofJvm);
  }

  @Test
  void anApplicationMayNameOneAfterwards() {
    LogStart.forget(ofJvm, named);
    System.setProperty(ZONE, "Pacific/Kiritimati");

    assertThat(TimeZone.getDefault().getID()).isEqualTo("Pacific/Kiritimati");
  }

  /** Its main method does not wait for the agent. */
  @Test
  void anApplicationMayNameOneMeanwhile() {
    System.setProperty(ZONE, "Pacific/Kiritimati");
    LogStart.forget(ofJvm, named);

    assertThat(TimeZone.getDefault().getID()).isEqualTo("Pacific/Kiritimati");
  }

  @Test
  void whatAnAgentBeforeHasChosenStays() {
    TimeZone chosen = TimeZone.getTimeZone("Asia/Tokyo");
    TimeZone.setDefault(chosen);
    LogStart.forget(chosen, named);

    assertThat(TimeZone.getDefault()).isEqualTo(chosen);
  }
}
