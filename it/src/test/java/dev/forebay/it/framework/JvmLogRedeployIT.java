package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Garbage;
import dev.forebay.host.VmLogCommand;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two web applications in one JVM, each with its own copy of everything, want its log. */
@Tag("jdk")
class JvmLogRedeployIT {

  /** Of one thread of the JVM, whatever the collector: both outputs have the same order. */
  private static final String WHAT = "gc=info,safepoint=info";

  private static final String DECORATORS = "uptimenanos";
  private static final Pattern PAUSE = Pattern.compile("Pause Full \\(System.gc\\(\\)\\) .*ms");
  private static final int COLLECTIONS = 20;

  @AutoClose private final Places places = Places.create();

  private Path log(String name) {
    return places.logDirectory().resolve(name + ".log");
  }

  private String configuration(String name) {
    return """
    <configuration>
      <contextListener class="dev.forebay.jvm.JvmLogAppender">
        <name>%s</name>
        <file>%s</file>
        <spoolDirectory>%s</spoolDirectory>
        <what>%s</what>
        <decorators>%s</decorators>
        <maxFlushTime>1 minute</maxFlushTime>
      </contextListener>
    </configuration>
    """
        .formatted(name, log(name), places.spool(), WHAT, DECORATORS);
  }

  private static long outputs() {
    return VmLogCommand.run("list").lines().filter(line -> line.contains("/jvm.log ")).count();
  }

  private List<String> lines(String name) throws IOException {
    List<String> lines = Files.readAllLines(log(name), StandardCharsets.ISO_8859_1);
    assertThat(lines).first().asString().startsWith("[forebay] the JVM's log begins here: ");
    return lines.subList(1, lines.size());
  }

  private static long pauses(List<String> lines) {
    return lines.stream().filter(line -> PAUSE.matcher(line).find()).count();
  }

  @Test
  void theSecondOneTakesTheLogOverWhenTheFirstStops() throws Exception {
    Path file = places.spool().resolve("truth");
    String output = "output=file=" + file;
    assertThat(
            VmLogCommand.run(
                output, "output_options=filecount=0", "what=" + WHAT, "decorators=" + DECORATORS))
        .isEmpty();
    try {
      Deployed first = new Deployed();
      Deployed second = new Deployed();
      first.command("start", configuration("first"));
      Await.until("the first has it", () -> outputs() == 1);
      second.command("start", configuration("second"));
      Await.until("told", () -> second.command("statuses").contains("the JVM's log is taken by"));
      Garbage.collect(COLLECTIONS);
      long before = pauses(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
      first.command("stop");
      assertThat(first.command("statuses")).isEmpty();
      Await.until("the second has it", () -> outputs() == 1);
      long between = pauses(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
      Garbage.collect(COLLECTIONS);
      second.command("stop");
      assertThat(outputs()).isZero();
      assertThat(second.command("statuses").lines()).hasSize(1);
      List<String> truth = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
      assertThat(truth).containsSequence(lines("first")).containsSequence(lines("second"));
      assertThat(lines("first")).doesNotContainAnyElementsOf(lines("second"));
      assertThat(pauses(lines("first"))).isPositive().isEqualTo(before);
      assertThat(pauses(lines("second"))).isPositive().isEqualTo(pauses(truth) - between);
    } finally {
      assertThat(VmLogCommand.run(output, "what=all=off")).isEmpty();
    }
    try (var left = Files.list(places.spool())) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }
}
