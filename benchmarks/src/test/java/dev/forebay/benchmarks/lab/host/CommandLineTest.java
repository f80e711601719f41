package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommandLineTest {

  private static final Path DEFAULT = Path.of("target/lab/now");

  @Test
  void nothingMeansEverything() {
    CommandLine asked = parse();

    assertThat(asked.scenarios()).containsExactly(Scenario.values());
    assertThat(asked.peers()).containsExactly(Peer.values());
    assertThat(asked.repetitions()).isEqualTo(3);
    assertThat(asked.results()).isEqualTo(DEFAULT);
    assertThat(asked.logs()).isEqualTo(DEFAULT);
    assertThat(asked.onlyLists()).isFalse();
  }

  @Test
  void wordsComeInAnyOrder() {
    CommandLine asked =
        parse("forebay", "-d", "/logs", "frozen-disk", "-r", "2", "none", "steady", "-o", "out");

    assertThat(asked.scenarios()).containsExactly(Scenario.STEADY, Scenario.FROZEN_DISK);
    assertThat(asked.peers()).containsExactly(Peer.NONE, Peer.FOREBAY);
    assertThat(asked.repetitions()).isEqualTo(2);
    assertThat(asked.results()).isEqualTo(Path.of("out"));
    assertThat(asked.logs()).isEqualTo(Path.of("/logs"));
  }

  @Test
  void anUnknownWordIsAnsweredWithWhatThereIs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("steady", "log4j"))
        .withMessageContainingAll(
            "There is no scenario and no peer log4j.", "frozen-disk", "log4j2-disruptor4");
  }

  @Test
  void anOptionNeedsItsValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("-o"))
        .withMessageContaining("-o needs a value");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("-r", "0"))
        .withMessage("-r needs a number above 0, not 0");
    assertThatIllegalArgumentException().isThrownBy(() -> parse("-r", "many"));
  }

  @Test
  void theListHasALineForEach() {
    assertThat(parse("list").onlyLists()).isTrue();
    assertThat(CommandLine.list().lines())
        .hasSize(2 + Scenario.values().length + Peer.values().length)
        .contains("  chronicle          Chronicle Logger")
        .contains(
            "  early-burst-2      2 threads log 500,000 events 3 s after the start, after 60,000 of"
                + " warm-up")
        .anyMatch(line -> line.contains("full-disk") && line.contains("full for 3 s"));
  }

  private static CommandLine parse(String... words) {
    return CommandLine.parse(List.of(words), DEFAULT);
  }
}
