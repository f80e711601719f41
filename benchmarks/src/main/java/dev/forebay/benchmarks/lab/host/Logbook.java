package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes {@link RunInfo}: at the begin what is known then, at the end the rest. */
final class Logbook {

  private final Path results;
  private final Clock clock;
  private final Map<Fact, String> facts = new EnumMap<>(Fact.class);
  private final Map<String, String> versions;
  private final Optional<ProcessorTime> atBegin = ProcessorTime.now();

  Logbook(Path results, Clock clock, Map<String, String> versions) {
    this.results = results;
    this.clock = clock;
    this.versions = versions;
  }

  /**
   * What is going to be run.
   *
   * @param arguments of the lab
   * @param skipped what is left out and why, a sentence each
   * @param jvmOptions of all measured JVMs
   * @param spools directory on tmpfs
   */
  record Task(
      List<String> arguments,
      int repetitions,
      int runs,
      List<String> skipped,
      List<String> jvmOptions,
      Path logs,
      Path spools) {}

  /** Notes what is known before the first run. */
  void begin(Task task) throws IOException {
    facts.put(Fact.COMMAND, command(task.arguments()));
    facts.put(Fact.BEGIN, now());
    facts.put(Fact.REPETITIONS, Integer.toString(task.repetitions()));
    facts.put(Fact.PLANNED, Integer.toString(task.runs()));
    facts.put(Fact.SKIPPED, String.join("\n", task.skipped()));
    note(Fact.CPU, Machine.processor());
    facts.put(Fact.PROCESSORS, Integer.toString(Runtime.getRuntime().availableProcessors()));
    note(Fact.MEMORY_MIB, Machine.memoryMebibytes());
    note(Fact.VIRTUALISATION, Machine.virtualisation());
    facts.put(Fact.KERNEL, Machine.kernel());
    facts.put(Fact.LOG_DIRECTORY, Machine.placed(task.logs()));
    facts.put(
        Fact.FAULT_DISK,
        "ext4 in an image file in the log directory, mounted through a loop device for each run");
    facts.put(Fact.NEIGHBOUR, NeighbourFault.description());
    facts.put(Fact.SPOOL_DIRECTORY, Machine.placed(task.spools()));
    facts.put(Fact.JDK, Machine.jdk());
    facts.put(Fact.JVM_OPTIONS, String.join(" ", task.jvmOptions()));
    note(Fact.COMMIT, Machine.commit());
    note(Fact.LOAD_AT_BEGIN, Machine.load());
    write();
  }

  /** Notes how it went. */
  void end(int done) throws IOException {
    facts.put(Fact.END, now());
    facts.put(Fact.DONE, Integer.toString(done));
    note(Fact.LOAD_AT_END, Machine.load());
    Optional<ProcessorTime> atEnd = ProcessorTime.now();
    if (atBegin.isPresent() && atEnd.isPresent()) {
      facts.put(Fact.STEAL_PERCENT, percent(atEnd.get().stealPercentSince(atBegin.get())));
      facts.put(Fact.IDLE_PERCENT, percent(atEnd.get().idlePercentSince(atBegin.get())));
    }
    write();
  }

  private static String command(List<String> arguments) {
    StringBuilder text = new StringBuilder("java");
    for (String property : JavaCommand.PROPERTIES) {
      String value = System.getProperty(property);
      if (value != null) {
        text.append(" -D").append(property).append('=').append(value);
      }
    }
    text.append(" -jar benchmarks.jar lab");
    arguments.forEach(argument -> text.append(' ').append(argument));
    return text.toString();
  }

  private void note(Fact fact, Optional<String> value) {
    value.ifPresent(text -> facts.put(fact, text));
  }

  private String now() {
    return OffsetDateTime.now(clock).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private void write() throws IOException {
    new RunInfo(facts, versions).write(results);
  }
}
