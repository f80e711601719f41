package dev.forebay.benchmarks.lab.jvm;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the files of a run are.
 *
 * @param disk directory on the disk that gets sick
 * @param memory directory on tmpfs
 * @param agent the agent's jar
 */
public record LogPlaces(Path disk, Path memory, Path agent) {

  private static final String LOG = "jvm.log";
  private static final String DECORATORS = "timenanos";

  /** The log on the disk, when it is written there. */
  public Path diskLog() {
    return disk.resolve(LOG);
  }

  /** The log in memory, when it is written there and nowhere else. */
  public Path memoryLog() {
    return memory.resolve(LOG);
  }

  /** The log of a run that has ended. */
  public Path log() {
    return Files.exists(memoryLog()) ? memoryLog() : diskLog();
  }

  /** All that the JVM logged: a second output, in memory. */
  public Path truth() {
    return memory.resolve("truth.log");
  }

  /** Its safepoints: another one. */
  public Path safepoints() {
    return memory.resolve("safepoints.log");
  }

  /** What the program leaves. */
  public Path figures() {
    return memory.resolve("figures.properties");
  }

  String diskOutput(String what) {
    return output(what, diskLog());
  }

  /** The option of an output that is never rotated. */
  public static String output(String what, Path file) {
    return "-Xlog:%s:file=%s:%s:filecount=0".formatted(what, file, DECORATORS);
  }

  /** The agent has a colon where {@code -Xlog} has a comma. The log never rolls. */
  String agentOption(String what) {
    return "-javaagent:%s=file=%s,spoolDirectory=%s,what=%s,decorators=%s,maxFileSize=1GB"
        .formatted(agent, diskLog(), memory, what.replace(',', ':'), DECORATORS)
        .concat(",totalSizeCap=2GB");
  }
}
