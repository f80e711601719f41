package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class CallTimesTest {

  private static final long MS = 1_000_000;

  @Test
  void mergesThreads() {
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
