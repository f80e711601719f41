package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SpoolBudgetsTest {

  private static final long MB = 1L << 20;
  private static final OptionalLong NO_LIMIT = OptionalLong.empty();

  @Test
  void theDefaultIs256MegabytesWhereThereIsRoom() {
    assertThat(SpoolBudgets.sharedSpoolBytes(8192 * MB, NO_LIMIT)).isEqualTo(256 * MB);
    assertThat(SpoolBudgets.sharedSpoolBytes(8192 * MB, OptionalLong.of(4096 * MB)))
        .isEqualTo(256 * MB);
  }

  @Test
  void theDefaultTakesAQuarterOfTheRoom() {
    assertThat(SpoolBudgets.sharedSpoolBytes(64 * MB, NO_LIMIT)).isEqualTo(16 * MB);
  }

  @Test
  void whatDirectoriesAndLocksTakeCostsNoSegment() {
    assertThat(SpoolBudgets.sharedSpoolBytes(64 * MB - 12 * 1024, NO_LIMIT)).isEqualTo(16 * MB);
  }

  @Test
  void theDefaultTakesAnEighthOfTheContainersLimit() {
    assertThat(SpoolBudgets.sharedSpoolBytes(8192 * MB, OptionalLong.of(512 * MB)))
        .isEqualTo(64 * MB);
  }

  @Test
  void moreThanHalfOfTheLimitIsTooLarge() {
    assertThat(SpoolBudgets.isTooLarge(256 * MB, 0, OptionalLong.of(512 * MB))).isFalse();
    assertThat(SpoolBudgets.isTooLarge(256 * MB + 1, 0, OptionalLong.of(512 * MB))).isTrue();
    assertThat(SpoolBudgets.isTooLarge(Long.MAX_VALUE, MB, NO_LIMIT)).isFalse();
  }

  @Test
  void moreThanTheHeapLeavesIsTooLarge() {
    assertThat(SpoolBudgets.isTooLarge(64 * MB, 448 * MB, OptionalLong.of(512 * MB))).isFalse();
    assertThat(SpoolBudgets.isTooLarge(64 * MB, 449 * MB, OptionalLong.of(512 * MB))).isTrue();
    assertThat(SpoolBudgets.isTooLarge(MB, Long.MAX_VALUE, OptionalLong.of(512 * MB))).isTrue();
  }
}
