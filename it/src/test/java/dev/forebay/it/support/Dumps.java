package dev.forebay.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.observe.LedgerSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The oracle for the dump of a flight recorder. */
public final class Dumps {

  private Dumps() {}

  /**
   * Requires that each line is exactly what a producer logged, and that each producer's lines are
   * in order and without a hole from its first one on.
   *
   * @return the number after the last one of each producer
   */
  public static Map<String, Long> requireGapless(List<String> lines) {
    Map<String, Long> next = new HashMap<>();
    List<String> faults = new ArrayList<>();
    for (String line : lines) {
      Numbered read = Numbered.parse(line);
      if (read == null) {
        faults.add("torn: " + line);
      } else {
        Long expected = next.put(read.producer(), read.number() + 1);
        if (expected != null && expected != read.number()) {
          faults.add("%d expected, but %s".formatted(expected, read));
        }
      }
    }
    assertThat(faults.stream().limit(5)).as("%d faults", faults.size()).isEmpty();
    return next;
  }

  /** The law of the account, in one snapshot. */
  public static void requireLaw(LedgerSnapshot account) {
    assertThat(account.held()).as("held in %s", account).isNotNegative();
    assertThat(account.inFlight()).as("in flight in %s", account).isNotNegative();
    assertThat(account.offered())
        .as("%s", account)
        .isEqualTo(
            account.delivered()
                + account.dropped()
                + account.expired()
                + account.held()
                + account.inFlight());
  }
}
