package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.framework.BootProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a flight recorder costs users whose application logs at INFO, and what it gives them: one of
 * 10,000 requests fails, and its dump is all that this request did, at TRACE.
 *
 * <p>A part of it: {@code -Dforebay.gatling.apps=boot}, {@code repetitions=1}.
 */
@Tag("gatling-only")
class GatlingRecorderIT {

  private static final Path REPORT = Path.of("target", "gatling-recorder.md");
  private static final GatlingLoad LOAD = new GatlingLoad(20, 500);

  /** Asked for in the window. */
  private static final long REFUSED = LOAD.allRequests() / 2;

  private static final Pattern MESSAGE = Pattern.compile("\"message\":\"([^\"]*)\"");

  private final int repetitions = Integer.getInteger(GatlingMachine.PROPERTIES + "repetitions", 3);
  private final List<GatlingResult> results = new ArrayList<>();

  @Test
  void oneFailingRequestOfTenThousandIsDumpedWholeAndAlone() throws Exception {
    List<String> about = GatlingMachine.description();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (GatlingApp app : GatlingIT.named("boot,play")) {
        for (GatlingAppender appender : inTurn(repetition)) {
          run(new GatlingRun(app, appender, GatlingCondition.HEALTHY), repetition);
          write(about);
        }
      }
    }
  }

  /** So that neither is always the first. */
  private static List<GatlingAppender> inTurn(int repetition) {
    return repetition % 2 == 0
        ? List.of(GatlingAppender.INFO, GatlingAppender.RECORDER)
        : List.of(GatlingAppender.RECORDER, GatlingAppender.INFO);
  }

  private void run(GatlingRun run, int repetition) throws Exception {
    GatlingOutcome outcome =
        run.run(LOAD, GatlingLogging.USUAL_CAPACITY, "-Dorders.refused=" + REFUSED);
    results.add(new GatlingResult(run, repetition, outcome, ""));
    System.out.println(results.get(results.size() - 1).line());
    requireAccount(outcome);
    if (run.appender() == GatlingAppender.RECORDER) {
      requireStory(outcome.dumps());
    } else {
      assertThat(outcome.dumps()).isEmpty();
    }
  }

  private static void requireAccount(GatlingOutcome outcome) {
    assertThat(outcome.exit()).as("%s", outcome).isEqualTo(GatlingProcess.ASSERTION_FAILED);
    assertThat(outcome.all().requests()).isEqualTo(LOAD.allRequests());
    assertThat(outcome.all().ko()).as("requests that failed").isEqualTo(1);
    BootProcess.Account account = Objects.requireNonNull(outcome.end().account());
    assertThat(account.dropped()).as("dropped, %s", account).isZero();
    assertThat(account.inFlight()).as("in flight, %s", account).isZero();
    assertThat(outcome.log().count()).as("lines, %s", account).isEqualTo(account.delivered());
    assertThat(outcome.log().torn()).isZero();
    assertThat(outcome.log().doubled()).isZero();
    assertThat(account.offered())
        .as("counted, and lines of the appender's own, %s", account)
        .isEqualTo(outcome.end().counted() + outcome.log().reports().size());
  }

  /** One dump, of the one request, with every event of it in order. */
  private static void requireStory(List<List<String>> dumps) {
    assertThat(dumps).hasSize(1);
    List<String> remarks = dumps.get(0).stream().filter(line -> line.startsWith("#")).toList();
    assertThat(remarks.get(0)).contains("only events with traceId=" + REFUSED);
    assertThat(remarks.get(remarks.size() - 1))
        .isEqualTo("# end: %d events".formatted(GatlingLog.LINES_OF_AN_ORDER));
    List<String> messages =
        dumps.get(0).stream()
            .filter(line -> !line.startsWith("#"))
            .map(GatlingRecorderIT::message)
            .toList();
    assertThat(messages).containsExactlyElementsOf(story());
  }

  private static String message(String json) {
    Matcher message = MESSAGE.matcher(json);
    return message.find() ? message.group(1).replaceAll(" requested by .*", " requested") : json;
  }

  private static List<String> story() {
    String order = "Order " + REFUSED;
    return Stream.of(
            Stream.of(order + " requested", order + " found"),
            IntStream.range(0, GatlingLog.LINES_OF_AN_ORDER - 3)
                .mapToObj(
                    item -> order + " item " + item + " costs " + (100 + 37 * item) + " cents"),
            Stream.of(order + " refused"))
        .flatMap(lines -> lines)
        .toList();
  }

  private void write(List<String> about) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# Gatling, and a flight recorder at TRACE beside INFO alone");
    lines.add("");
    lines.addAll(about);
    lines.add("");
    lines.addAll(GatlingTable.of(results));
    lines.add("");
    results.forEach(result -> lines.add("- " + result.line()));
    Files.createDirectories(REPORT.resolveSibling(""));
    Files.write(REPORT, lines);
  }
}
