package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import dev.forebay.testkit.Rig;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drops shortly before a JVM ends that nobody stops logging in. */
@Tag("once")
class LastReportTest {

  @ParameterizedTest
  @ValueSource(strings = {"System.exit", "end of main", "end of main, and the listener hangs"})
  void theLastDropsAreInTheLogAndToldToListenersHoweverLongTheInterval(String end)
      throws Exception {
    String lines = ChildJvm.run(TwoBursts.class, end);

    long delivered = lines.lines().filter(line -> line.startsWith("event ")).count();
    long dropped = TwoBursts.EVENTS - delivered;
    assertThat(dropped).as("events that are no line").isPositive();
    assertThat(sum(lines, "Forebay: (\\d+) events? dropped ")).isEqualTo(dropped);
    assertThat(sum(lines, "told of (\\d+)")).isEqualTo(end.contains("hangs") ? 0 : dropped);
  }

  private static long sum(String lines, String pattern) {
    return Pattern.compile(pattern)
        .matcher(lines)
        .results()
        .map((MatchResult found) -> found.group(1))
        .mapToLong(Long::parseLong)
        .sum();
  }

  static final class TwoBursts {

    private static final int BURST = 50_000;
    static final int EVENTS = 2 * BURST;

    private TwoBursts() {}

    public static void main(String[] args) {
      boolean hangs = args[0].contains("hangs");
      Rig rig =
          Rig.unstarted(
              ring -> {
                ring.setRingBufferSize(16);
                ring.setReportInterval("1 hour");
                ring.setMaxFlushTime(hangs ? "2 seconds" : "1 hour");
                ring.addListener(new Teller(hangs));
              });
      rig.delegate.before(event -> System.out.println(event.getFormattedMessage()));
      rig.appender.start();
      rig.log(BURST);
      Await.until("the first report", () -> !rig.delegate.reports().isEmpty());
      rig.log(BURST);
      if (args[0].equals("System.exit")) {
        System.exit(0);
      }
    }
  }

  private record Teller(boolean hangs) implements FailureListener {

    @Override
    public void onDropped(String appender, List<DropSummary> drops) {
      while (hangs) {
        LockSupport.park();
      }
      System.out.println("told of " + drops.stream().mapToLong(DropSummary::count).sum());
    }
  }
}
