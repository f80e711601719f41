package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import java.util.Optional;
import java.util.Set;

/**
 * What a value of one of our peers has to be.
 *
 * @param what the value, for people
 * @param source scenario and computation, for people
 * @param unit how it is written
 * @param bound on which side of the limit it has to be
 * @param limit of the median
 * @param computation how it is found
 * @param withoutRivals peers that the value is not compared with, because it says nothing of them
 * @param subject of whom the value is judged
 */
record Budget(
    String what,
    String source,
    Unit unit,
    Bound bound,
    double limit,
    Computation computation,
    Set<Peer> withoutRivals,
    Peer subject) {

  /** A budget of {@link Peer#FOREBAY}. */
  Budget(
      String what,
      String source,
      Unit unit,
      Bound bound,
      double limit,
      Computation computation,
      Set<Peer> withoutRivals) {
    this(what, source, unit, bound, limit, computation, withoutRivals, Peer.FOREBAY);
  }

  /** Finds the value of a peer; nothing without runs that count. */
  interface Computation {
    Optional<Spread> of(Summary summary, Peer peer);
  }

  /** Which values are good. */
  enum Bound {
    AT_MOST("≤ "),
    AT_LEAST("≥ "),
    /** The value is only shown; less is better. */
    SHOWN("");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }

    /** Whether less is better. */
    boolean isDownwards() {
      return this == AT_MOST || this == SHOWN;
    }
  }

  /** Whether it is met. */
  enum Verdict {
    MET("met"),
    MISSED("missed"),
    UNKNOWN("unknown"),
    NOT_JUDGED("not judged here");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    /** For people. */
    String text() {
      return text;
    }
  }

  /** The value of ours. */
  Optional<Spread> value(Summary summary) {
    return computation.of(summary, subject);
  }

  /** The median of ours and the limit. */
  Verdict verdict(Summary summary) {
    Optional<Spread> value = value(summary);
    if (bound == Bound.SHOWN) {
      return Verdict.NOT_JUDGED;
    }
    if (value.isEmpty()) {
      return Verdict.UNKNOWN;
    }
    return isGood(value.get().median()) ? Verdict.MET : Verdict.MISSED;
  }

  /** The limit with its sign. */
  String limitText() {
    return bound == Bound.SHOWN ? Unit.NOTHING : bound.sign + unit.brief(limit);
  }

  /** Whether one value is better than another. */
  boolean isBetter(double value, double other) {
    return bound.isDownwards() ? value < other : value > other;
  }

  private boolean isGood(double value) {
    return switch (bound) {
      case AT_MOST, SHOWN -> value <= limit;
      case AT_LEAST -> value >= limit;
    };
  }
}
