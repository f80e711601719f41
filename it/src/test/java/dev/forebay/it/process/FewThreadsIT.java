package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Places;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A system that refuses threads. */
class FewThreadsIT {

  /** More than a JVM takes for itself. */
  private static final int LIMIT = 60;

  @AutoClose private final Places places = Places.create();

  /** A start takes five at most, so that some of these find all they need. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 6})
  void aStartThatFindsNoThreadLeavesNothingBehindAndTheNextOneLogs(int left) throws Exception {
    String output;
    try (ControlGroup group = ControlGroup.ofThreads(LIMIT)) {
      List<String> command = new ArrayList<>(List.of(group.around()));
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ChildReports.QUICK);
      command.addAll(
          List.of(
              "-XX:-UseDynamicNumberOfCompilerThreads",
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              FewThreads.class.getName(),
              places.log().toString(),
              places.spool().toString(),
              String.valueOf(left)));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
    }
    boolean refused = output.contains("first start refused");
    assertThat(refused || left > 0).as("started without a thread: %s", output).isTrue();
    int logged = refused ? FewThreads.MESSAGES : 2 * FewThreads.MESSAGES;
    assertThat(output)
        .containsPattern("hoarded [1-9]")
        .contains("flushed true, logged " + logged)
        .contains("offered " + logged + " = delivered " + logged);
    assertThat(places.lines())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, logged).mapToObj(i -> "few-" + i).toList());
  }
}
