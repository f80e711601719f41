package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.agent.Agent;
import dev.forebay.agent.TimeLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MarkerFactory;
import tools.jackson.databind.ObjectMapper;

/** When a dump begins and ends, turn by turn. */
@Tag("once")
class FlightTurnsTest {
  @TempDir Path base;
  @TempDir Path logs;
  private TurnsRig rig;

  @BeforeEach
  void create() throws IOException {
    rig = new TurnsRig(base, logs);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    rig.requireNothingLeft();
  }

  @Test
  void aDumpHasWhatTheRingHeldWhenItWasDueAndNothingLater() throws Exception {
    rig.turn("before");
    rig.turnOf(Level.ERROR, "error");
    assertThat(rig.wakes).isPositive();
    rig.turn();
    rig.work();
    assertThat(rig.dumps()).as("complete before its end").isEmpty();
    rig.nowNs += TurnsRig.SECOND - 1;
    rig.turn("early");
    rig.nowNs += 1;
    rig.turn("in the ring"); // of two turns
    rig.turn("in the rest of the ring");
    assertThat(rig.recorder.isSettled()).isFalse();
    rig.work();
    assertThat(rig.dumps()).isEmpty();
    rig.turn("later");
    assertThat(rig.recorder.isSettled()).isTrue();
    rig.work();
    assertThat(rig.events(0))
        .containsExactly("before", "error", "early", "in the ring", "in the rest of the ring");
    assertThat(rig.lines(0)).last().isEqualTo("# end: 5 events");
    rig.turn();
    assertThat(rig.notes).singleElement().asString().contains(rig.dumps().get(0).toString());
    assertThat(rig.warnings).isEmpty();
  }

  @Test
  void aDumpOfJsonIsJsonFromItsFirstToItsLastLine() throws Exception {
    rig.turnOf(Level.ERROR, "{\"message\":\"an event\"}");
    rig.pass(1);
    rig.work();
    List<String> lines = rig.lines(0);
    assertThat(lines).hasSize(3);
    for (String line : lines) {
      assertThat(new ObjectMapper().readTree(line).get("message").isString()).as(line).isTrue();
    }
    assertThat(lines.get(0)).contains("dump of " + logs, "trigger ERROR");
    assertThat(lines.get(2)).contains("end: 1 events");
  }

  @Test
  void triggersWithinTheIntervalAreCountedInTheNextDump() throws Exception {
    rig.turnOf(Level.ERROR, "first", "second");
    rig.pass(1);
    rig.work();
    rig.turnOf(Level.ERROR, "third"); // the dump is done
    rig.nowNs += 29 * TurnsRig.SECOND - 1;
    rig.turnOf(Level.ERROR, "fourth");
    rig.pass(1);
    rig.work();
    assertThat(rig.dumps()).hasSize(1);
    assertThat(rig.events(0)).containsExactly("first", "second");
    rig.turnOf(Level.ERROR, "fifth");
    rig.pass(1);
    rig.work();
    assertThat(rig.dumps()).hasSize(2);
    assertThat(rig.lines(1)).contains("# 3 triggers since the last dump caused none");
    assertThat(rig.events(1)).containsExactly("first", "second", "third", "fourth", "fifth");
  }

  @Test
  void whatADumpNeedsStaysWhileRecordingGoesOn() throws Exception {
    rig.turn("oldest");
    rig.turnOf(Level.ERROR, "error");
    rig.pass(1);
    for (int i = 0; i < 50; i++) {
      rig.turn("x".repeat(300));
    }
    rig.work();
    assertThat(rig.events(0)).containsExactly("oldest", "error");
    assertThat(rig.ledger.snapshot().expired()).isPositive();
  }

  @Test
  void aDumpOfAFullLoopKeepsThreeQuartersAndSaysWhatItLost() throws Exception {
    for (int i = 0; i < 100; i++) {
      rig.turn("old " + i + " " + "x".repeat(100));
    }
    rig.turnOf(Level.ERROR, "error");
    rig.pass(1);
    long heldThen = rig.ledger.snapshot().held();
    for (int i = 0; i < 1000; i++) {
      rig.turn("new " + i + " " + "x".repeat(100));
    }
    rig.work();
    List<String> found = rig.events(0);
    assertThat(found).last().isEqualTo("error");
    assertThat((long) found.size()).isGreaterThan(heldThen / 2);
    assertThat(found).noneMatch(line -> line.startsWith("new "));
    assertThat(rig.lines(0).get(1)).contains("events are missing here");
    assertThat(rig.lines(0)).last().asString().contains("expired before they were read");
  }

  private void withKey() throws Exception {
    rig.close();
    rig.begin(TurnsRig.settings("id"));
  }

  @Test
  void requestsWithLongValuesThatBeginAlikeAreToldApart() throws Exception {
    withKey();
    String begin = "u".repeat(300);
    rig.turn("a=" + begin + "1", "a=" + begin + "2");
    rig.turnOf(Level.ERROR, "error=" + begin + "2");
    rig.makeDumps();
    assertThat(rig.events(0)).containsExactly("a=" + begin + "2", "error=" + begin + "2");
  }

