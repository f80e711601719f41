package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Strace;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.control.ControlClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that is killed while it rolls its log because somebody has asked for it. */
class RequestedRollIT {

  private static final int MESSAGES = 500;

  @AutoClose private final Places places = Places.create();

  /**
   * @param call before which call on the log the process is killed, counted by each of its threads
   * @param number the first rename of the log is that of the roll
   */
  @ParameterizedTest
  @CsvSource({"rename, 1", "openat, 2", "openat, 3"})
  void nothingIsLostOrDoubledWhereverItDies(String call, int number) throws Exception {
    assumeTrue(Strace.works(), Strace.MISSING);
    String xml = places.xml() + Xml.MESSAGES + Xml.rollBySize(places.logDirectory(), "100MB");
    Oracle oracle = new Oracle().producer("next", 10, 10);
    Child.Task task = new Child.Task("p", 1, MESSAGES, 0, 0, "wait");
    Strace.Point point = new Strace.Point(call, number, places.log().toString());
    try (Child child =
        Child.start(
            task, Xml.configuration(xml), places.directory("child"), Strace.killing(point))) {
      Await.until(
          "reachable, or dead", () -> !child.isAlive() || (isLogged(child) && !spools().isEmpty()));
      askToRoll();
      if (call.equals("rename")) {
        assertThat(child.awaitEnd()).as("killed before the roll").isNotZero();
      } else {
        child.kill();
      }
      child.tell(oracle);
    }
    try (Tiered next = Tiered.with(xml)) {
      next.log("next", 0, 10);
      Await.until("shipped", () -> SpoolPeek.spools(places.spool()).size() == 1);
      next.flush();
    }
    oracle.complete(0).requireSound(places.lines());
    assertThat(LogFiles.of(places.log()).fileCount()).isLessThanOrEqualTo(2);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  private static boolean isLogged(Child child) {
    return child.progress().offered(0) == MESSAGES;
  }

  private List<Path> spools() throws IOException {
    try (Stream<Path> paths = Files.walk(places.spool(), 4)) {
      return paths.filter(ControlClient::isPresent).toList();
    }
  }

  /** The process may die at it, have died before, or refuse. */
  private void askToRoll() throws IOException {
    for (Path spool : spools()) {
      try {
        List<String> unused = ControlClient.ask(spool, "rotate", TimeUnit.SECONDS.toNanos(60));
      } catch (IOException | IllegalStateException e) {
        // as expected
      }
    }
  }
}
