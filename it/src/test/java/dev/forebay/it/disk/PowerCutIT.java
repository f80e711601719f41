package dev.forebay.it.disk;

import dev.forebay.it.support.Xml;
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

  @Tag("nightly")
  @Test
  void archivesThatAreBeingCompressedOutlivePowerCuts() throws Exception {
    try (PowerLives lives = PowerLives.of("compressed by size and date").repairBeforeReading()) {
      String policy = Xml.rollBySize(lives.logDirectory(), "32KB").replace(".%i.log", ".%i.log.gz");
      lives.endAll(FEWER, policy);
      lives.judge();
    }
  }
}
