package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The log call that {@code lab kafka} measures: its line has a number that no other has, and the
 * time of the call, so that {@link KafkaReader} sees what is lost, doubled and late. Used by one
 * thread; read by others when that one has finished.
 */
final class KafkaLog {

  /** Before the number of a line. */
  static final String ORDER = "Order ";

  /** Between number and time. */
  static final String AT = " at ";

  /** Logs a number and a time. */
  interface Call {
    void log(long number, long nowNs);
  }

  /** The numbers of a thread lie so far apart. */
  private static final int STEP = 2;

  private static final String[] REQUESTS =
      IntStream.range(0, 1024).mapToObj(i -> "5f3a9c41-%04d".formatted(i)).toArray(String[]::new);

  private final Call call;
  private final int number;
  private final Histogram times = new Histogram(TimeUnit.HOURS.toNanos(1), 3);
  private long calls;

  KafkaLog(int number, Call call) {
    this.number = number;
    this.call = call;
  }

  /** By the logging system that is there. */
  static KafkaLog ofSlf4j(int number) {
    Logger logger = LoggerFactory.getLogger("com.example.shop.Orders");
    return new KafkaLog(number, (order, nowNs) -> logger.info("Order {} at {}", order, nowNs));
  }

  void call() {
    call.log(STEP * calls++ + number, NanoClock.SYSTEM.nanoTime());
  }

  /** Each call belongs to another request, so that no two events share their copy of the MDC. */
  void enterRequest() {
    MDC.put("requestId", REQUESTS[(int) calls & 1023]);
  }

  long calls() {
    return calls;
  }

  /** How long the paced calls took, in ns. */
  Histogram times() {
    return times;
  }
}
