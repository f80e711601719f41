package dev.forebay.tool;

import dev.forebay.tiered.inspect.Inspector;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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

  /** A JVM that is stopped gives no account. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

  private static final String DROPPED = "dropped ";

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  @Parameters(paramLabel = "PID", description = "The process id of a JVM.")
  private String subject = "";

  private final List<JvmRules.Advice> found = new ArrayList<>();
  private final List<String> unseen = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (!subject.matches("\\d+")) {
      throw new ToolException(
          ExitCode.USAGE,
          "\"" + subject + "\" is no process id; doctor judges running JVMs, no configuration");
    }
    Path process = Running.require(subject);
    Jvm jvm = Jvm.of(process, new Inspector().userId());
    found.addAll(JvmRules.check(jvm));
    unseen.addAll(jvm.unseen());
    askAppenders(Long.parseLong(subject));
    print();
    if (found.isEmpty()) {
      return unseen.isEmpty() ? ExitCode.OK : ExitCode.INCOMPLETE;
    }
    return ExitCode.FINDINGS;
  }

  private void askAppenders(long pid) throws IOException {
    for (LogSpools log : places.all()) {
      for (SpoolFacts spool : log.shipped()) {
        if (spool.owner().pid() == pid) {
          ask(log.log(), spool.path());
        }
      }
    }
  }

  private void ask(String log, Path spool) {
    try {
      for (String line : Steering.ask(spool, "account", PATIENCE_NS)) {
        if (line.startsWith(DROPPED) && !line.equals(DROPPED + 0)) {
          found.add(
              new JvmRules.Advice(
                  "events-dropped",
                  log,
                  line.substring(DROPPED.length()) + " events were dropped since the start",
                  "what \"Drop reasons\" in operations.md says; forebay account shows them"));
        }
      }
    } catch (IOException | ToolException e) {
      unseen.add("the account of the appender for " + log + ": " + e.getMessage());
    }
  }

  private void print() {
    for (JvmRules.Advice advice : found) {
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
}
