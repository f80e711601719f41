package dev.forebay.benchmarks.many;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * What this process holds and has used, from {@code /proc}.
 *
 * <p>Threads of appenders end when there is nothing to do, and with them what {@code /proc} tells
 * of each. So processor time is that of the process.
 *
 * @param threads threads of appenders
 * @param files open files of the whole process
 * @param residentKib resident memory of the whole process
 * @param begun threads that the process has ever had
 * @param cpuNs processor time of the whole process
 */
record Footprint(int threads, int files, long residentKib, long begun, long cpuNs) {

  /** Names of our threads begin with this. */
  private static final String OURS = "forebay-";

  private static final Path PROCESS = Path.of("/proc/self");

  static Footprint now() throws IOException {
    int threads = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROCESS.resolve("task"))) {
      for (Path task : tasks) {
        try {
          List<String> status = Files.readAllLines(task.resolve("status"));
          if (field(status, "Name:").startsWith(OURS)) {
            threads++;
          }
        } catch (NoSuchFileException e) {
          // It ended meanwhile.
        }
      }
    }
    List<String> whole = Files.readAllLines(PROCESS.resolve("status"));
    String resident = field(whole, "VmRSS:");
    return new Footprint(
        threads,
        openFiles(),
        Long.parseLong(resident.substring(0, resident.indexOf(' '))),
        ManagementFactory.getThreadMXBean().getTotalStartedThreadCount(),
        ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos());
  }

  private static int openFiles() throws IOException {
    int files = -1; // the directory being read is open too
    try (DirectoryStream<Path> links = Files.newDirectoryStream(PROCESS.resolve("fd"))) {
      for (Path unused : links) {
        files++;
      }
    }
    return files;
  }

  private static String field(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).trim())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No " + name + " in " + status));
  }
}
