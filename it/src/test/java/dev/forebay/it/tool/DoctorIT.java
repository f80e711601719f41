package dev.forebay.it.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Places;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** {@code forebay doctor} on files and on a JVM that runs. */
class DoctorIT {

  private static final String SYNCHRONOUS =
      """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.FileAppender"/>
        <root><appender-ref ref="FILE"/></root>
        <shutdownHook/>
      </configuration>
      """;

  @AutoClose private final Places places = Places.create();

  @Test
  void aConfigurationIsJudgedLineByLine() throws Exception {
    Path file = Files.writeString(places.logDirectory().resolve("logback-spring.xml"), SYNCHRONOUS);

    Tool.Run run = Tool.run("doctor", file);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .containsSequence(
            file + ":2",
            "  each log call writes to the disk itself: a stalled disk stops the application",
            "  instead: <appender name=\"FILE\" class=\"dev.forebay.tiered.TieredAppender\">")
        .contains(file + ":4");
    Tool.Run plain = Tool.run("doctor", "--framework", "NONE", "--json", file);
    assertThat(plain.lines()).singleElement().asString().contains("\"id\":\"synchronous-file\"");
    Path example = Path.of("..", "src", "examples", "spring-boot", "logback-spring.xml");
    assertThat(Tool.run("doctor", example).exitCode()).isZero();
  }

  @Test
  void aBrokenConfigurationIsNamed() throws Exception {
    Path file = Files.writeString(places.logDirectory().resolve("logback.xml"), "<configuration>");

    Tool.Run run = Tool.run("doctor", file);

    assertThat(run.exitCode()).isEqualTo(5);
    assertThat(run.err()).contains(file.toString(), "not well-formed XML, line 1");
  }

  @Test
  void aRunningJvmIsJudgedByItsOptionsAndItsClassPath() throws Exception {
    Path classes = places.directory("classes");
    Files.writeString(classes.resolve("logback.xml"), SYNCHRONOUS);
    Path gcLog = places.logDirectory().resolve("gc.log");
    Files.writeString(
        classes.resolve("Waits.java"),
        "public class Waits { public static void main(String[] a) throws Exception {"
            + " System.in.read(); } }");
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, classes.resolve("Waits.java").toString()))
        .isZero();
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:gc*:file=" + gcLog + ":time",
                "-cp",
                classes.toString(),
                "Waits")
            .start();
    try {
      Await.until("runs", () -> Files.exists(gcLog));

      Tool.Run run = Tool.run("doctor", jvm.pid());

      assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
      assertThat(run.lines())
          .contains(
              "-Xlog:gc*:file=" + gcLog + ":time",
              "  instead: -Xlog:gc*:file=/dev/shm/app/gc.log:time",
              classes.resolve("logback.xml") + ":2");
    } finally {
      jvm.destroyForcibly();
    }
  }

  @Test
  void theVersionIsThatOfTheBuild() throws Exception {
    assertThat(Tool.run("--version").out()).matches("forebay \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
  }

  @Test
  void anIncludedFileIsNotFollowedAndNothingIsSaidOfIt() throws Exception {
    Path included = Files.writeString(places.logDirectory().resolve("more.xml"), SYNCHRONOUS);
    Path file =
        Files.writeString(
            places.logDirectory().resolve("logback.xml"),
            "<configuration>\n<include file=\""
                + included
                + "\"/>\n<shutdownHook/>\n</configuration>");

    Tool.Run run = Tool.run("doctor", "--framework", "PLAY", file);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.lines()).contains(file + ":3").noneMatch(line -> line.contains("more.xml"));
    assertThat(Tool.run("doctor", "--framework", "PLAY", included).lines())
        .contains(included + ":2");
  }

  @Test
  void completionsAreAScriptOfTheShell() throws Exception {
    Tool.Run run = Tool.run("generate-completion");
    Path script = Files.writeString(places.logDirectory().resolve("completion"), run.out());

    assertThat(new ProcessBuilder("bash", "-n", script.toString()).start().waitFor()).isZero();
    assertThat(run.out()).contains("recover", "verify", "doctor");
  }
}
