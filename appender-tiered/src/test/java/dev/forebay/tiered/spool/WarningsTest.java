package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarningsTest {

  private final Warnings warnings = new Warnings();

  @Test
  void whatIsSaidAgainAndAgainIsNotForgotten() {
    for (int i = 0; i < 2000; i++) {
      warnings.add("always");
      warnings.add("text " + i);
      List<String> taken = warnings.take();
      assertThat(taken.contains("always")).isEqualTo(i == 0);
    }
  }

  @Test
  void aLookFullOfGarbageTakesBoundedMemory() {
    for (int i = 0; i < 2000; i++) {
      warnings.add("text " + i);
    }
    assertThat(warnings.take()).hasSize(500);
  }
}
