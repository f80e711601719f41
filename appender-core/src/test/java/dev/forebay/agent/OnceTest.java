package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnceTest {

  private final List<String> said = new ArrayList<>();
  private final Once once = new Once(said::add);

  @Test
  void warnsOfAThingAgainOnceItWasOver() {
    once.warn("disk", "full");
    once.warn("disk", "still full");
    once.warn("log", "gone");
    assertThat(said).containsExactly("full", "gone");

    assertThat(once.isOver("disk")).isFalse();

    once.over("disk");
    assertThat(once.isOver("disk")).isTrue();
    once.warn("disk", "full again");
    once.warn("log", "still gone");
    assertThat(said).containsExactly("full", "gone", "full again");
  }
}
