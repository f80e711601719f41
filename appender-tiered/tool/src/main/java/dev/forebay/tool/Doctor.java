package dev.forebay.tool;

import dev.forebay.tiered.control.ControlClient;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Judges a running JVM of this user. Reads {@code /proc}, asks its appenders, and runs nothing. */
@Command(
    name = "doctor",
    description = {
      "Say what around a running JVM of this user can stall it or lose its lines, and what to write"
          + " instead.",
      Doctor.SCOPE
    })
final class Doctor implements Callable<Integer> {

  static final String SCOPE =
      "Looks at the JVM's options, its performance data, /dev/shm, systemd's RemoveIPC and the"
          + " accounts of its TieredAppenders; not at Logback's configuration, other appenders, or"
          + " what the program itself does.";

  private static final String DROPPED = "dropped ";
  private static final String LIMITED = "dropped.LIMITED.";
  private static final Path MEMORY = Path.of("/dev/shm");

  /** The appender takes up no output from a directory where other users may plant files. */
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
   */
  record Advice(String id, String where, String fault, String instead) {}

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  @Parameters(paramLabel = "PID", description = "The process id of a JVM.")
  private String subject = "";

  private final List<Advice> found = new ArrayList<>();
  private final List<String> unseen = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (!subject.matches("\\d+")) {
      throw new ToolException(
          Main.USAGE,
          "\"" + subject + "\" is no process id; doctor judges running JVMs, no configuration");
    }
    Path process = Jvm.require(subject);
    Jvm jvm = Jvm.of(process, NioDisk.current().userId());
    check(jvm);
    unseen.addAll(jvm.command().unseen());
    askAppenders(process);
    print();
    return !found.isEmpty() ? Main.FINDINGS : unseen.isEmpty() ? Main.OK : Main.INCOMPLETE;
  }

  private void askAppenders(Path process) throws IOException {
    Map<String, Path> held = Jvm.spools(process);
    for (LogSpools log : places.all()) {
      List<Path> own = new ArrayList<>(); // with those that it took over, without a socket
      for (SpoolFacts spool : log.shipped()) {
        if (held.remove(String.valueOf(spool.path().getFileName())) != null) {
          own.add(spool.path());
        }
      }
      List<Path> asked = new ArrayList<>(own);
      asked.removeIf(spool -> !ControlClient.isPresent(spool));
      for (Path spool :
          asked.isEmpty() ? own.subList(Math.max(0, own.size() - 1), own.size()) : asked) {
        ask(log.log(), spool);
      }
    }
    for (Path spool : held.values()) {
      unseen.add("the account of " + spool + ": name its <spoolDirectory> by --spool-directory");
    }
  }

  private void ask(String log, Path spool) {
    try {
      judge(log, Steering.ask(spool, "account", Steering.SHORT_PATIENCE_NS));
    } catch (IOException | ToolException e) {
      unseen.add("the account of the appender for " + log + ": " + e.getMessage());
    }
  }

  /** The cause of drops comes before them. */
  List<Advice> judge(String log, List<String> account) {
    boolean isWritten = true;
    for (String line : account) {
      if (line.startsWith(Steering.DEGRADED)) {
        String fault = line.substring(Steering.DEGRADED.length());
        isWritten = !fault.contains("the log ");
        advise(
            isWritten ? "degraded" : "log-not-writable",
            log,
            fault,
            isWritten
                ? "what messages.md says of it"
                : "make room, or give the right that is missing; what waits is then written");
      }
    }
    long lost = lost(account);
    if (lost > 0) {
      advise(
          "events-dropped",
          log,
          lost + " events were dropped since the start",
          isWritten
              ? "look for \"dropped between\" in the log, which says when, why and what to do; it is over if forebay account shows the same number twice"
              : "see log-not-writable: a larger spool would be full later");
    }
    return found;
  }

  /** Events of an account that were dropped, but for those that a {@code <limit>} refused. */
  static long lost(List<String> account) {
    long lost = 0;
    for (String line : account) {
      if (line.startsWith(DROPPED) || line.startsWith(LIMITED)) {
        long events = Long.parseLong(line.substring(line.indexOf(' ') + 1));
        lost += line.startsWith(LIMITED) ? -events : events;
      }
    }
    return lost;
  }

  private void print() {
    for (Advice advice : found) {
      output.print(
          new Json()
              .put("id", advice.id())
              .put("where", advice.where())
              .put("fault", advice.fault())
              .put("instead", advice.instead()),
          advice.where(),
          "  " + advice.fault(),
          "  instead: " + advice.instead());
    }
    unseen.forEach(what -> output.note("did not look at " + what));
    if (!output.isJson()) {
      output.line((found.isEmpty() ? "Found nothing. " : "") + SCOPE);
    }
  }

  private void advise(String id, String where, String fault, String instead) {
    found.add(new Advice(id, where, fault, instead));
  }

  /** Applies the rules, which look at nothing but the JVM. */
  List<Advice> check(Jvm jvm) {
    gcLog(jvm);
    perfData(jvm);
    memory(jvm);
    if (jvm.removesIpc()) {
      advise(
          "remove-ipc",
          "/etc/systemd/logind.conf",
          "systemd deletes the spool in /dev/shm when the user's last session ends",
          "RemoveIPC=no");
    }
    return found;
  }

  private void gcLog(Jvm jvm) {
    List<String> options = jvm.command().options();
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
      if (!STREAMS.contains(matcher.group(2)) && !jvm.mounts().isInMemory(file)) {
        int end = matcher.end(3) - (matcher.group(3).endsWith("\"") ? 1 : 0);
        String instead =
            PRIVATE.resolve(String.valueOf(file.getFileName())) + option.substring(end);
        advise(
            "gc-log-on-disk",
            option,
            fault.formatted(file)
                + "; dev.forebay.jvm.JvmLogAppender carries it there from memory, out of a directory of its user alone: mkdir -m 700 "
                + PRIVATE,
            option.substring(0, end - name.length()) + instead);
      }
    }
  }

  private void perfData(Jvm jvm) {
    if (!jvm.perfData().isEmpty() && !jvm.mounts().isInMemory(Path.of(jvm.perfData()))) {
      advise(
          "hsperfdata-on-disk",
          jvm.perfData(),
          "the JVM updates this mapped file at safepoints: a busy disk stops all threads",
          "-XX:+PerfDisableSharedMem");
    }
  }

  private void memory(Jvm jvm) {
    long bytes = jvm.memoryBytes();
    if (!jvm.mounts().isInMemory(MEMORY)) {
      advise(
          "no-dev-shm",
          MEMORY.toString(),
          "there is no file system in memory: the spool moves to the heap, which a kill takes",
          "mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm");
      return;
    }
    if (bytes == 0) {
      unseen.add("the size of " + MEMORY + " as the JVM sees it");
    } else if (bytes < SPOOL_BYTES) {
      advise(
          "small-dev-shm",
          MEMORY.toString(),
          "it has %s, a spool takes up to %s: a stalled disk fills it sooner, and lines are lost"
              .formatted(Text.bytes(bytes), Text.bytes(SPOOL_BYTES)),
          "docker run --shm-size=1g, or mount -o remount,size=1g /dev/shm");
    }
  }
}
