package dev.forebay.benchmarks.lab;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What has to be known about a whole run of the lab to judge its measurements: one properties file
 * in the results directory, written when the run begins and once more when it ends.
 *
 * @param values what is known; a fact that is missing could not be found out
 * @param versions for each {@link Peer#libraries()} of this run, names and versions of its
 *     libraries: {@code log4j-core 2.26.1, disruptor 3.4.4}
 */
public record RunInfo(Map<Fact, String> values, Map<String, String> versions) {

  /** Name of the file. */
  public static final String FILE_NAME = "run.properties";

  private static final String VERSIONS = "versions.";

  /** What may be known. The name in the file is that of the constant. */
  public enum Fact {
    /** The command line after {@code java}, as it was given. */
    COMMAND,
    /** When the run began, ISO 8601 with offset. */
    BEGIN,
    /** When it ended, the same; missing when it was broken off. */
    END,
    /** Repetitions asked for. */
    REPETITIONS,
    /** Runs that were planned. */
    PLANNED,
    /** Runs of which there is a measurement, the void ones included. */
    DONE,
    /** What was not run and why, a sentence a line; empty when all was. */
    SKIPPED,
    /** Model of the processor. */
    CPU,
    /** Processors the JVM may use, a number. */
    PROCESSORS,
    /** Memory of the machine in MiB, a number. */
    MEMORY_MIB,
    /** The hypervisor, or {@code none}. */
    VIRTUALISATION,
    /** Name and version of the operating system's kernel. */
    KERNEL,
    /** Where the logs were, and on which type of file system. */
    LOG_DIRECTORY,
    /** Where the logs of the fault scenarios were, in words. */
    FAULT_DISK,
    /** How the neighbour of the scenario of that name writes, in words. */
    NEIGHBOUR,
    /** Where the spools were, and on which type of file system. */
    SPOOL_DIRECTORY,
    /** Name and version of the JDK. */
    JDK,
    /** Options of all measured JVMs; a peer may have more. */
    JVM_OPTIONS,
    /**
     * The commit of the working copy that the benchmarks' jar lies in, when the run began; with
     * {@code (dirty)} after it when files differed from it.
     */
    COMMIT,
    /** Load averages over 1, 5 and 15 minutes at the begin. */
    LOAD_AT_BEGIN,
    /** The same at the end. */
    LOAD_AT_END,
    /** Share of the processors' time that the hypervisor gave to others, in percent, a number. */
    STEAL_PERCENT,
    /** Share of the processors' time in which they had nothing to do, in percent, a number. */
    IDLE_PERCENT
  }

  /** One of the values. */
  public Optional<String> get(Fact fact) {
    return Optional.ofNullable(values.get(fact));
  }

  /** Writes the file into the results directory. */
  public void write(Path directory) throws IOException {
    Properties lines = new Properties();
    values.forEach((fact, value) -> lines.setProperty(fact.name(), value));
    versions.forEach((libraries, value) -> lines.setProperty(VERSIONS + libraries, value));
    try (Writer writer = Files.newBufferedWriter(directory.resolve(FILE_NAME))) {
      lines.store(writer, null);
    }
  }

  /** Reads the file of a results directory; facts that it does not know are left out. */
  public static RunInfo read(Path directory) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(directory.resolve(FILE_NAME))) {
      lines.load(reader);
    }
    Map<Fact, String> values = new EnumMap<>(Fact.class);
    for (Fact fact : Fact.values()) {
      String value = lines.getProperty(fact.name());
      if (value != null) {
        values.put(fact, value);
      }
    }
    Map<String, String> versions = new TreeMap<>();
    for (String name : lines.stringPropertyNames()) {
      if (name.startsWith(VERSIONS)) {
        versions.put(name.substring(VERSIONS.length()), lines.getProperty(name));
      }
    }
    return new RunInfo(values, versions);
  }
}
