package dev.forebay.it.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Others fill the tmpfs while the log's disk is healthy: no line may be missing. */
class HeapSpoolIT {

  private static final String SMALL =
      Xml.FAST + "<spoolSize>4MB</spoolSize><segmentSize>1MB</segmentSize>";

  private static final int EACH = 4000;

  @AutoClose private final Places places = Places.create();

  /** What somebody else could do: takes every page. */
  private static void fill(Path file) throws Exception {
    for (String block : List.of("64k", "4k", "1")) {
      Command.exitCode(
          "dd", "if=/dev/zero", "of=" + file, "bs=" + block, "oflag=append", "conv=notrunc");
    }
  }

  private static void log(Tiered tiered, String producer, int from) {
    for (int i = 0; i < EACH; i += 100) {
      tiered.log(producer, from + i, 100);
      Await.pass(Duration.ofMillis(2));
    }
  }

  @Test
  void aTmpfsThatOthersFillCostsNoLineAndOneWarning() throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=8m,mode=0700")) {
      Path stranger = memory.at().resolve("stranger");
      try (Tiered tiered =
          Tiered.with(Xml.places(places.log(), memory.at()), SMALL, Xml.MESSAGES)) {
        tiered.log("before", 0, 1).flush(); // the spool has two pages now
        fill(stranger);
        log(tiered, "during", 0);
        tiered.flush();
        assertThat(tiered.snapshot().dropped()).isZero();
        assertThat(tiered.warnings())
            .singleElement()
            .asString()
            .contains("accepts no more data: No space left on device", "MB of the heap");

        Files.delete(stranger);
        tiered.awaitWarning("spooling in <spoolDirectory> again");
        log(tiered, "after", 0);
        tiered.flush();
        assertThat(SpoolPeek.spools(memory.at())).hasSize(1);
        assertThat(tiered.warnings()).hasSize(2);
        assertThat(tiered.snapshot().dropped()).isZero();
      }
      new Oracle()
          .producer("before", 1, 1)
          .producer("during", EACH, EACH)
          .producer("after", EACH, EACH)
          .complete(0)
          .requireSound(places.lines());
    }
  }
}
