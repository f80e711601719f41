package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DumpsTest {

  @Test
  void logsWithSimilarNamesKeepTheirDumpsApart() {
    Disk disk = new NioDisk();
    Dumps dots = new Dumps(disk, Path.of("/var/log/app.gc.log"));
    Dumps hyphen = new Dumps(disk, Path.of("/var/log/app-gc.log"));
    String dump = dots.dump(0, "ERROR", 1).getFileName().toString();

    assertThat(dots.kind(dump)).isEqualTo("ERROR");
    assertThat(hyphen.kind(dump)).isNull();
    assertThat(hyphen.dump(0, "ERROR", 1).getFileName())
        .hasToString("app-gc.flight.19700101T000000.000Z.ERROR.dump");
  }
}
