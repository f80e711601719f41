package dev.forebay.benchmarks.lab.child;

import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The log call that is measured, the same for all peers, and how often a producer made it. Used by
 * one thread; the number is read by others when that one has finished.
 */
final class OrderLog {

  /** Boxed beforehand: they are the application's, not the logging system's. */
  private static final Integer[] MILLIS = IntStream.range(0, 1024).boxed().toArray(Integer[]::new);

  private static final String[] REQUESTS =
      IntStream.range(0, 1024).mapToObj(i -> "5f3a9c41-%04d".formatted(i)).toArray(String[]::new);

  private static final String MESSAGE = "Order {} took {} ms";

  private final Logger logger = LoggerFactory.getLogger("com.example.shop.Orders");
  private final boolean traces = logger.isTraceEnabled();
  private final String order;
  private long calls;
  private long refused;

  OrderLog(int producer) {
    order = "A-100" + producer;
  }

  /** What an application's filter puts into each thread. */
  void enterService() {
    MDC.put("userId", "u-48151623");
    MDC.put("tenant", "example");
    enterRequest();
  }

  /** Each call belongs to another request, so that no two events share their copy of the MDC. */
  void enterRequest() {
    MDC.put("requestId", REQUESTS[(int) calls & 1023]);
  }

  /** One log call, at TRACE where that is on, or else at INFO. */
  void call() {
    Integer millis = MILLIS[(int) calls++ & 1023];
    if (traces) {
      logger.trace(MESSAGE, order, millis);
    } else {
      logger.info(MESSAGE, order, millis);
    }
  }

  /** One log call at INFO. */
  void info() {
    logger.info(MESSAGE, order, MILLIS[(int) calls++ & 1023]);
  }

  /** One log call at TRACE, also where that is off. */
  void trace() {
    logger.trace(MESSAGE, order, MILLIS[(int) calls++ & 1023]);
    refused += traces ? 0 : 1;
  }

  /** Calls whose level was on. */
  long calls() {
    return calls - refused;
  }
}
