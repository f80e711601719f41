package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was run: names and values for people, in the order in which they are shown. */
final class Facts {

  private final RunInfo run;
  private final List<List<String>> rows = new ArrayList<>();

  private Facts(RunInfo run) {
    this.run = run;
  }

  static Section section(RunInfo run, String runs, Summary summary) {
    Facts facts = new Facts(run);
    facts.all(runs);
    List<Table> tables = new ArrayList<>();
    List<Column> columns = Columns.filled(Columns.START_STOP, summary.everywhere());
    if (!columns.isEmpty()) {
      tables.add(Columns.table("Start and stop", summary.everywhere(), columns));
    }
    tables.add(new Table("Machine, libraries, and what was not run", List.of("", ""), facts.rows));
    return new Section(
        "run", "How it was run", List.of("Each run is a JVM of its own."), List.of(), tables, true);
  }

  private void all(String runs) {
    put("command", run.get(Fact.COMMAND));
    put("begin, end", joined(" to ", Fact.BEGIN, Fact.END));
    put("runs", Optional.of(runs));
    put("commit", run.get(Fact.COMMIT));
    put("machine", machine());
    put("kernel", run.get(Fact.KERNEL));
    put("JDK", run.get(Fact.JDK));
    put("JVM options", run.get(Fact.JVM_OPTIONS));
    run.versions()
        .forEach((set, versions) -> put("libraries, " + peers(set), Optional.of(versions)));
    put("logs", run.get(Fact.LOG_DIRECTORY));
    put("logs in fault scenarios", run.get(Fact.FAULT_DISK));
    put("noisy neighbour", run.get(Fact.NEIGHBOUR));
    put("spools", run.get(Fact.SPOOL_DIRECTORY));
    put("load averages", joined(" to ", Fact.LOAD_AT_BEGIN, Fact.LOAD_AT_END));
    put("processors idle", run.get(Fact.IDLE_PERCENT).map(value -> value + " %"));
    put("taken by other virtual machines", run.get(Fact.STEAL_PERCENT).map(value -> value + " %"));
    put("not run", run.get(Fact.SKIPPED).filter(text -> !text.isBlank()));
  }

  private void put(String name, Optional<String> value) {
    value.ifPresent(text -> rows.add(List.of(name, text)));
  }

  static String runs(RunInfo run, int found, long voids) {
    return "%d%s, %d of them void%s"
        .formatted(
            found,
            run.get(Fact.PLANNED).map(number -> " of " + number + " planned").orElse(""),
            voids,
            run.get(Fact.REPETITIONS)
                .map(number -> ", repetitions asked for: " + number)
                .orElse(""));
  }

  private Optional<String> machine() {
    String text =
        Stream.of(
                run.get(Fact.CPU),
                run.get(Fact.PROCESSORS).map(number -> number + " processors"),
                run.get(Fact.MEMORY_MIB).map(number -> number + " MiB"),
                run.get(Fact.VIRTUALISATION).map(name -> "hypervisor: " + name))
            .flatMap(Optional::stream)
            .collect(Collectors.joining(", "));
    return Optional.of(text).filter(of -> !of.isEmpty());
  }

  private Optional<String> joined(String between, Fact first, Fact second) {
    return run.get(first)
        .map(text -> text + run.get(second).map(more -> between + more).orElse(""));
  }

  private static String peers(String libraries) {
    return Arrays.stream(Peer.values())
        .filter(peer -> peer.libraries().equals(libraries))
        .map(Peer::label)
        .findFirst()
        .filter(label -> !"logback".equals(libraries))
        .orElse(libraries);
  }
}
