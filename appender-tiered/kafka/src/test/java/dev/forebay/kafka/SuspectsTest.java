package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspectsTest {

  private final Suspects suspects = new Suspects();

  @Test
  void aRecordIsSetAsideWhenItWasRefusedThreeTimesAndThoseBeforeItStayTogether() {
    for (int i = 0; i < 3; i++) {
      assertThat(suspects.isSetAside(101)).isFalse();
      suspects.failed(i == 0 ? 90 : 101, i == 0 ? 200 : 102, 101, false);
      assertThat(suspects.isAlone(101)).isTrue();
      assertThat(suspects.isAlone(100)).isFalse();
      assertThat(suspects.isAlone(102)).isFalse();
    }

    assertThat(suspects.isSetAside(101)).isTrue();
  }

  @Test
  void whatTheClientRefusesIsSetAsideAtOnce() {
    suspects.failed(90, 102, 101, true);

    assertThat(suspects.isSetAside(101)).isTrue();
  }

  @Test
  void amongOthersNoRecordIsSetAside() {
    for (int i = 0; i < 5; i++) {
      suspects.failed(90, 110, 101, false);
    }

    assertThat(suspects.isSetAside(101)).isFalse();
  }

  @Test
  void aRefusedRecordBehindAGapIsSetAsideToo() {
    suspects.failed(90, 102, 101, false);
    for (int i = 0; i < 2; i++) {
      suspects.failed(99, 102, 101, false); // 99 and 100 cannot be read
    }

    assertThat(suspects.isSetAside(101)).isTrue();
    assertThat(suspects.isSetAside(99)).isFalse();
  }

  @Test
  void whatFailsTwiceAtOnePlaceIsSentAloneUntilItSaysWhatIsRefused() {
    suspects.failed(90, 102, -1, false);
    assertThat(suspects.isAlone(90)).isFalse();
    suspects.failed(90, 102, -1, false);

    assertThat(suspects.isAlone(101)).isTrue();
    assertThat(suspects.isSetAside(90)).isFalse();
  }
}
