package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class RefusalStreakTest {

  private static final long MS = 1_000_000;

  private final RefusalStreak streak = new RefusalStreak(1000);

  @Test
  void aRefusalThatEndsSoonIsNone() {
    assertThat(streak.isTooLong(0, 5)).isFalse();
    assertThat(streak.isTooLong(29 * MS, 5)).isFalse();
  }

  @Test
  void aRefusalThatLastsIsTooLong() {
    assertThat(streak.isTooLong(-7, 5)).isFalse();
    assertThat(streak.isTooLong(30 * MS - 7, 5)).isTrue();
  }

  @Test
  void whoeverWritesEnoughBetweenTwoRefusalsMayGoOn() {
    for (int i = 0; i < 10; i++) {
      assertThat(streak.isTooLong(i * 30L * MS, i * 1000L)).isFalse();
    }
    assertThat(streak.isTooLong(300 * MS, 9999)).isTrue();
  }

  @Test
  void crumbsAreNotEnough() {
    assertThat(streak.isTooLong(0, 0)).isFalse();
    assertThat(streak.isTooLong(20 * MS, 500)).isFalse();
    assertThat(streak.isTooLong(40 * MS, 900)).isTrue();
  }

  @Test
  void refusalsFarApartAreEachTheFirst() {
    for (long ns = 0; ns < 10_000 * MS; ns += RefusalStreak.FORGET_NS + 1) {
      assertThat(streak.isTooLong(ns, 0)).isFalse();
    }
  }
}
