package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the tool reads from /proc, files of the system and its command line. */
class ParsersTest {

  private static Jvm.Command command(String environment, String... words) {
    return Jvm.Command.of(List.of(words), environment);
  }

  @Test
  void aProgramIsTheMainClassOrTheJar() {
    assertThat(command("", "java", "-Xmx1g", "-cp", "a:b", "org.Main", "x").program())
        .isEqualTo("org.Main");
    assertThat(command("", "/usr/bin/java", "-jar", "/srv/app.jar", "-x").program())
        .isEqualTo("app.jar");
    assertThat(command("", "java", "--add-opens", "a/b=c", "-m", "a/b.Main").program())
        .isEqualTo("b.Main");
    assertThat(command("", "java").program()).isEmpty();
    assertThat(command("", "java", "-jar").program()).isEmpty();
  }

  @Test
  void optionsComeFromTheCommandLineAndTheEnvironment() {
    assertThat(
            command(
                    "HOME=/root\0_JAVA_OPTIONS=-Xd\0JAVA_TOOL_OPTIONS= -Xb  \"-Xc d\"\0",
                    "java",
                    "-Xlog:gc:a",
                    "Main")
                .options())
        .containsExactly("-Xb", "-Xc d", "-Xlog:gc:a", "-Xd");
  }

  @Test
  void argumentsOfTheProgramAreNoOptions() {
    assertThat(command("", "java", "-cp", "-Xa", "-Xb", "-jar", "a.jar", "-Xlog:gc:a").options())
        .containsExactly("-cp", "-Xb");
    assertThat(command("", "java", "Main", "-Xlog:gc:a", "@b").options()).isEmpty();
  }

  @Test
  void optionsInOtherPlacesAreNamed() {
    assertThat(
            command("", "java", "@a", "-XX:Flags=b", "-XX:VMOptionsFile=c", "Main", "@d").unseen())
        .containsExactly(
            "the JVM's options in the file a",
            "the JVM's options in the file b",
            "the JVM's options in the file c");
    assertThat(command("", "/usr/bin/jsvc", "-Xlog:gc:a").options()).isEmpty();
    assertThat(command("", "/usr/bin/jsvc").unseen())
        .containsExactly("the JVM's options, since it was started by /usr/bin/jsvc");
    assertThat(command("", "").unseen()).hasSize(1);
  }

  @Test
  void thePerformanceDataAreAMappedFile() {
    assertThat(
            Jvm.perfData(
                """
                7f0a-7f0b r--p 00000000 fe:00 12 /usr/lib/libjvm.so
                7f0c-7f0d rw-s 00000000 fe:00 1234                     /tmp/hsperfdata_app/4711
                """))
        .isEqualTo("/tmp/hsperfdata_app/4711");
    assertThat(Jvm.perfData("7f0a-7f0b r--p 00000000 fe:00 12 /usr/lib/libjvm.so\n")).isEmpty();
  }

  @Test
  void systemdRemovesUnlessTheLastSettingSaysNo() {
    assertThat(Jvm.removesIpc("")).isTrue();
    assertThat(Jvm.removesIpc("#RemoveIPC=no\n")).isTrue();
    assertThat(Jvm.removesIpc("RemoveIPC = no\n")).isFalse();
    assertThat(Jvm.removesIpc("RemoveIPC=no\nRemoveIPC=yes\n")).isTrue();
  }
}
