package dev.forebay.it.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kills a process just before a chosen system call, with the help of strace.
 *
 * <p>Which calls change files is not listed but left over: a recording holds every call that names
 * a file or has a descriptor (strace's classes {@code %file} and {@code %desc}), and of those on
 * our files all are points except the ones below, which only look. So a call that the code begins
 * to make tomorrow is a point without anybody thinking of it.
 */
public final class Strace {

  /**
   * Calls that change nothing in a file or directory. {@code fcntl} is here because it is asked for
   * locks, which die with the process; {@code close} gives up nothing but a lock; {@code mmap} is
   * not here.
   */
  private static final Set<String> LOOKING =
      Set.of(
          "access",
          "close",
          "dup",
          "faccessat2",
          "fadvise64",
          "fcntl",
          "fstat",
          "getdents64",
          "lseek",
          "newfstatat",
          "pread64",
          "read",
          "readlink",
          "stat",
          "statfs",
          "statx");

  /** Changes something only if it may create or empty the file. */
  private static final String OPEN = "openat";

  private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)");

  /** A path as an argument, or behind a descriptor as option -y shows it. */
  private static final Pattern PATH = Pattern.compile("\"(/[^\"]*)\"|<(/[^>]*)>(?!\\(deleted)");

  /** Logback packs archives from files that have a time in their names. */
  private static final Pattern UNSTABLE = Pattern.compile(".*\\.log\\d+\\.tmp");

  /**
   * Where to kill.
   *
   * @param call name of the system call
   * @param number the process dies before any of its threads' call of this number
   * @param path only calls on this path count; "" for all
   */
  public record Point(String call, int number, String path) {

    /** The same point of a process that has another name for a directory. */
    public Point renamed(String from, String to) {
      return new Point(call, number, path.replace(from, to));
    }
  }

  private Strace() {}

  /** Why a test is skipped where strace does not work. */
  public static final String MISSING = "no strace: install strace, and allow ptrace";

  /** Whether strace is there and may trace. */
  public static boolean works() throws IOException, InterruptedException {
    try {
      return new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** A command that writes down all calls that have to do with files to {@code trace}. */
  public static String[] recording(Path trace) {
    return new String[] {
      "strace",
      "-f",
      "--seccomp-bpf",
      "-y",
      "-qq",
      "-s0",
      "-o",
      trace.toString(),
      "-e",
      "trace=%file,%desc"
    };
  }

  /** A command that kills. With --seccomp-bpf, strace 6.1 would count to one only. */
  public static String[] killing(Point point) {
    List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", "/dev/null"));
    if (!point.path().isEmpty()) {
      command.add("-P");
      command.add(point.path());
    }
    command.addAll(
        List.of(
            "-e",
            "trace=" + point.call(),
            "-e",
            "inject=" + point.call() + ":signal=SIGKILL:when=" + point.number()));
    return command.toArray(new String[0]);
  }

  /**
   * All points of a recorded run at which a thread was about to change something below the roots,
   * in the order of that run. Calls are counted by thread and path, as strace counts them.
   */
  public static List<Point> points(Path trace, List<Path> roots) throws IOException {
    List<Point> points = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    Set<Point> reached = new HashSet<>();
    try (Stream<String> lines = Files.lines(trace, StandardCharsets.ISO_8859_1)) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher matcher = CALL.matcher(line);
        if (matcher.lookingAt()) { // else the second half of a call, or the end of a thread
          String call = matcher.group(2);
          Point point = pointAt(call, matcher.group(1) + call, matcher.group(3), roots, counts);
          if (point != null && changes(call, matcher.group(3)) && reached.add(point)) {
            points.add(point);
          }
        }
      }
    }
    return points;
  }

  /** Counts a call, in all and on each of its paths below the roots; null without such a path. */
  private static @Nullable Point pointAt(
      String call,
      String counter,
      String arguments,
      List<Path> roots,
      Map<String, Integer> counts) {
    Point point = null;
    int number = counts.merge(counter, 1, Integer::sum);
    for (String path : paths(arguments)) {
      if (roots.stream().anyMatch(root -> Path.of(path).startsWith(root))) {
        int numberOnPath = counts.merge(counter + " " + path, 1, Integer::sum);
        if (point == null) {
          boolean stable = !UNSTABLE.matcher(path).matches();
          point = stable ? new Point(call, numberOnPath, path) : new Point(call, number, "");
        }
      }
    }
    return point;
  }

  private static boolean changes(String call, String arguments) {
    return call.equals(OPEN)
        ? arguments.contains("O_CREAT") || arguments.contains("O_TRUNC")
        : !LOOKING.contains(call);
  }

  private static Set<String> paths(String arguments) {
    Set<String> paths = new LinkedHashSet<>();
    Matcher matcher = PATH.matcher(arguments);
    while (matcher.find()) {
      paths.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    return paths;
  }

  /** So many of the points, spread evenly; with every kind of call among them if there is room. */
  public static List<Point> sample(List<Point> points, int count) {
    Set<Point> chosen = new LinkedHashSet<>();
    Set<String> kinds = new HashSet<>();
    points.stream().filter(point -> kinds.add(point.call())).forEach(chosen::add);
    if (chosen.size() > count) {
      chosen.clear();
    }
    int rest = count - chosen.size();
    for (int i = 0; i < rest && chosen.size() < points.size(); i++) {
      chosen.add(points.get((int) ((i + 0.5) * points.size() / rest)));
    }
    return points.stream().filter(chosen::contains).toList();
  }
}
