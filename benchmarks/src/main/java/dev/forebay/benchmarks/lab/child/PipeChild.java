package dev.forebay.benchmarks.lab.child;

import com.sun.management.OperatingSystemMXBean;
import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.lab.PipePeer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * The measured JVM of {@code lab pipe}, whose log is its standard output. Each of its threads logs
 * as often as a service does, and not more often afterwards where a call took long. It tells its
 * parent on standard error: {@code measuring}, and at the end its figures.
 */
public final class PipeChild {

  /** In each line of a log call. */
  public static final String LOGGER = " com.example.shop.Orders ";

  private static final int THREADS = 2;
  private static final long DISTANCE_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);

  private static final LongAccumulator LONGEST_NS = new LongAccumulator(Math::max, 0);

  private PipeChild() {}

  /** Logs for some seconds: its arguments are a {@link PipePeer}, these and a spool directory. */
  public static void main(String[] arguments) throws InterruptedException {
    PipePeer peer = PipePeer.valueOf(arguments[0]);
    System.setProperty("lab.appender", peer.name());
    System.setProperty("lab.spool", arguments[2]);
    System.setProperty("logback.configurationFile", "lab/pipe.xml");
    System.setProperty("log4j2.configurationFile", "classpath:lab/pipe-log4j2.xml");
    Backend backend = Backend.start(peer.sibling());
    long fromNs = NanoClock.SYSTEM.nanoTime() + WARM_UP_NS;
    long toNs = fromNs + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1]));
    List<OrderLog> logs = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      OrderLog log = new OrderLog(number);
      logs.add(log);
      threads.add(new Thread(() -> call(log, fromNs, toNs), Producers.NAME + number));
    }
    threads.forEach(Thread::start);
    Timeline.parkUntil(fromNs);
    long cpuNs = processCpuNs();
    System.err.println("measuring");
    for (Thread thread : threads) {
      thread.join();
    }
    backend.stop();
    System.err.printf(
        "figures %d %d %d %d %d%n",
        logs.stream().mapToLong(OrderLog::calls).sum(),
        backend.dropped(),
        backend.inFlight(),
        LONGEST_NS.get(),
        processCpuNs() - cpuNs);
    System.exit(0);
  }

  private static void call(OrderLog log, long fromNs, long toNs) {
    log.enterService();
    long beforeNs = NanoClock.SYSTEM.nanoTime();
    while (beforeNs - toNs < 0) {
      log.call();
      long afterNs = NanoClock.SYSTEM.nanoTime();
      if (beforeNs - fromNs >= 0) {
        LONGEST_NS.accumulate(afterNs - beforeNs);
      }
      log.enterRequest();
      Timeline.parkUntil(Math.max(beforeNs + DISTANCE_NS, afterNs));
      beforeNs = NanoClock.SYSTEM.nanoTime();
    }
  }

  private static long processCpuNs() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
