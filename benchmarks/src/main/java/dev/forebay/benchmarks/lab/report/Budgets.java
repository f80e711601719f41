package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.report.Verdict.Bound;
import dev.forebay.benchmarks.lab.report.Verdict.Rival;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges the runs of the lab by {@code budgets.txt}. */
record Budgets(LabRuns runs) {

  /**
   * What the median of a peer has to be.
   *
   * @param scenario null for all together
   * @param base a peer whose median is taken off; null for none
   * @param over what of the base in the same repetition divides the value; null for nothing
   * @param limit null where the value is only shown
   */
  record Budget(
      Peer subject,
      @Nullable Scenario scenario,
      Measure measure,
      @Nullable Peer base,
      @Nullable Measure over,
      Bound bound,
      @Nullable Double limit) {

    /** Reads a line of the file: cells with two spaces between them at least. */
    static Budget parse(String line) {
      String[] cells = line.split(" {2,}", -1);
      String[] base = cells[3].split(" ", -1);
      String[] limit = cells[4].split(" ", -1);
      String over = !base[0].equals("over") ? "" : base.length > 2 ? base[2] : cells[2];
      return new Budget(
          Peer.valueOf(constant(cells[0])),
          cells[1].equals("all") ? null : Scenario.valueOf(constant(cells[1])),
          Measure.valueOf(cells[2]),
          base.length > 1 ? Peer.valueOf(constant(base[1])) : null,
          over.isEmpty() ? null : Measure.valueOf(over),
          limit[0].equals(">=") ? Bound.AT_LEAST : Bound.AT_MOST,
          limit.length > 1 ? Double.valueOf(limit[1]) : null);
    }

    private static String constant(String id) {
      return id.toUpperCase(Locale.ROOT).replace('-', '_');
    }
  }

  static List<Budget> all() throws IOException {
    return Report.resource("budgets.txt")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(Budget::parse)
        .toList();
  }

  List<Verdict> verdicts() throws IOException {
    return all().stream().map(this::verdict).toList();
  }

  Verdict verdict(Budget budget) {
    Spread value = value(budget, budget.subject());
    String notOurs = "shown only, since the difference is not the appender's own share";
    return new Verdict(
        budget.subject().label(),
        budget.scenario() == null ? "all scenarios" : budget.scenario().id(),
        budget.measure().name(),
        budget.base() == null ? "" : budget.base().label(),
        budget.over() == null ? "" : budget.over().name(),
        budget.bound(),
        budget.limit(),
        value,
        value == null ? lack(budget) : budget.limit() == null ? notOurs : "",
        rivals(budget));
  }

  private @Nullable Spread value(Budget budget, Peer peer) {
    Measure measure = budget.measure();
    Group<Measurement> group = runs.of(budget.scenario(), peer);
    Spread value = group.spread(measure);
    if (budget.base() == null || value == null) {
      return value;
    }
    Group<Measurement> base = runs.of(budget.scenario(), budget.base());
    Measure over = budget.over();
    if (over == null) {
      Spread floor = base.spread(measure);
      // No appender has less than none: what is below the floor is noise.
      double least = budget.base() == Peer.NONE ? 0 : Double.NEGATIVE_INFINITY;
      return floor == null ? null : value.map(one -> Math.max(least, one - floor.median()));
    }
    return Spread.of(
        group.counting().stream()
            .flatMapToDouble(
                run ->
                    base.counting().stream()
                        .filter(other -> other.repetition() == run.repetition())
                        .mapToDouble(
                            other -> measure.applyAsDouble(run) / over.applyAsDouble(other))));
  }

  /** None where the value says nothing of others. */
  private List<Rival> rivals(Budget budget) {
    List<Rival> rivals = new ArrayList<>();
    for (Peer peer : Peer.values()) {
      boolean compares = budget.over() == null && budget.subject() != Peer.FOREBAY_FLIGHT_BARE;
      boolean isOther = !peer.isForebay() && peer != Peer.NONE && peer != budget.base();
      Spread value = compares && isOther ? value(budget, peer) : null;
      if (value != null) {
        rivals.add(new Rival(peer.label(), value.median()));
      }
    }
    return rivals;
  }

  private String lack(Budget budget) {
    Scenario scenario = budget.scenario();
    if (scenario != null && runs.in(scenario).isEmpty()) {
      return scenario.id() + " was not run";
    }
    Peer base = budget.base();
    return Stream.of(budget.subject(), base == null ? budget.subject() : base)
        .map(peer -> runs.of(scenario, peer).lack(budget.measure()))
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("no repetition has both");
  }
}
