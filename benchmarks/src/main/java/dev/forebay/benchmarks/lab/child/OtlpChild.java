package dev.forebay.benchmarks.lab.child;

import com.sun.management.OperatingSystemMXBean;
import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.lab.OtlpPeer;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.instrumentation.logback.appender.v1_0.OpenTelemetryAppender;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The measured JVM of {@code lab otlp}, with two threads that log. It tells its parent on standard
 * error: {@code warm}, whereupon it waits for a line, and at the end its figures, see {@link
 * #main}.
 */
public final class OtlpChild {

  private static final int THREADS = 2;
  private static final long WARM_UP_EVENTS = 400_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final List<KafkaLog> logs = List.of(KafkaLog.ofSlf4j(0), KafkaLog.ofSlf4j(1));
  private final Backend backend;

  private OtlpChild(Backend backend) {
    this.backend = backend;
  }

  /** OpenTelemetry's appender, with the defaults of its processor and exporter. */
  private static final class SdkBackend implements Backend {

    private final Backend logback = new LogbackBackend();
    private final SdkLoggerProvider provider;

    SdkBackend(String endpoint, String compression) {
      var exporter =
          OtlpHttpLogRecordExporter.builder()
              .setEndpoint(endpoint)
              .setCompression(compression)
              .build();
      provider =
          SdkLoggerProvider.builder()
              .addLogRecordProcessor(BatchLogRecordProcessor.builder(exporter).build())
              .build();
      OpenTelemetryAppender.install(OpenTelemetrySdk.builder().setLoggerProvider(provider).build());
    }

    @Override
    public boolean drain(Duration timeout) {
      return provider.forceFlush().join(timeout.toSeconds(), TimeUnit.SECONDS).isSuccess();
    }

    @Override
    public void stop() {
      boolean unused = drain(PATIENCE);
      logback.stop();
    }
  }

  /**
   * Its arguments: an {@link OtlpPeer}, the collector's endpoint, a compression, a spool directory,
   * and {@code flat} and a number of events, which are logged as fast as the appender takes them,
   * or {@code paced}, calls a second of each thread, seconds.
   *
   * <p>Its figures, without the warm-up: calls, time until all was with the collector or lost, and
   * processor time, both in ns.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    OtlpPeer peer = OtlpPeer.valueOf(arguments[0]);
    System.setProperty("lab.appender", peer.name());
    System.setProperty("lab.endpoint", arguments[1]);
    System.setProperty("lab.compression", arguments[2]);
    System.setProperty("lab.spool", arguments[3]);
    System.setProperty("logback.configurationFile", "lab/otlp.xml");
    OtlpChild child =
        new OtlpChild(
            peer == OtlpPeer.FOREBAY
                ? new LogbackBackend()
                : new SdkBackend(arguments[1], arguments[2]));
    child.run(List.of(arguments).subList(4, arguments.length));
    System.exit(0);
  }

  private void run(List<String> load) throws IOException, InterruptedException {
    onAll(log -> callSoOften(log, WARM_UP_EVENTS / THREADS));
    boolean unused = backend.drain(PATIENCE);
    long warmUpCalls = calls();
    System.err.println("warm");
    int unusedByte = System.in.read(); // the parent looks what the collector has
    long fromNs = NanoClock.SYSTEM.nanoTime();
    long processorNs = system.getProcessCpuTime();
    if (load.get(0).equals("flat")) {
      onAll(log -> callSoOften(log, Long.parseLong(load.get(1)) / THREADS));
    } else {
      long lengthNs = TimeUnit.SECONDS.toNanos(Long.parseLong(load.get(2)));
      Schedule schedule = Schedule.paced(fromNs, Long.parseLong(load.get(1)), lengthNs);
      onAll(
          log ->
              new ScheduledCalls(
                      schedule,
                      NanoClock.SYSTEM,
                      Timeline::parkUntil,
                      log::call,
                      (dueNs, startedNs, endedNs) -> log.enterRequest())
                  .run());
    }
    backend.stop();
    System.err.printf(
        "figures %d %d %d%n",
        calls() - warmUpCalls,
        NanoClock.SYSTEM.nanoTime() - fromNs,
        system.getProcessCpuTime() - processorNs);
  }

  private long calls() {
    return logs.stream().mapToLong(KafkaLog::calls).sum();
  }

  private static void callSoOften(KafkaLog log, long events) {
    for (long i = 0; i < events; i++) {
      log.call();
    }
  }

  private void onAll(Consumer<KafkaLog> work) throws InterruptedException {
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
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
