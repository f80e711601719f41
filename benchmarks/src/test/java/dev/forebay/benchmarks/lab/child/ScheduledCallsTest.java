package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A clock that only calls and parking move; a call takes 1 µs unless it says otherwise. */
@Tag("once")
class ScheduledCallsTest {

  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final long START = 500 * MS;

  private record Call(long dueNs, long fromNs, long toNs) {

    long lengthNs() {
      return toNs - fromNs;
    }
  }

  private final List<Call> calls = new ArrayList<>();
  private final List<Long> parkedUntil = new ArrayList<>();
  private long nowNs = START - 10 * MS;

  private void run(Schedule schedule, Map<Integer, Long> slowCalls) {
    new ScheduledCalls(
            schedule,
            () -> nowNs,
            untilNs -> {
              parkedUntil.add(untilNs);
              nowNs = untilNs;
            },
            () -> nowNs += slowCalls.getOrDefault(calls.size(), US),
            (dueNs, fromNs, toNs) -> calls.add(new Call(dueNs, fromNs, toNs)))
        .run();
  }

  @Test
  void eachTickMakesTheCallsThatAreDue() {
    run(Schedule.paced(START, 10_000, 3 * MS), Map.of());

    assertThat(parkedUntil).containsExactly(START, START + MS, START + 2 * MS, START + 3 * MS);
    assertThat(calls).hasSize(30).allSatisfy(call -> assertThat(call.lengthNs()).isEqualTo(US));
    assertThat(calls.get(0).fromNs()).isEqualTo(START);
    assertThat(calls.get(1).fromNs()).as("due 0.1 ms after the start").isEqualTo(START + MS);
    assertThat(calls.get(10).dueNs()).isEqualTo(START + MS);
  }

  @Test
  void aLateWakeUpIsNotTheFaultOfACall() {
    Schedule schedule = Schedule.paced(START, 1_000, 4 * MS);
    new ScheduledCalls(
            schedule,
            () -> nowNs,
            untilNs -> nowNs = untilNs + 20 * MS,
            () -> nowNs += US,
            (dueNs, fromNs, toNs) -> calls.add(new Call(dueNs, fromNs, toNs)))
        .run();

    assertThat(calls).hasSize(4).allSatisfy(call -> assertThat(call.lengthNs()).isEqualTo(US));
  }

  @Test
  void callsThatALongOneHoldsUpAreMeasuredFromTheTimeTheyWereDue() {
    run(Schedule.paced(START, 1_000, 10 * MS), Map.of(1, 5 * MS));

    assertThat(calls).hasSize(10);
    assertThat(calls.get(0).lengthNs()).isEqualTo(US);
    assertThat(calls.get(1).lengthNs()).isEqualTo(5 * MS);
    // Due at 2, 3, 4, 5 and 6 ms, and made one after the other from 6 ms on.
    assertThat(calls.subList(2, 7))
        .extracting(Call::lengthNs)
        .containsExactly(4 * MS + US, 3 * MS + 2 * US, 2 * MS + 3 * US, MS + 4 * US, 5 * US);
    assertThat(calls.subList(7, 10))
        .as("on time again")
        .allSatisfy(call -> assertThat(call.lengthNs()).isEqualTo(US));
  }

  @Test
  void theLongestCallsOfAllThreadsAreMerged() {
    CallTimes first = new CallTimes(200 * MS);
    first.add(0, 5);
    CallTimes second = new CallTimes(200 * MS);
    second.add(0, 3);
    second.add(450 * MS, 8);
    first.addAll(second);

    assertThat(first.longestNs()).containsExactly(5L, 0L, 0L, 0L, 8L);
    assertThat(first.all().getTotalCount()).isEqualTo(3);
  }
}
