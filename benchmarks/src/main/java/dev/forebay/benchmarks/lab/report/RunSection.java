package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was run: names and values for people, in the order in which they are shown. */
final class RunSection {

  private RunSection() {}

  static void write(Markup page, Results results) {
    page.element("h2", "How it was run", "id", "run");
    page.element(
        "p",
        "Each run is a JVM of its own. Values are medians over the repetitions, with the least and"
            + " the greatest below them.",
        "class",
        "how");
    page.open("details").element("summary", "Machine, libraries, and what was not run");
    page.open("div", "class", "wide").open("table", "class", "facts").open("tbody");
    facts(results)
        .forEach(
            (name, value) ->
                page.open("tr")
                    .element("th", name, "scope", "row")
                    .element("td", value, "class", "words")
                    .close());
    page.close().close().close().close();
  }

  /** Names the files that could not be read. */
  static void writeDamaged(Markup page, Results results) {
    if (!results.damaged().isEmpty()) {
      page.open("div", "class", "warning").element("p", "Not in this report:").open("ul");
      results.damaged().forEach(sentence -> page.element("li", sentence));
      page.close().close();
    }
  }

  /** Those that are known. */
  static Map<String, String> facts(Results results) {
    RunInfo run = results.run();
    Map<String, String> facts = new LinkedHashMap<>();
    put(facts, "command", run.get(Fact.COMMAND));
    put(facts, "begin, end", joined(run, " to ", Fact.BEGIN, Fact.END));
    facts.put("runs", runs(results));
    put(facts, "commit", run.get(Fact.COMMIT));
    put(facts, "machine", machine(run));
    put(facts, "kernel", run.get(Fact.KERNEL));
    put(facts, "JDK", run.get(Fact.JDK));
    put(facts, "JVM options", run.get(Fact.JVM_OPTIONS));
    run.versions().forEach((set, versions) -> facts.put("libraries, " + peers(set), versions));
    put(facts, "logs", run.get(Fact.LOG_DIRECTORY));
    put(facts, "logs in fault scenarios", run.get(Fact.FAULT_DISK));
    put(facts, "noisy neighbour", run.get(Fact.NEIGHBOUR));
    put(facts, "spools", run.get(Fact.SPOOL_DIRECTORY));
    put(facts, "load averages", joined(run, " to ", Fact.LOAD_AT_BEGIN, Fact.LOAD_AT_END));
    put(facts, "processors idle", run.get(Fact.IDLE_PERCENT).map(value -> value + " %"));
    put(
        facts,
        "taken by other virtual machines",
        run.get(Fact.STEAL_PERCENT).map(value -> value + " %"));
    put(facts, "not run", run.get(Fact.SKIPPED).filter(text -> !text.isBlank()));
    return facts;
  }

  private static void put(Map<String, String> facts, String name, Optional<String> value) {
    value.ifPresent(text -> facts.put(name, text));
  }

  private static String runs(Results results) {
    int found = results.summary().measurements().size();
    long voids =
        results.summary().measurements().stream().filter(run -> run.voidBecause() != null).count();
    String planned =
        results.run().get(Fact.PLANNED).map(number -> " of " + number + " planned").orElse("");
    String repetitions =
        results
            .run()
            .get(Fact.REPETITIONS)
            .map(number -> ", repetitions asked for: " + number)
            .orElse("");
    return "%d%s, %d of them void%s".formatted(found, planned, voids, repetitions);
  }

  private static Optional<String> machine(RunInfo run) {
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

  private static Optional<String> joined(RunInfo run, String between, Fact first, Fact second) {
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
