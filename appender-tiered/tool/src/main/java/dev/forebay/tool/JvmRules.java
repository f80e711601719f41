package dev.forebay.tool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What around a JVM can stall or lose log lines. Each rule is a pure function of the facts. */
final class JvmRules {

  private static final Path MEMORY = Path.of("/dev/shm");

  /** The appender takes up no output from where others may plant files. */
  private static final Path PRIVATE = MEMORY.resolve("app");

  /** What an appender's spool takes by default. */
  private static final long SPOOL_BYTES = 256L << 20;

  private static final Pattern UNIFIED_LOG =
      Pattern.compile("-Xlog:[^:]*:(?:file=)?\"?([^:\"]+).*");
  private static final Pattern OLD_GC_LOG = Pattern.compile("-Xloggc:(.+)");
  private static final Set<String> STREAMS = Set.of("stdout", "stderr");

  private JvmRules() {}

  static List<Advice> check(JvmFacts facts) {
    List<Advice> all = new ArrayList<>();
    gcLog(facts, all);
    perfData(facts, all);
    memory(facts, all);
    if (facts.removesIpc()) {
      all.add(
          new Advice(
              "remove-ipc",
              "/etc/systemd/logind.conf",
              "systemd deletes the spool in /dev/shm when the user's last session ends",
              "RemoveIPC=no"));
    }
    return all;
  }

  private static void gcLog(JvmFacts facts, List<Advice> all) {
    for (String option : facts.options()) {
      for (Pattern form : List.of(UNIFIED_LOG, OLD_GC_LOG)) {
        Matcher matcher = form.matcher(option);
        if (matcher.matches() && !STREAMS.contains(matcher.group(1))) {
          Path file = facts.directory().resolve(matcher.group(1)).normalize();
          if (!facts.mounts().isInMemory(file)) {
            all.add(
                new Advice(
                    "gc-log-on-disk",
                    option,
                    "the JVM writes "
                        + file
                        + " at safepoints: a busy disk stops all threads; dev.forebay.jvm.JvmLogAppender carries it there from memory, out of a directory of its user alone: mkdir -m 700 "
                        + PRIVATE,
                    option.replace(
                        matcher.group(1), PRIVATE.resolve(file.getFileName()).toString())));
          }
        }
      }
    }
  }

  private static void perfData(JvmFacts facts, List<Advice> all) {
    if (!facts.perfData().isEmpty() && !facts.mounts().isInMemory(Path.of(facts.perfData()))) {
      all.add(
          new Advice(
              "hsperfdata-on-disk",
              facts.perfData(),
              "the JVM updates this mapped file at safepoints: a busy disk stops all threads",
              "-XX:+PerfDisableSharedMem"));
    }
  }

  private static void memory(JvmFacts facts, List<Advice> all) {
    long bytes = facts.memoryBytes();
    if (bytes == 0 || !facts.mounts().isInMemory(MEMORY)) {
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
    if (facts.isSwapOn() && facts.mounts().isSwappable(MEMORY)) {
      all.add(
          new Advice(
              "swapped-dev-shm",
              MEMORY.toString(),
              "it may be swapped out: writing to the spool then waits for the swap's disk",
              "mount -o remount,noswap /dev/shm (Linux 6.4), or swapoff -a"));
    }
  }
}
