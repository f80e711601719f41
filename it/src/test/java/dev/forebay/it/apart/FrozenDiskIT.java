package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application whose log's disk is frozen for longer than it lives: it is thawed only after the
 * application has ended. That it ended is the proof.
 */
class FrozenDiskIT {

  private static final long MESSAGES = 2000;

  /** Loose: the machine may be busy. */
  private static final Duration MORE_THAN_WITHOUT_APPENDER = Duration.ofSeconds(5);

  private static final String WITHOUT_APPENDER =
      "<configuration><root level=\"TRACE\"/></configuration>";

  @AutoClose private final Places places = Places.create();

  @ParameterizedTest
  @ValueSource(strings = {"exit", "TERM", "stop"})
  void anApplicationStartsLogsAndEndsAsWithoutAnAppenderAndEachLineArrives(String end)
      throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("log").resolve("app.log");
      String apart = Xml.configuration(Apart.inner(log, places.spool()));
      try (Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
        disk.freeze();
        long bareNs = live("bare", end.equals("stop") ? "exit" : end, WITHOUT_APPENDER).endNs();
        Life life = live("app", end, apart);
        Figures.record(
            "apart.txt",
            "end by %s on a frozen disk: %.1f ms, without an appender %.1f ms",
            end,
            life.endNs() / 1e6,
            bareNs / 1e6);
        assertThat(Duration.ofNanos(life.endNs() - bareNs)).isLessThan(MORE_THAN_WITHOUT_APPENDER);
        if (end.equals("stop")) {
          assertThat(life.account())
              .contains("offered " + MESSAGES, "delivered 0", "dropped 0 ")
              .endsWith("in flight " + MESSAGES);
        }
        disk.thaw();
        assertThat(ship.awaitDrained().end().shipped()).isEqualTo(MESSAGES);
      }
      new Oracle()
          .producer("app", MESSAGES, MESSAGES)
          .complete(0)
          .requireSound(LogFiles.of(log).lines());
    }
  }

  /**
   * What became of a program.
   *
   * @param endNs from when it was told to end until it was gone
   * @param account "" if it told none
   */
  private record Life(long endNs, String account) {}

  private Life live(String name, String end, String xml) throws Exception {
    Path directory = places.directory(name);
    try (Program program = EndingApp.start(directory, List.of(), name, MESSAGES, end, xml)) {
      program.awaitSaid(EndingApp.LOGGED);
      long fromNs = System.nanoTime();
      if (end.equals("TERM")) {
        assertThat(program.terminate()).as(program.output()).isEqualTo(Program.TERMINATED);
      } else {
        assertThat(program.end()).as(program.output()).isZero();
      }
      long endNs = System.nanoTime() - fromNs;
      List<String> said = program.output().lines().toList();
      List<String> accounts =
          said.stream().filter(line -> line.startsWith(EndingApp.ACCOUNT)).toList();
      assertThat(said).as("and no problem").hasSize(1 + accounts.size());
      return new Life(endNs, String.join("", accounts));
    }
  }
}
