package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspectsTest {

  private final Suspects suspects = new Suspects();

  @Test
  void aRecordIsSetAsideWhenItWasRefusedThreeTimesAlone() {
    suspects.refused(90, 102);
    for (int i = 0; i < 3; i++) {
      assertThat(suspects.isAlone(101)).isTrue();
      assertThat(suspects.isSetAside(101)).isFalse();
      suspects.refused(101, 102);
    }

    assertThat(suspects.isSetAside(101)).isTrue();
    assertThat(suspects.isAlone(102)).isFalse();
  }

  @Test
  void aRefusedRecordBehindAGapIsSetAsideToo() {
    suspects.refused(90, 102);
    for (int i = 0; i < 3; i++) {
      suspects.refused(99, 102); // 99 and 100 cannot be read
    }

    assertThat(suspects.isSetAside(101)).isTrue();
    assertThat(suspects.isSetAside(99)).isFalse();
  }
}
