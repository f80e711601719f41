package dev.forebay.it.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import org.junit.jupiter.api.Test;

/** A spool that holds less than what is logged between two forces of the log. */
class SmallSpoolIT {

  private static final int MESSAGES = 2000;

  @Test
  void isEmptiedAheadOfTheForceThatItCannotWaitFor() throws Exception {
    try (Places places = Places.create();
        Tiered tiered =
            Tiered.with(
                places.xml(),
                "<fsync>1 hour</fsync><segmentSize>64KB</segmentSize><spoolSize>128KB</spoolSize>",
                Xml.MESSAGES)) {
      tiered.log("p", 0, MESSAGES); // more than three times the spool, and less than the ring

      Await.until("all lines are in the log", () -> places.lines().size() == MESSAGES);

      tiered.flush();
      assertThat(tiered.warnings()).isEmpty();
      assertThat(tiered.snapshot().dropped()).isZero();
      new Oracle().producer("p", MESSAGES, MESSAGES).complete(0).requireSound(places.lines());
    }
  }
}
