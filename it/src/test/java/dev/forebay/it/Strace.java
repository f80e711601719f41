package dev.forebay.it;

import java.io.IOException;
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

/** Kills a process just before a chosen system call, with the help of strace. */
final class Strace {

  /** System calls that change files. */
  static final List<String> CHANGES =
      List.of("pwrite64", "fdatasync", "fsync", "rename", "unlink", "rmdir", "mkdir", "ftruncate");

  private static final String OPEN = "openat";
  private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)");

  /**
   * Where to kill.
   *
   * @param call name of the system call
   * @param number the process dies before any of its threads' call of this number
   * @param what that call does, for messages
   * @param paths only calls on these count; empty for all
   */
  record Point(String call, int number, String what, List<String> paths) {}

  private Strace() {}

  /** Whether strace is there and may trace. */
  static boolean works() throws IOException, InterruptedException {
    try {
      return new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** A command that writes down all calls to {@code trace}. */
  static String[] recording(Path trace) {
    String calls = String.join(",", CHANGES) + "," + OPEN;
    return new String[] {
      "strace", "-f", "--seccomp-bpf", "-y", "-qq", "-o", trace.toString(), "-e", "trace=" + calls
    };
  }

  /** A command that kills. With --seccomp-bpf, strace 6.1 would count to one only. */
  static String[] killing(Point point) {
    List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", "/dev/null"));
    for (String path : point.paths()) {
      command.add("-P");
      command.add(path);
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
   * in the order of that run. Calls are counted by thread, as strace counts them.
   *
   * @param stable paths that every run opens; only openings of these are points
   */
  static List<Point> points(Path trace, List<Path> roots, List<Path> stable) throws IOException {
    List<Point> points = new ArrayList<>();
    Map<String, Integer> byThread = new HashMap<>();
    Map<String, Integer> stableByThread = new HashMap<>();
    Set<String> reached = new HashSet<>();
    List<String> stablePaths = stable.stream().map(Path::toString).toList();
    try (Stream<String> lines = Files.lines(trace, java.nio.charset.StandardCharsets.ISO_8859_1)) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher matcher = CALL.matcher(line);
        if (!matcher.lookingAt()) {
          continue; // the second half of a call, or the end of a thread
        }
        String thread = matcher.group(1);
        String call = matcher.group(2);
        String arguments = matcher.group(3);
        String what = call + "(" + arguments.substring(0, Math.min(160, arguments.length()));
        boolean ours = roots.stream().anyMatch(root -> arguments.contains(root.toString()));
        if (!call.equals(OPEN)) {
          int number = byThread.merge(thread + call, 1, Integer::sum);
          if (reached.add(call + number) && ours) {
            points.add(new Point(call, number, what, List.of()));
          }
        } else if (stablePaths.stream().anyMatch(path -> arguments.contains("\"" + path + "\""))) {
          int number = stableByThread.merge(thread, 1, Integer::sum);
          if (reached.add(call + number)) {
            points.add(new Point(call, number, what, stablePaths));
          }
        }
      }
    }
    return points;
  }

  /** So many of the points, spread evenly, with every kind of call among them. */
  static List<Point> sample(List<Point> points, int count) {
    Set<Point> chosen = new LinkedHashSet<>();
    Set<String> kinds = new HashSet<>();
    points.stream().filter(point -> kinds.add(point.call())).forEach(chosen::add);
    int rest = Math.max(1, count - chosen.size());
    for (int i = 0; i < rest && chosen.size() < points.size(); i++) {
      chosen.add(points.get((int) ((i + 0.5) * points.size() / rest)));
    }
    return points.stream().filter(chosen::contains).toList();
  }
}
