package dev.forebay.it.disk;

import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same log through many lives of its machine, each ended by a power cut at a random moment:
 * what was forced is there, and nothing is doubled, torn in the middle or made of zeros.
 */
@Tag("soak")
class PowerCutIT {

  private static final int CUTS = Integer.getInteger("forebay.power.cuts", 4);

  /** For the variants, which differ from the first test in one thing each. */
  private static final int FEWER = Math.max(2, CUTS / 5);

  private static final int WINDOW = 20;

  @Test
  void whatWasForcedOutlivesManyPowerCuts() throws Exception {
    try (PowerLives lives = PowerLives.of("rolled by size")) {
      lives.endAll(CUTS, Xml.rollBySize(lives.logDirectory(), "32KB"));
      lives.judge();
    }
  }

  @Tag("nightly")
  @Test
  void whatWasForcedOutlivesPowerCutsWhenTheSpoolDoesToo() throws Exception {
    try (PowerLives lives = PowerLives.of("spool on the same disk").keepSpool()) {
      lives.endAll(FEWER, Xml.rollBySize(lives.logDirectory(), "32KB"));
      lives.judge();
    }
  }

  @Test
  void archivesThatAreBeingCompressedOutlivePowerCuts() throws Exception {
    try (PowerLives lives = PowerLives.of("compressed by size and date").repairBeforeReading()) {
      String policy = Xml.rollBySize(lives.logDirectory(), "32KB").replace(".%i.log", ".%i.log.gz");
      lives.endAll(FEWER, policy);
      lives.judge();
    }
  }

  /** So few messages in a life that no archive leaves the window before it is read. */
  @Tag("nightly")
  @Test
  void compressedArchivesOfAFixedWindowOutlivePowerCuts() throws Exception {
    try (PowerLives lives =
        PowerLives.of("compressed in a fixed window")
            .repairBeforeReading()
            .takeArchivesAway()
            .messages(1500)) {
      lives.endAll(FEWER, fixedWindow(lives.logDirectory()));
      lives.judge();
    }
  }

  private static String fixedWindow(Path directory) {
    return """
    <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
      <fileNamePattern>%s/app.%%i.log.gz</fileNamePattern>
      <minIndex>1</minIndex><maxIndex>%d</maxIndex>
    </rollingPolicy>
    <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
      <maxFileSize>32KB</maxFileSize><checkIncrement>1 millisecond</checkIncrement>
    </triggeringPolicy>
    """
        .formatted(directory, WINDOW);
  }
}
