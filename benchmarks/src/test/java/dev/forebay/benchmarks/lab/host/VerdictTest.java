package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class VerdictTest {

  private static final Disturbance.Window WINDOW = new Disturbance.Window(2001, 7003);

  @Test
  void whatAddsUpCountsAndHasTheTimeOfTheFault() {
    Measurement judged = Verdict.on(measured(Peer.FOREBAY, 10_000, 9_990, 10, null), WINDOW, null);

    assertThat(judged.voidBecause()).isNull();
    assertThat(judged.faultFromMs()).isEqualTo(2001);
    assertThat(judged.faultToMs()).isEqualTo(7003);
  }

  @Test
  void unaccountedEventsMakeItVoid() {
    Measurement judged = Verdict.on(measured(Peer.ASYNC, 10_000, 9_000, 10, null), WINDOW, null);

    assertThat(judged.voidBecause())
        .isEqualTo("10,000 events offered, 9,000 lines, 10 dropped: 990 unaccounted for");
  }

  @Test
  void linesTooManyMakeItVoidToo() {
    assertThat(Verdict.on(measured(Peer.FILE, 10, 11, 0, null), WINDOW, null).voidBecause())
        .endsWith(": -1 unaccounted for");
  }

  @Test
  void theFloorNeedsNoLines() {
    assertThat(Verdict.on(measured(Peer.NONE, 10, 0, 0, null), WINDOW, null).voidBecause())
        .isNull();
  }

  @Test
  void aFaultThatDidNotHappenMakesItVoid() {
    assertThat(Verdict.on(measured(Peer.FILE, 10, 10, 0, null), WINDOW, "no fault").voidBecause())
        .isEqualTo("no fault");
  }

  @Test
  void whatTheChildSaysComesFirst() {
    assertThat(Verdict.on(measured(Peer.FILE, 10, 9, 0, "mine"), WINDOW, "no fault").voidBecause())
        .isEqualTo("mine");
  }

  @Test
  void aVoidRunOfOursIsADefect() {
    assertThat(Verdict.isDefect(measured(Peer.FOREBAY, 10, 10, 0, null))).isFalse();
    assertThat(Verdict.isDefect(measured(Peer.FOREBAY, 10, 9, 0, "lost"))).isTrue();
    assertThat(Verdict.isDefect(measured(Peer.FOREBAY_RING, 10, 9, 0, "lost"))).isTrue();
    assertThat(Verdict.isDefect(measured(Peer.ASYNC, 10, 9, 0, "lost"))).isFalse();
  }

  @Test
  void whatIsLostOnAFullDiskBehindTheRingIsNone() {
    assertThat(Verdict.isDefect(onFullDisk(Peer.FOREBAY_RING, 9))).isFalse();
    assertThat(Verdict.isDefect(onFullDisk(Peer.FOREBAY_RING, 11))).isTrue();
    assertThat(Verdict.isDefect(onFullDisk(Peer.FOREBAY, 9))).isTrue();
  }

  private static Measurement onFullDisk(Peer peer, double lines) {
    return measured(Scenario.FULL_DISK, peer, 10, lines, 0, "does not add up");
  }

  private static Measurement measured(
      Peer peer, double offered, double lines, double dropped, @Nullable String reason) {
    return measured(Scenario.STEADY, peer, offered, lines, dropped, reason);
  }

  private static Measurement measured(
      Scenario scenario,
      Peer peer,
      double offered,
      double lines,
      double dropped,
      @Nullable String reason) {
    return new Measurement(
        scenario,
        peer,
        1,
        Map.of(Figure.OFFERED, offered, Figure.LINES, lines, Figure.DROPPED, dropped),
        new Histogram(3),
        List.of(),
        -1,
        -1,
        reason);
  }
}
