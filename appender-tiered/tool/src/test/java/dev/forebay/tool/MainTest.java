package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
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

  @ParameterizedTest
  @ValueSource(strings = {"0s", "1d", "2h", "61m", "3601", "-1s", "99999h", "soon"})
  void aTimeForALevelIsWithinItsLimits(String time) {
    assertThat(run("level", "/log", "a=DEBUG", "--for=" + time)).isEqualTo(Main.USAGE);
    assertThat(err.toString()).contains("\"" + time + "\": write 60s", "from 1s to 1h");
  }
}
