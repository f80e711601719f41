package dev.forebay.it.support;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Kills a process just before a chosen system call, with the help of strace. */
public final class Strace {

  /**
   * Where to kill.
   *
   * @param call name of the system call
   * @param number the process dies before any of its threads' call of this number
   * @param path only calls on this path count; "" for all
   */
  public record Point(String call, int number, String path) {}

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
}
