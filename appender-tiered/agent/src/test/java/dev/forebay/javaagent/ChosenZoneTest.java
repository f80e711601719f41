package dev.forebay.javaagent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent takes the choice of the time zone from nobody. */
class ChosenZoneTest {

  private static final String ZONE = "user.timezone";
  private static final String CHOSEN = "Pacific/Kiritimati";

  private final TimeZone ofJvm = TimeZone.getDefault();
  private final String named = System.getProperty(ZONE);

  @AfterEach
  void restore() {
    System.setProperty(ZONE, named);
    TimeZone.setDefault(ofJvm);
  }

  /** Logback asks for it in between; the main method does not wait for the agent. */
  @Test
  void anApplicationMayNameOneWheneverItStarts() {
    assertThat(Agent.unchosenZone()).isEqualTo(ofJvm);
    System.setProperty(ZONE, CHOSEN);
    assertThat(TimeZone.getDefault().getID()).as("before").isEqualTo(CHOSEN);

    restore();
    TimeZone ofSystem = Agent.unchosenZone();
    assertThat(TimeZone.getDefault()).isEqualTo(ofSystem);
    System.setProperty(ZONE, CHOSEN);
    Agent.forget(ofSystem, named);
    assertThat(TimeZone.getDefault().getID()).as("meanwhile").isEqualTo(CHOSEN);

    restore();
    ofSystem = Agent.unchosenZone();
    assertThat(TimeZone.getDefault()).isEqualTo(ofSystem);
    Agent.forget(ofSystem, named);
    System.setProperty(ZONE, CHOSEN);
    assertThat(TimeZone.getDefault().getID()).as("after").isEqualTo(CHOSEN);
  }

  /** An application may look for it before it sets one. */
  @Test
  void aPropertyThatWasMissingIsMissing() {
    System.clearProperty(ZONE);
    TimeZone.setDefault(null);
    TimeZone ofSystem = Agent.unchosenZone();
    assertThat(System.getProperty(ZONE)).isNull();
    assertThat(TimeZone.getDefault()).as("Logback asks").isEqualTo(ofSystem);
    Agent.forget(ofSystem, null);
    assertThat(System.getProperty(ZONE)).isNull();
  }

  @Test
  void whatAnotherAgentHasChosenBeforeOrMeanwhileStays() {
    TimeZone chosen = TimeZone.getTimeZone(CHOSEN);
    TimeZone.setDefault(chosen);
    Agent.forget(Agent.unchosenZone(), named);
    assertThat(TimeZone.getDefault()).isEqualTo(chosen);

    restore();
    TimeZone ofSystem = Agent.unchosenZone();
    TimeZone.setDefault(chosen);
    Agent.forget(ofSystem, named);
    assertThat(TimeZone.getDefault()).isEqualTo(chosen);
  }
}
