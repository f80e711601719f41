package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Repetition;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The repetitions of one run, perhaps none. */
record Group<R extends Repetition>(String name, List<R> all) {

  /** Those that are not void. */
  List<R> counting() {
    return all.stream().filter(run -> run.voidBecause() == null).toList();
  }

  /** Whether none counts. */
  boolean isVoid() {
    return counting().isEmpty();
  }

  /** The runs that count or, when none does, the void ones: to be shown marked. */
  List<R> shown() {
    return isVoid() ? all : counting();
  }

  /** Of the runs that count. */
  @Nullable Spread spread(ToDoubleFunction<R> measure) {
    return Spread.of(counting().stream().mapToDouble(measure));
  }

  /** Why a value is missing; empty when it is not. */
  String lack(ToDoubleFunction<R> measure) {
    if (all.isEmpty()) {
      return name + " was not run";
    }
    String reasons =
        all.stream()
            .map(Repetition::voidBecause)
            .filter(Objects::nonNull)
            .distinct()
            .collect(Collectors.joining("; "));
    return isVoid()
        ? name + " has void runs only: " + reasons
        : spread(measure) == null ? name + " has no such figure" : "";
  }
}
