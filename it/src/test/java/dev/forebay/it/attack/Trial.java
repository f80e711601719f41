package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** Plays a scenario, has it judged, and keeps its files if it failed. */
final class Trial {

  /** The life that is attacked; others come after it or beside it. */
  static final String ATTACKED = "a";

  /** The last life: ships what others left. */
  static final String LAST = "z";

  private static final Duration LOAD = Duration.ofSeconds(1);
  private static final Path REPORTS = Path.of("target/attack").toAbsolutePath();

  /**
   * How it went.
   *
   * @param verdict ok, skipped or failed
   */
  record Outcome(String verdict, String counts, List<String> faults, String line) {
    boolean failed() {
      return verdict.equals("FAILED");
    }
  }

  private Trial() {}

  static Outcome play(Scenario scenario, String name) throws Exception {
    Path root = REPORTS.resolve(name);
    Command.exitCode("rm", "-rf", root.toString());
    Files.createDirectories(root);
    long startNs = System.nanoTime();
    List<String> faults = new ArrayList<>();
    String counts = "";
    Outcome outcome;
    try (Field field = new Field(scenario, root)) {
      try {
        play(field, faults);
      } catch (AssertionError e) {
        faults.add(e.getMessage());
      }
      field.killAll();
      if (!field.lives().isEmpty()) {
        Judge.Verdict verdict = Judge.judge(field);
        faults.addAll(verdict.faults());
        counts = verdict.counts();
      }
      outcome = outcome(faults.isEmpty() ? "ok" : "FAILED", scenario, counts, faults, startNs);
      if (outcome.failed()) {
        Command.exitCode("cp", "-a", field.spool().toString(), root.resolve("spool").toString());
      }
      if (outcome.failed() && !field.logDirectory().startsWith(root.resolve("log"))) {
        Command.exitCode(
            "cp", "-a", field.logDirectory().toString(), root.resolve("log").toString());
      }
    } catch (TestAbortedException e) {
      outcome = outcome("skipped", scenario, String.valueOf(e.getMessage()), faults, startNs);
    }
    if (!outcome.failed()) {
      Command.exitCode("rm", "-rf", root.toString());
    }
    return outcome;
  }

  private static Outcome outcome(
      String verdict, Scenario scenario, String counts, List<String> faults, long startNs) {
    String line =
        "%s in %.1f s: %s; %s%s"
            .formatted(
                verdict,
                (System.nanoTime() - startNs) / 1e9,
                scenario,
                counts,
                faults.isEmpty() ? "" : "\n    " + String.join("\n    ", faults));
    return new Outcome(verdict, counts, faults, line);
  }

  private static void play(Field field, List<String> faults) throws Exception {
    Scenario scenario = field.scenario();
    for (Attack attack :
        scenario.attacks().stream().sorted(Comparator.comparing(Attack::target)).toList()) {
      attack.arrange(field);
    }
    Life attacked = field.start(ATTACKED);
    List<Thread> others = new ArrayList<>();
    for (Attack attack : scenario.attacks()) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  attack.outside(field, attacked);
                } catch (Exception | AssertionError e) {
                  synchronized (faults) {
                    faults.add(attack + ": " + e);
                  }
                }
              });
      thread.start();
      others.add(thread);
    }
    Await.pass(LOAD);
    for (Thread thread : others) {
      thread.join();
    }
    attacked.calm();
    attacked.end(scenario.end());
    Life last = field.start(LAST);
    last.calm();
    last.end(Scenario.End.STOP);
  }
}
