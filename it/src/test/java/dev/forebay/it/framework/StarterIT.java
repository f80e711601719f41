package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With the starter, logging.file.name alone gives a log from which a kill takes no line. */
@Tag("jdk")
class StarterIT {

  private static final int LINES = 500;
  private static final Pattern VALUE = Pattern.compile("\"value\":([\\d.E]+)");

  @AutoClose private final Places places = Places.create();

  private String[] options(String... more) {
    List<String> options = new ArrayList<>(List.of(more));
    options.add("--logging.file.name=" + places.log());
    options.add("--forebay.spool-directory=" + places.spool());
    options.add("--management.endpoints.web.exposure.include=*");
    options.add("--management.endpoint.health.show-details=always");
    return options.toArray(String[]::new);
  }

  private BootProcess start(FatJar version, String... more) throws IOException {
    return BootProcess.start(version.path(), places.root(), options(more));
  }

  /** The messages behind what Boot's pattern puts before them. */
  private List<String> messages() throws IOException {
    return LogFiles.of(places.log()).lines().stream()
        .filter(line -> line.contains(" it "))
        .map(line -> line.substring(line.indexOf(" : ") + " : ".length()))
        .toList();
  }

  private static double meter(BootProcess boot, String name) throws Exception {
    String json = boot.get("/actuator/metrics/" + name);
    Matcher value = VALUE.matcher(json);
    assertThat(value.find()).as(json).isTrue();
    return Double.parseDouble(value.group(1));
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#wanted")
  void aKillTakesNoLineAndWhatActuatorShowsAddsUp(FatJar version) throws Exception {
    try (BootProcess boot = start(version, "--forebay.durability=call", "--forebay.fsync=1 hour")) {
      boot.log("killed", 0, LINES);
      boot.kill();
    }
    try (BootProcess boot = start(version)) {
      boot.log("next", 0, LINES);
      assertThat(boot.flushedAccounts()).containsOnlyKeys("FILE");
      assertThat(meter(boot, "forebay.offered"))
          .isEqualTo(
              meter(boot, "forebay.events")
                  + meter(boot, "forebay.inflight")
                  + meter(boot, "forebay.held"));
      assertThat(meter(boot, "forebay.events?tag=outcome:dropped")).isZero();
      assertThat(meter(boot, "forebay.recovered")).isGreaterThanOrEqualTo(LINES);
      assertThat(boot.get("/actuator/health/log")).contains("\"status\":\"UP\"", "\"FILE\"");
      assertThat(boot.get("/actuator/forebay/FILE")).contains(places.spool().toString());
      assertThat(boot.post("/actuator/forebay/FILE/flush")).contains("all events are in the log");
      assertThat(boot.get("/actuator/logfile")).contains(new Numbered("next", LINES - 1).text());
      assertThat(boot.problems()).isEmpty();
      boot.sayAtTheEnd("last", LINES);
      boot.terminate();
    }
    new Oracle()
        .producer("killed", LINES, LINES)
        .producer("next", LINES, LINES)
        .producer("last", LINES, LINES)
        .complete(0)
        .requireSound(messages());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#wanted")
  void anApplicationThatCannotStartWritesItsLastLines(FatJar version) throws Exception {
    List<String> lines =
        IntStream.range(0, LINES).mapToObj(i -> new Numbered("failing", i).text()).toList();
    String told = Files.write(places.root().resolve("lines"), lines).toString();
    try (Program program =
        BootProcess.launch(version.path(), places.root(), options("--it.fail=" + told))) {
      assertThat(program.awaitEnd()).as(program.output()).isEqualTo(1);
    }
    new Oracle().producer("failing", LINES, LINES).complete(0).requireSound(messages());
    assertThat(LogFiles.of(places.log()).lines()).anyMatch(line -> line.contains("told to fail"));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#wanted")
  void aMisspeltPropertyStopsTheStartAndNamesTheRightOne(FatJar version) throws Exception {
    try (Program program =
        BootProcess.launch(version.path(), places.root(), options("--forebay.spool-sise=64MB"))) {
      assertThat(program.awaitEnd()).isEqualTo(1);
      assertThat(program.output()).contains("forebay.spool-sise", "forebay.spool-size");
    }
    assertThat(places.log()).as("nothing was offered").doesNotExist();
  }
}
