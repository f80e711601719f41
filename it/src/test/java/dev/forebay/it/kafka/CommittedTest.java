package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That the oracle of a topic sees what is wrong. */
class CommittedTest {

  private static Committed of(String numbers) {
    return new Committed(
        Stream.of(numbers.split(","))
            .map(Long::valueOf)
            .map(
                number ->
                    new Committed.Entry(
                        0,
                        "key",
                        new Numbered("p", number).text(),
                        "0123456789abcdef".repeat(2),
                        number,
                        0,
                        Map.of()))
            .toList());
  }

  private static Oracle oracle() {
    return new Oracle().producer("p", 3, 3).complete(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0,2", "0,1,1,2", "0,2,1"})
  void aHoleARepeatAndAnotherOrderAreSeen(String numbers) {
    Committed read = of(numbers);
    assertThat(read.faults(0)).hasSize(1);
    assertThatThrownBy(() -> read.requireSound(oracle())).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> oracle().requireSound(read.lines()))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aReaderWhoLeavesRepeatsOutHasEachOnce() {
    of("0,1,1,2").withoutRepeats().requireSound(oracle());
  }
}
