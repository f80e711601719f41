package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(arguments, new PrintWriter(out), new PrintWriter(err));
  }

  @Test
  void theHelpNamesTheVerbsInTheOrderOfTheirUse() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "  ls ",
            "  stat ",
            "  cat ",
            "  account ",
            "  doctor ",
            "  level ",
            "  flush ",
            "  rotate ",
            "  dump ",
            "  verify ",
            "  recover ",
            "  ship ",
            "  redact ",
            "  generate-completion ",
            "  help ");
  }

  @Test
  void aCrashIsNoFinding() {
    Writer crashes =
        new StringWriter() {
          @Override
          public void write(String text, int from, int length) {
            throw new OutOfMemoryError("too little");
          }
        };
    int exitCode =
        Main.run(new String[] {"--help"}, new PrintWriter(crashes), new PrintWriter(err));
    assertThat(exitCode).isEqualTo(Main.FAILED);
    assertThat(err.toString()).contains("OutOfMemoryError: too little");
  }

  @ParameterizedTest
  @CsvSource({
    "level app.log com.acme=DEBG, 2, 'write one of TRACE, DEBUG, INFO, WARN, ERROR, OFF'",
    "ship --once --until-drained, 2, --once and --until-drained exclude each other",
    "ship --metrics 0.0.0.0:1 --spool-directory SPOOLS, 2, other machines are not answered",
    "ship --grace 0 --spool-directory SPOOLS, 2, '--grace is \"0\": write 60s'",
    "ship --spool-directory SPOOLS/no, 3, no directory SPOOLS/no to look for spools in",
    "doctor SPOOLS, 2, '\"SPOOLS\" is no process id'",
    "doctor 999999999, 3, no process 999999999",
    "stat 999999999, 3, no process 999999999",
    "stat PID --spool-directory SPOOLS, 3, process PID has no spool in [SPOOLS]",
    "cat SPOOLS/app.log --spool-directory SPOOLS, 3, for SPOOLS/app.log; there is none of any log;",
    "ls --spool-directory SPOOLS/no, 3, no directory SPOOLS/no to look for spools in",
    "ls --spool-directory SPOOLS, 0, ''"
  })
  void whatIsNotThereIsNamed(String line, int exitCode, String message, @TempDir Path spools) {
    UnaryOperator<String> fill =
        text ->
            text.replace("SPOOLS", spools.toString())
                .replace("PID", String.valueOf(ProcessHandle.current().pid()));
    assertThat(run(fill.apply(line).split(" "))).as(err.toString()).isEqualTo(exitCode);
    assertThat(err.toString()).contains(fill.apply(message));
  }

  @Test
  void theDoctorOfAJvmSaysWhatToWriteInstead() throws Exception {
    Path log = Path.of("target", "gc.log").toAbsolutePath(); // on a disk, which /tmp need not be
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String option = "-Xlog:gc:file=" + log;
    Process jvm = // reads its program from a pipe
        new ProcessBuilder(
                java.toString(), option, "--show-version", "--source", "17", "/dev/stdin")
            .start();
    try (BufferedReader said = jvm.inputReader()) {
      assertThat(said.readLine()).as("it runs").isNotNull();
      assertThat(run("doctor", String.valueOf(jvm.pid()))).isEqualTo(Main.FINDINGS);
    } finally {
      jvm.destroyForcibly().waitFor();
    }
    assertThat(out.toString().lines())
        .contains(option, "  instead: -Xlog:gc:file=/dev/shm/app/gc.log");
  }
}
