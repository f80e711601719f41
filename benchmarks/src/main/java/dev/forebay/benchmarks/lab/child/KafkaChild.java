package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.lab.KafkaPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.apache.logging.log4j.LogManager;

/**
 * The measured JVM of {@code lab kafka}, with two threads that log. It tells its parent on standard
 * error: {@code measuring}, and at the end its figures, see {@link #main}.
 */
public final class KafkaChild {

  private static final int THREADS = 2;
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long WARM_UP_EVENTS = 200_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** As many as a tenth of a second of the paced load brings: nothing of the outage is left. */
  private static final long FEW = 2_000;

  private final Backend backend;
  private final List<KafkaLog> logs;
  private final Histogram times = new Histogram(TimeUnit.HOURS.toNanos(1), 3);

  private KafkaChild(Backend backend, List<KafkaLog> logs) {
    this.backend = backend;
    this.logs = logs;
  }

  /**
   * Its arguments: a {@link KafkaPeer}, the broker's address, a topic, a spool directory, and one
   * of
   *
   * <ul>
   *   <li>{@code paced}, calls a second of each thread, seconds
   *   <li>{@code flat}, events, which are logged as fast as the appender takes them
   *   <li>{@code backlog}, events, which are logged as fast while the parent has stopped the
   *       broker, from {@code measuring} to {@code filled}; calls a second of each thread and
   *       seconds of the load after it
   * </ul>
   *
   * <p>Its figures, times in ns: calls, dropped events, p50, p99, p99.9 and longest of the paced
   * calls, the time until all was with the broker, or until nothing was left of the outage.
   */
  public static void main(String[] arguments) throws InterruptedException {
    KafkaPeer peer = KafkaPeer.valueOf(arguments[0]);
    System.setProperty("lab.appender", peer.name());
    System.setProperty("lab.broker", arguments[1]);
    System.setProperty("lab.topic", arguments[2]);
    System.setProperty("lab.spool", arguments[3]);
    System.setProperty("lab.appendTimeout", arguments[4].equals("paced") ? "0" : "60 seconds");
    System.setProperty("logback.configurationFile", "lab/kafka.xml");
    System.setProperty("log4j2.configurationFile", "classpath:lab/kafka-log4j2.xml");
    KafkaChild child = of(peer, arguments[1], arguments[2]);
    long elapsedNs = child.run(arguments);
    System.err.printf(
        "figures %d %d %d %d %d %d %d%n",
        child.logs.stream().mapToLong(KafkaLog::calls).sum(),
        child.backend.dropped(),
        child.times.getValueAtPercentile(50),
        child.times.getValueAtPercentile(99),
        child.times.getValueAtPercentile(99.9),
        child.times.getMaxValue(),
        elapsedNs);
    System.exit(0);
  }

  private static KafkaChild of(KafkaPeer peer, String broker, String topic) {
    if (peer == KafkaPeer.PRODUCER) {
      PlainProducer producer = new PlainProducer(broker, topic);
      return new KafkaChild(producer, logs(producer::log));
    }
    Backend backend = peer == KafkaPeer.LOG4J2 ? LogManager::shutdown : new LogbackBackend();
    return new KafkaChild(backend, logs(KafkaLog::ofSlf4j));
  }

  private static List<KafkaLog> logs(IntFunction<KafkaLog> maker) {
    List<KafkaLog> logs = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      logs.add(maker.apply(number));
    }
    return logs;
  }

  private long run(String[] arguments) throws InterruptedException {
    long first = Long.parseLong(arguments[5]);
    switch (arguments[4]) {
      case "paced" -> {
        pace(first, Long.parseLong(arguments[6]), WARM_UP_NS, false);
        backend.stop();
        return 0;
      }
      case "flat" -> {
        warmUp();
        long fromNs = NanoClock.SYSTEM.nanoTime();
        System.err.println("measuring");
        callSoOften(first);
        backend.stop();
        return NanoClock.SYSTEM.nanoTime() - fromNs;
      }
      default -> {
        warmUp();
        System.err.println("measuring");
        Timeline.parkUntil(NanoClock.SYSTEM.nanoTime() + WARM_UP_NS); // it stops the broker
        callSoOften(first);
        long drainedNs = pace(Long.parseLong(arguments[6]), Long.parseLong(arguments[7]), 0, true);
        backend.stop();
        return drainedNs;
      }
    }
  }

  private void warmUp() throws InterruptedException {
    callSoOften(WARM_UP_EVENTS);
    backend.drain(PATIENCE);
    Timeline.parkUntil(NanoClock.SYSTEM.nanoTime() + WARM_UP_NS);
  }

  private void callSoOften(long events) throws InterruptedException {
    onAll(
        log -> {
          for (long i = 0; i < events / THREADS; i++) {
            log.call();
          }
        });
  }

  /** Returns how long it took until no more was in flight than this load brings, if asked to. */
  private long pace(long perSecond, long seconds, long warmUpNs, boolean watchesBacklog)
      throws InterruptedException {
    long fromNs = NanoClock.SYSTEM.nanoTime() + warmUpNs;
    long lengthNs = warmUpNs + TimeUnit.SECONDS.toNanos(seconds);
    List<Thread> threads =
        startAll(
            log ->
                new ScheduledCalls(
                        Schedule.paced(fromNs - warmUpNs, perSecond, lengthNs),
                        NanoClock.SYSTEM,
                        Timeline::parkUntil,
                        log::call,
                        (dueNs, startedNs, endedNs) -> {
                          if (dueNs - fromNs >= 0) {
                            log.times().recordValue(endedNs - startedNs);
                          }
                          log.enterRequest();
                        })
                    .run());
    Timeline.parkUntil(fromNs);
    System.err.println(watchesBacklog ? "filled" : "measuring");
    long drainedNs = 0;
    while (watchesBacklog && drainedNs == 0 && NanoClock.SYSTEM.nanoTime() - fromNs < lengthNs) {
      Timeline.parkUntil(NanoClock.SYSTEM.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
      if (backend.inFlight() < FEW) {
        drainedNs = NanoClock.SYSTEM.nanoTime() - fromNs;
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    logs.forEach(log -> times.add(log.times()));
    return drainedNs;
  }

  private void onAll(Consumer<KafkaLog> work) throws InterruptedException {
    for (Thread thread : startAll(work)) {
      thread.join();
    }
  }

  private List<Thread> startAll(Consumer<KafkaLog> work) {
    List<Thread> threads = new ArrayList<>();
    for (KafkaLog log : logs) {
      Thread thread =
          new Thread(
              () -> {
                log.enterRequest();
                work.accept(log);
              },
              Producers.NAME + threads.size());
      thread.start();
      threads.add(thread);
    }
    return threads;
  }
}
