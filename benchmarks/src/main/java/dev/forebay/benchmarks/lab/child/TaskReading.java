package dev.forebay.benchmarks.lab.child;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Processor time and context switches of each thread of this process, from {@code /proc}. */
public final class TaskReading {

  /**
   * What a thread used until now, or in between two readings.
   *
   * @param name its first 15 characters
   */
  public record Task(String name, long cpuNs, long voluntary, long involuntary) {

    /** From the contents of {@code status} and {@code schedstat}. */
    static Task of(List<String> status, String schedstat) {
      return new Task(
          field(status, "Name:"),
          Long.parseLong(schedstat.substring(0, schedstat.indexOf(' '))),
          Long.parseLong(field(status, "voluntary_ctxt_switches:")),
          Long.parseLong(field(status, "nonvoluntary_ctxt_switches:")));
    }

    private static String field(List<String> status, String name) {
      return status.stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).trim())
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("No " + name + " in " + status));
    }

    Task since(Task earlier) {
      return new Task(
          name,
          cpuNs - earlier.cpuNs,
          voluntary - earlier.voluntary,
          involuntary - earlier.involuntary);
    }

    /** Whether it is one of the JVM's own threads: compilers, collectors, and so on. */
    public boolean isOfJvm() {
      return JVM_NAMES.stream().anyMatch(name::startsWith);
    }

    boolean logs() {
      return name.startsWith(Producers.NAME);
    }
  }

  /** {@code java} is the launcher's thread, which waits for the end. */
  private static final List<String> JVM_NAMES =
      List.of(
          "G1 ",
          "GC Thread",
          "C1 Compiler",
          "C2 Compiler",
          "VM Thread",
          "VM Periodic",
          "Sweeper",
          "Common-Cleaner",
          "Signal Dispatch",
          "Reference Handl",
          "Finalizer",
          "Service Thread",
          "Monitor Deflati",
          "Notification T",
          "Attach Listener",
          "DestroyJavaVM",
          "java");

  private static final Path TASKS = Path.of("/proc/self/task");

  private final Map<String, Task> tasks;

  private TaskReading(Map<String, Task> tasks) {
    this.tasks = tasks;
  }

  /** A reading of all threads but the calling one. */
  public static TaskReading now() throws IOException {
    String own = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    Map<String, Task> tasks = new HashMap<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(TASKS)) {
      for (Path directory : directories) {
        String id = directory.getFileName().toString();
        if (!id.equals(own)) {
          add(id, directory, tasks);
        }
      }
    }
    return new TaskReading(tasks);
  }

  private static void add(String id, Path directory, Map<String, Task> to) throws IOException {
    try {
      to.put(
          id,
          Task.of(
              Files.readAllLines(directory.resolve("status")),
              Files.readString(directory.resolve("schedstat"))));
    } catch (NoSuchFileException e) {
      // It ended meanwhile.
    } catch (IOException e) {
      if (Files.exists(directory)) { // or else it ended while it was read
        throw e;
      }
    }
  }

  /** What the threads used that there were then and are now. */
  public List<Task> since(TaskReading earlier) {
    List<Task> used = new ArrayList<>();
    tasks.forEach(
        (id, task) -> {
          Task before = earlier.tasks.get(id);
          if (before != null) {
            used.add(task.since(before));
          }
        });
    return used;
  }

  /** Processor time of some of them. */
  public static long cpuNs(List<Task> tasks, Predicate<Task> which) {
    return tasks.stream().filter(which).mapToLong(Task::cpuNs).sum();
  }

  /** Voluntary context switches of some of them. */
  public static long voluntary(List<Task> tasks, Predicate<Task> which) {
    return tasks.stream().filter(which).mapToLong(Task::voluntary).sum();
  }

  static long involuntary(List<Task> tasks, Predicate<Task> which) {
    return tasks.stream().filter(which).mapToLong(Task::involuntary).sum();
  }
}
