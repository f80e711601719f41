package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspectsTest {

  private final Suspects suspects = new Suspects();

  @Test
  void aRecordIsSetAsideWhenItWasRefusedThreeTimesAlone() {
    suspects.failed(90, 102, 102);
    for (int i = 0; i < 3; i++) {
      assertThat(suspects.isAlone(101)).isTrue();
      assertThat(suspects.isSetAside(101)).isFalse();
      suspects.failed(101, 102, 102);
    }

    assertThat(suspects.isSetAside(101)).isTrue();
    assertThat(suspects.isAlone(102)).isFalse();
  }

  @Test
  void aRefusedRecordBehindAGapIsSetAsideToo() {
    suspects.failed(90, 102, 102);
    for (int i = 0; i < 3; i++) {
      suspects.failed(99, 102, 102); // 99 and 100 cannot be read
    }

    assertThat(suspects.isSetAside(101)).isTrue();
    assertThat(suspects.isSetAside(99)).isFalse();
  }

  @Test
  void whatFailsTwiceAtOnePlaceIsSentAloneUntilItSaysWhatIsRefused() {
    suspects.failed(90, 102, 0);
    assertThat(suspects.isAlone(90)).isFalse();
    suspects.failed(90, 102, 0);

    assertThat(suspects.isAlone(101)).isTrue();
    assertThat(suspects.isSetAside(90)).isFalse();
  }
}
