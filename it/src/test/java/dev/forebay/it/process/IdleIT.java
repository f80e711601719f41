package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an appender costs while nothing is logged. */
@Tag("nightly")
class IdleIT {

  private static final Path TASKS = Path.of("/proc/self/task");
  private static final String VOLUNTARY = "voluntary_ctxt_switches:";
  private static final Duration WATCHED = Duration.ofSeconds(3);
  private static final int THREADS = 4;

  @AutoClose private final Places places = Places.create();

  @Test
  void anIdleAppenderNeverWakesUpAndItsNextEventArrives() throws Exception {
    Map<String, Long> others = switches();
    try (Tiered tiered = Tiered.with(places.xml(), Xml.FAST, Xml.MESSAGES)) {
      tiered.log("p", 0, 1000).flush();
      for (int event = 1000; event < 1002; event++) {
        awaitAsleep();
        Map<String, Long> before = switches();
        before.keySet().removeAll(others.keySet());
        Await.pass(WATCHED);
        Map<String, Long> after = switches();
        after.keySet().removeAll(others.keySet());
        assertThat(after).as("voluntary context switches of each thread").isEqualTo(before);
        assertThat(after).hasSize(THREADS);
        tiered.log("p", event, 1);
        int lines = event + 1;
        Await.until("the event is in the log", () -> places.lines().size() == lines);
      }
      tiered.flush();
      LedgerSnapshot account = tiered.snapshot();
      assertThat(account.offered()).isEqualTo(1002);
      assertThat(account.delivered()).isEqualTo(1002);
      assertThat(account.dropped()).isZero();
    }
    new Oracle().producer("p", 1002, 1002).complete(0).requireSound(places.lines());
  }

  /** Voluntary context switches of our threads so far, by their number. */
  private static Map<String, Long> switches() throws IOException {
    Map<String, Long> switches = new TreeMap<>();
    try (Stream<Path> tasks = Files.list(TASKS)) {
      for (Path task : tasks.toList()) {
        try {
          if (Files.readString(task.resolve("comm")).startsWith("forebay-")) {
            switches.put(task.getFileName().toString(), voluntaryOf(task));
          }
        } catch (NoSuchFileException e) {
          // This thread has just ended.
        }
      }
    }
    return switches;
  }

  private static long voluntaryOf(Path task) throws IOException {
    List<String> status = Files.readAllLines(task.resolve("status"));
    return status.stream()
        .filter(line -> line.startsWith(VOLUNTARY))
        .map(line -> line.substring(VOLUNTARY.length()).strip())
        .mapToLong(Long::parseLong)
        .sum();
  }

  /** The last thread begins a second after the start: the one that waits for the tool. */
  private static void awaitAsleep() {
    Await.until(
        "asleep",
        () -> {
          List<String> stacks =
              Thread.getAllStackTraces().entrySet().stream()
                  .filter(entry -> entry.getKey().getName().startsWith("forebay-"))
                  .map(entry -> Arrays.toString(entry.getValue()))
                  .toList();
          return stacks.stream().anyMatch(stack -> stack.contains(".accept("))
              && stacks.stream()
                  .allMatch(
                      stack -> stack.contains("AgentThread.sleep") || stack.contains(".accept("));
        });
  }
}
