package dev.forebay.tool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What around a JVM can stall or lose log lines. Each rule is a pure function of the jvm. */
final class JvmRules {

  private static final Path MEMORY = Path.of("/dev/shm");

  /** The appender takes up no output from where others may plant files. */
  private static final Path PRIVATE = MEMORY.resolve("app");

  /** What an appender's spool takes by default. */
  private static final long SPOOL_BYTES = 256L << 20;

  /** The selection, and the output with what follows it. */
  private static final Pattern UNIFIED_LOG =
      Pattern.compile("-Xlog:([^:]*):((?:file=)?(\"[^\"]*\"|[^:]*))(?::.*)?");

  private static final Pattern OLD_GC_LOG = Pattern.compile("-Xloggc:()((.+))");
  private static final Set<String> STREAMS = Set.of("", "stdout", "stderr", "#0", "#1");

  /**
   * Something that can stall the application or lose lines.
   *
   * @param id a word for scripts, never changed
   * @param where the option or file it was found in
   * @param fault what can happen
   * @param instead what to write
   */
  record Advice(String id, String where, String fault, String instead) {}

  private JvmRules() {}

  static List<Advice> check(Jvm jvm) {
    List<Advice> all = new ArrayList<>();
    gcLog(jvm, all);
    perfData(jvm, all);
    memory(jvm, all);
    if (jvm.removesIpc()) {
      all.add(
          new Advice(
              "remove-ipc",
              "/etc/systemd/logind.conf",
              "systemd deletes the spool in /dev/shm when the user's last session ends",
              "RemoveIPC=no"));
    }
    return all;
  }

  private static void gcLog(Jvm jvm, List<Advice> all) {
    List<String> options = jvm.options();
    String fault =
        options.contains("-Xlog:async") || options.contains("-Xlog:async:drop")
            ? "a busy disk makes the JVM drop lines of %s"
            : "the JVM writes %s at safepoints: a busy disk stops all threads";
    for (String option :
        options.subList(options.lastIndexOf("-Xlog:disable") + 1, options.size())) {
      Matcher matcher = (option.startsWith("-Xloggc") ? OLD_GC_LOG : UNIFIED_LOG).matcher(option);
      if (!matcher.matches() || matcher.group(1).equals("async")) {
        continue;
      }
      String name = matcher.group(3).replace("\"", "");
      Path file = jvm.directory().resolve(name).normalize();
      if (!STREAMS.contains(matcher.group(2)) && !jvm.isInMemory(file)) {
        int end = matcher.end(3) - (matcher.group(3).endsWith("\"") ? 1 : 0);
        String instead =
            PRIVATE.resolve(String.valueOf(file.getFileName())) + option.substring(end);
        all.add(
            new Advice(
                "gc-log-on-disk",
                option,
                fault.formatted(file)
                    + "; dev.forebay.jvm.JvmLogAppender carries it there from memory, out of a directory of its user alone: mkdir -m 700 "
                    + PRIVATE,
                option.substring(0, end - name.length()) + instead));
      }
    }
  }

  private static void perfData(Jvm jvm, List<Advice> all) {
    if (!jvm.perfData().isEmpty() && !jvm.isInMemory(Path.of(jvm.perfData()))) {
      all.add(
          new Advice(
              "hsperfdata-on-disk",
              jvm.perfData(),
              "the JVM updates this mapped file at safepoints: a busy disk stops all threads",
              "-XX:+PerfDisableSharedMem"));
    }
  }

  private static void memory(Jvm jvm, List<Advice> all) {
    long bytes = jvm.memoryBytes();
    if (!jvm.isInMemory(MEMORY)) {
      all.add(
          new Advice(
              "no-dev-shm",
              MEMORY.toString(),
              "there is no file system in memory: the spool moves to the heap, which a kill takes",
              "mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm"));
      return;
    }
    if (bytes > 0 && bytes < SPOOL_BYTES) {
      all.add(
          new Advice(
              "small-dev-shm",
              MEMORY.toString(),
              "it has %s, a spool takes up to %s: a stalled disk fills it sooner, and lines are lost"
                  .formatted(Text.bytes(bytes), Text.bytes(SPOOL_BYTES)),
              "docker run --shm-size=1g, or mount -o remount,size=1g /dev/shm"));
    }
  }
}
