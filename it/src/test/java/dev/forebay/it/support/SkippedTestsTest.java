package dev.forebay.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SkippedTestsTest {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir private Path project;
  private Path jdk;

  @BeforeEach
  void installSecondJdk() throws IOException {
    jdk = project.resolve("jdk");
    Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
    assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
  }

  @Test
  void eachReasonIsToldOnceWithTheClassesItSkips() throws Exception {
    report("it/a/target/surefire-reports", "x.OneTest", aborted("x.OneTest", "no t: install t"));
    report(
        "it/target/failsafe-reports-jdk25",
        "y.TwoIT",
        aborted("y.TwoIT", "no t: install t (for a (good) reason)")
            + aborted("y.TwoIT", "no s: install s"));

    assertThat(told())
        .isEqualTo(
            "Tests were skipped:\n  no s: install s. TwoIT\n  no t: install t. OneTest, TwoIT\n");
  }

  @Test
  void testsThatAreNotForThisJdkAreNotMissed() throws Exception {
    report(
        "a/target/surefire-reports",
        "x.OneTest",
        """
        <testcase name="t" classname="x.OneTest" time="0.0">
            <skipped message="Disabled on JRE version: 17.0.15"/>
          </testcase>
          <testcase name="u" classname="x.OneTest" time="0.0"/>
        """);

    assertThat(told()).isEmpty();
  }

  @Test
  void whatAnEarlierBuildLeftIsNotTold() throws Exception {
    Path old = report("a/target/surefire-reports", "x.OneTest", aborted("x.OneTest", "no t"));
    Files.setLastModifiedTime(old, FileTime.from(START.minusSeconds(1)));

    assertThat(told()).isEmpty();
  }

  @Test
  void aMissingSecondJdkIsToldWhereTestsRan() throws Exception {
    Files.delete(jdk.resolve("bin/java"));
    assertThat(told()).isEmpty();

    report("a/target/surefire-reports", "x.OneTest", "");
    assertThat(told()).contains("JDK 25 is missing: install it as " + jdk);
  }

  private String told() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SkippedTests.tell(project, START, jdk, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private Path report(String directory, String name, String cases) throws IOException {
    Path report =
        Files.createDirectories(project.resolve(directory)).resolve("TEST-" + name + ".xml");
    Files.writeString(report, "<testsuite>\n  " + cases + "</testsuite>\n");
    return Files.setLastModifiedTime(report, FileTime.from(START));
  }

  private static String aborted(String type, String reason) {
    return """
        <testcase name="t" classname="%s" time="0.0">
            <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: %s
        	at x.Y.z(Y.java:1)
        ]]></skipped>
          </testcase>
        """
        .formatted(type, reason);
  }
}
