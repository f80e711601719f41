package dev.forebay.benchmarks.lab.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a median has to be, and what it is.
 *
 * @param in scenario or experiment
 * @param base with whom it is compared; empty for nobody
 * @param over what of the base divides it; empty when the base is taken off
 * @param limit null where there is none
 * @param value null when it is not known
 * @param why it is not judged; empty when it is
 * @param others with whom it is compared besides
 */
record Verdict(
    String subject,
    String in,
    String measure,
    String base,
    String over,
    Bound bound,
    @Nullable Double limit,
    @Nullable Spread value,
    String why,
    List<Rival> others) {

  /** On which side of the limit a median has to be. */
  enum Bound {
    AT_MOST,
    AT_LEAST
  }

  enum State {
    MISSED,
    MET,
    NOT_JUDGED
  }

  /** A median of somebody else. */
  record Rival(String name, double value) {}

  @JsonProperty
  State state() {
    if (value == null || limit == null || !why.isEmpty()) {
      return State.NOT_JUDGED;
    }
    double above = value.median() - limit;
    return (bound == Bound.AT_MOST ? above <= 0 : above >= 0) ? State.MET : State.MISSED;
  }
}
