package dev.forebay.benchmarks.many;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process holds and has used, from {@code /proc}.
 *
 * <p>Threads of appenders end when there is nothing to do, and with them what {@code /proc} tells
 * of each. So processor time is that of the process.
 *
 * @param threads threads of appenders
 * @param allThreads all threads of the process
 * @param files open files of the whole process
 * @param residentKib resident memory of the whole process
 * @param sharedKib the same, of a page that several processes have only this one's share
 * @param begun threads that the process has ever had
 * @param cpuNs processor time of the whole process
 */
record Footprint(
    int threads,
    int allThreads,
    int files,
    long residentKib,
    long sharedKib,
    long begun,
    long cpuNs) {

  /** Names of our threads begin with this. */
  private static final String OURS = "forebay-";

  /** Of no process. */
  static final Footprint NONE = new Footprint(0, 0, 0, 0, 0, 0, 0);

  /** That of this process. */
  static Footprint now() throws IOException {
    return of(ProcessHandle.current());
  }

  /** That of any; of another one the threads ever begun are unknown, and 0. */
  static Footprint of(ProcessHandle handle) throws IOException {
    boolean isOwn = handle.equals(ProcessHandle.current());
    Path process = Path.of("/proc", isOwn ? "self" : String.valueOf(handle.pid()));
    int threads = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
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
    List<String> whole = Files.readAllLines(process.resolve("status"));
    return new Footprint(
        threads,
        Integer.parseInt(field(whole, "Threads:")),
        openFiles(process, isOwn),
        kib(whole, "VmRSS:"),
        kib(Files.readAllLines(process.resolve("smaps_rollup")), "Pss:"),
        isOwn ? ManagementFactory.getThreadMXBean().getTotalStartedThreadCount() : 0,
        handle.info().totalCpuDuration().orElseThrow().toNanos());
  }

  /** That of two processes together. */
  Footprint plus(Footprint other) {
    return new Footprint(
        threads + other.threads,
        allThreads + other.allThreads,
        files + other.files,
        residentKib + other.residentKib,
        sharedKib + other.sharedKib,
        begun + other.begun,
        cpuNs + other.cpuNs);
  }

  private static int openFiles(Path process, boolean isOwn) throws IOException {
    int files = isOwn ? -1 : 0; // the directory being read is open too
    try (DirectoryStream<Path> links = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path unused : links) {
        files++;
      }
    }
    return files;
  }

  private static long kib(List<String> lines, String name) {
    String size = field(lines, name);
    return Long.parseLong(size.substring(0, size.indexOf(' ')));
  }

  private static String field(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).trim())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No " + name + " in " + status));
  }
}
