package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(arguments, new PrintWriter(out), new PrintWriter(err));
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

  @Test
  void theDoctorSaysWhatItDoesNotLookAt() {
    assertThat(run("doctor", "--help")).isEqualTo(Main.OK);
    assertThat(out.toString()).contains("Looks at", "not at Logback's");
    assertThat(run("doctor", "logback.xml")).isEqualTo(Main.USAGE);
    assertThat(err.toString()).contains("\"logback.xml\" is no process id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "1d", "2h", "61m", "3601", "-1s", "99999h", "soon"})
  void aTimeForALevelIsWithinItsLimits(String time) {
    assertThat(run("level", "/log", "a=DEBUG", "--for=" + time)).isEqualTo(Main.USAGE);
    assertThat(err.toString()).contains("\"" + time + "\": write 60s", "from 1s to 1h");
  }

  @Test
  void aSpoolDirectoryThatIsNotThereIsNamed(@TempDir Path directory) {
    Path missing = directory.resolve("nope");
    assertThat(run("ls", "--spool-directory", missing.toString())).isEqualTo(Main.NOT_FOUND);
    assertThat(err.toString()).contains("no directory " + missing);
    assertThat(run("ls", "--spool-directory", directory.toString())).isEqualTo(Main.OK);
  }
}
