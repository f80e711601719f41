package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An application does not wait for a log that cannot be opened in time. */
class LateLogIT {

  @AutoClose private final Places places = Places.create();

  @Test
  void anApplicationThatStartsWithoutTheLogIsToldWhatIsMissing() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      disk.freeze();
      Path log = places.logDirectory().resolve("gc.log");
      String agent = AgentJar.option("file=" + log + ",spoolDirectory=" + disk.at());
      String tests = Path.of("target", "test-classes").toAbsolutePath().toString();
      try (Program program =
          Program.start(
              places.directory("life"), List.of(agent), tests, Neighbour.class.getName())) {
        program.awaitSaid("manager "); // so it runs
        assertThat(program.output())
            .contains(
                "forebay-agent: the log is not open after 3 s, and the program starts: what the JVM writes until then is missing");
        disk.thaw();
        program.awaitSaid("is not on tmpfs");
        assertThat(program.end()).isZero();
      }
    }
  }
}