  @Test
  void aStopMakesTheDumpsThatWait() throws Exception {
    withKey();
    rig.turn("a=1", "a=2");
    rig.turnOf(Level.ERROR, "error=1", "error=2");
    assertThat(rig.flight.dump("now")).isTrue();
    rig.recorder.close(); // in no time
    rig.work();
    assertThat(rig.dumps()).hasSize(3);
    rig.dumper.onClose();
    rig.isClosed = true;
  }

  @Test
  void anEndMakesTheDumpsOfAllRequestsInTheTurnsOfOne() throws Exception {
    withKey();
    for (int i = 0; i < 8; i++) {
      rig.turnOf(Level.ERROR, "error=" + i);
    }
    rig.dumper.doWork();
    rig.recorder.prepareForEnd();
    int wakes = rig.wakes;
    for (int i = 0; i < 3; i++) { // the ring has been emptied since
      rig.turn();
    }
    assertThat(rig.wakes).as("for what has an end now").isGreaterThan(wakes);
    while (rig.dumper.doWork() == Agent.MORE) {
      // without a park
    }
    assertThat(rig.dumps()).hasSize(8);
    rig.turn();
    assertThat(rig.recorder.isSettled()).isFalse(); // announces them
  }

  @Test
  void whoeverWaitsForDumpsAtTheEndKeepsTheFlusherFromParking() {
    rig.turnOf(Level.ERROR, "error");
    rig.recorder.prepareForEnd();
    int wakes = rig.flusherWakes;
    long[] looks = {0};
    rig.recorder.awaitDumps(new TimeLimit(() -> looks[0]++, TimeLimit.LOOKS));
    assertThat(rig.flusherWakes - wakes).isEqualTo(TimeLimit.LOOKS);
  }

  @Test
  void aStopGivesTheDumpsThatWaitTheRestOfItsTime() throws Exception {
    withKey();
    rig.turnOf(Level.ERROR, "error=1", "error=2");
    rig.recorder.prepareForStop(TurnsRig.SECOND);
    rig.recorder.close();
    finish();
    assertThat(rig.dumps()).hasSize(2);
  }

  @Test
  void aStopEndsInTimeAndLeavesWhatIsNotDumpedToTheNextStart() throws Exception {
    withKey();
    rig.turnOf(Level.ERROR, "error=1", "error=2");
    rig.recorder.prepareForStop(TurnsRig.SECOND);
    rig.recorder.close();
    rig.nowNs += TurnsRig.SECOND;
    finish();
    assertThat(rig.dumps()).isEmpty();
    rig.begin(TurnsRig.settings(null));
    rig.work();
    assertThat(rig.dumps()).singleElement().asString().contains(".crash-");
    assertThat(rig.unfinished()).isEmpty();
  }

  private void finish() throws Exception {
    for (int turns = 0; !rig.dumper.finish(); turns++) {
      assertThat(turns).isLessThan(100);
    }
    rig.dumper.onClose();
    rig.isClosed = true;
  }

  @Test
  void whenEachRequestFailsSomeHaveADumpAndTheOthersAreCounted() throws Exception {
    withKey();
    for (int i = 0; i < 100; i++) {
      rig.turnOf(Level.ERROR, "error=" + i);
    }
    rig.makeDumps();
    assertThat(rig.dumps()).hasSize(8);
    long counted = 0;
    for (int dump = 0; dump < 8; dump++) {
      counted +=
          rig.lines(dump).stream()
              .filter(line -> line.endsWith(" triggers since the last dump caused none"))
              .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
              .sum();
    }
    assertThat(counted).isEqualTo(92);
  }

  @Test
  void anErrorThatIsLoggedAfterItsKeyIsGoneIsOfItsThreadsRequest() throws Exception {
    withKey();
    rig.turn("a=1", "b=2");
    rig.nowNs += TurnsRig.SECOND;
    rig.turnOf(Level.ERROR, "late");
    rig.makeDumps();
    assertThat(rig.lines(0).get(0)).endsWith("only events with id=2, the last one of its thread");
    assertThat(rig.events(0)).containsExactly("b=2", "late");
  }

  @Test
  void anEventThatThrowsIsNotCounted() {
    FlightSettings marked =
        new FlightSettings(
            2, TurnsRig.SEGMENT * 8, TurnsRig.SECOND, 5, "ALARM", 0, 0, 20, null, true);
    LoggingEvent event =
        new LoggingEvent("fqcn", rig.context.getLogger("test"), Level.TRACE, "text", null, null) {
          @Override
          public long getTimeStamp() {
            throw new IllegalStateException("foreign code");
          }
        };
    event.addMarker(MarkerFactory.getMarker("ALARM"));
    rig.begin(marked);
    rig.turn();
    assertThatThrownBy(() -> rig.recorder.record((ILoggingEvent) event, new byte[1], 1))
        .hasMessage("foreign code");
    assertThat(rig.ledger.snapshot().held()).as("the flusher counts it").isZero();
  }
}
