package dev.forebay;

import ch.qos.logback.classic.Logger;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Rig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Log calls at the very end of the stack, at every alignment of it. In a JVM that interprets, since
 * compiled code needs less stack and would hide the fault.
 */
@Tag("once")
class DeepRecursionTest {

  @ParameterizedTest
  @ValueSource(strings = {"warn2", "debug1", "info0", "error0", "limited"})
  void aRecursionThatLogsUntilTheStackIsUsedUpDoesNotEndLogging(String call) throws Exception {
    ChildJvm.run(List.of("-Xint"), Recursion.class, call);
  }

  /** Requests that end in a runaway recursion; nobody catches anything inside. */
  static final class Recursion {

    private static final int REQUESTS = 37;
    private static final int STACK_BYTES = 200 << 10;
    private static final int STEP_BYTES = 4 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Logger logger;
    private final String call;

    private Recursion(Logger logger, String call) {
      this.logger = logger;
      this.call = call;
    }

    public static void main(String[] arguments) {
      Rig rig = Rig.unstarted(Rig::patient);
      if (arguments[0].equals("limited")) {
        LimitOptions limit = new LimitOptions();
        limit.setPerSecond(1000);
        limit.setDuplicates(500);
        rig.appender.addLimit(limit);
      }
      rig.appender.start();
      NonBlockingAppender appender = rig.appender;
      rig.delegate.countingOnly();
      Recursion recursion = new Recursion(rig.logger, arguments[0]);
      for (int i = 0; i < REQUESTS; i++) {
        recursion.request(i);
        check(appender.flush(PATIENCE), "flush hangs after " + (i + 1), appender.snapshot());
      }
      rig.logger.error("later");
      check(appender.flush(PATIENCE), "flush hangs", appender.snapshot());
      appender.stop();
      LedgerSnapshot last = appender.snapshot();
      Conservation.assertHolds(last);
      check(last.inFlight() == 0, "in flight after the stop", last);
      check(last.dropped(DropReason.OFFER_FAILED) == 0, "the error came too late", last);
    }

    private static void check(boolean good, String what, LedgerSnapshot snapshot) {
      if (!good) {
        System.err.println(what + ": " + snapshot);
        Runtime.getRuntime().halt(1);
      }
    }

    private void request(int number) {
      Thread thread =
          new Thread(
              null,
              () -> {
                try {
                  pad(number % 37);
                } catch (StackOverflowError e) {
                  // the end of this request
                }
              },
              "request",
              STACK_BYTES + STEP_BYTES * (number % 7));
      thread.start();
      Await.end(thread);
    }

    private int pad(int frames) {
      return frames == 0 ? visit("node", 0) : pad(frames - 1) + 1;
    }

    @SuppressWarnings("InfiniteRecursion") // that is the point
    private int visit(String node, int depth) {
      switch (call) {
        case "debug1" -> logger.debug("visiting {}", node);
        case "info0" -> logger.info("visiting");
        case "error0" -> logger.error("visiting");
        default -> logger.warn("visiting {} at {}", node, depth);
      }
      return visit(node, depth + 1) + 1;
    }
  }
}
