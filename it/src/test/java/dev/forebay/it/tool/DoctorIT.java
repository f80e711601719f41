package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Places;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** {@code forebay doctor} on a JVM that runs. */
class DoctorIT {

  private static final int FINDINGS = 1;

  @AutoClose private final Places places = Places.create();

  private Path classes() throws Exception {
    Path classes = places.directory("classes");
    Path source = classes.resolve("Waits.java");
    Files.writeString(
        source,
        "public class Waits { public static void main(String[] a) throws Exception {"
            + " java.nio.file.Files.createFile(java.nio.file.Path.of(a[0])); System.in.read(); } }");
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
        .isZero();
    return classes;
  }

  /** Judges a JVM with these options, run by these words. */
  private Tool.Run doctor(List<String> around, String... options) throws Exception {
    Path ready = places.directory("ready").resolve("yes");
    Path classes = classes();
    List<String> command = new ArrayList<>(around);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classes.toString(), "Waits", ready.toString()));
    command.add("-Xlog:gc:argument.log");
    Files.setAttribute(ready.getParent(), "unix:mode", 0777);
    Command.run("chmod", "-R", "go+rX", places.root().toString());
    Process jvm = new ProcessBuilder(command).start();
    try {
      Await.until("runs", () -> Files.exists(ready));
      return Tool.run("doctor", "--spool-directory", places.spool(), jvm.pid());
    } finally {
      jvm.destroyForcibly().waitFor();
    }
  }

  @Test
  void aRunningJvmIsJudgedByItsOptions() throws Exception {
    Path gcLog = places.logDirectory().resolve("gc.log");

    Tool.Run run = doctor(List.of(), "-Xlog:gc*:file=" + gcLog + ":time");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(FINDINGS);
    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .contains(
            "-Xlog:gc*:file=" + gcLog + ":time",
            "  instead: -Xlog:gc*:file=/dev/shm/app/gc.log:time");
    assertThat(run.out()).contains("not at Logback's configuration").doesNotContain("argument");
  }

  @Test
  void theVersionIsThatOfTheBuild() throws Exception {
    assertThat(Tool.run("--version").out()).matches("forebay \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
  }

  @Test
  void completionsAreAScriptOfTheShell() throws Exception {
    Tool.Run run = Tool.run("generate-completion");
    Path script = Files.writeString(places.logDirectory().resolve("completion"), run.out());

    assertThat(new ProcessBuilder("bash", "-n", script.toString()).start().waitFor()).isZero();
    assertThat(run.out()).contains("recover", "verify", "doctor");
  }
}
