package dev.forebay.it.demo;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.host.FileTree;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;

/**
 * The second demo, of the flight recorder: of 10,000 requests one fails, and the dump has all that
 * this one did at TRACE. Exit code 0 means that it has, and that every event is accounted for.
 */
public final class FailingRequest {

  private static final int REQUESTS = 10_000;
  private static final int THREADS = 4;
  private static final int FAILING = 7_353;
  private static final int STEPS = 20;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration SHOW_EVERY = Duration.ofMillis(900);

  /** First lines of the log and of the dump that are shown; of the dump as many last ones. */
  private static final int SHOWN = 4;

  /** Written by the workers. */
  private static final AtomicInteger SERVED = new AtomicInteger();

  /** Written by the main thread, read by the one that shows progress. */
  private static volatile boolean isOver;

  private final LoggerContext context;
  private final Logger logger;

  private FailingRequest(LoggerContext context) {
    this.context = context;
    this.logger = context.getLogger("shop.Checkout");
  }

  /** Runs the demo; takes no arguments. */
  public static void main(String[] args) throws Exception {
    say("");
    say("A second application, with a flight recorder, in which a request fails.");
    showProgress();
    Path logs = DemoPage.directory().resolve("flight");
    FileTree.delete(logs);
    Files.createDirectories(logs);
    LoggerContext context = configured(logs);
    TieredAppender appender =
        (TieredAppender)
            Objects.requireNonNull(
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("FILE"), "the appender");
    new FailingRequest(context).serveAll();
    Path log = logs.resolve("app.log");
    Await.until("a dump in " + logs, () -> !DumpFiles.of(log).isEmpty());
    boolean isFlushed = appender.flush(LIMIT);
    LedgerSnapshot account = appender.snapshot();
    context.stop();
    isOver = true;
    System.exit(report(log, account) && isFlushed ? 0 : 1);
  }

  private static LoggerContext configured(Path logs) throws JoranException {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("demo.logs", logs.toAbsolutePath().toString());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    URL xml = FailingRequest.class.getResource("/demo/logback-flight.xml");
    configurator.doConfigure(Objects.requireNonNull(xml, "logback-flight.xml"));
    return context;
  }

  /** A line a second until the report. */
  private static void showProgress() {
    Thread thread =
        new Thread(
            () -> {
              Await.pass(SHOW_EVERY);
              while (!isOver) {
                say("%,6d of %,d requests served".formatted(SERVED.get(), REQUESTS));
                Await.pass(SHOW_EVERY);
              }
            },
            "demo-progress");
    thread.setDaemon(true);
    thread.start();
  }

  private void serveAll() throws InterruptedException {
    ExecutorService workers = Executors.newFixedThreadPool(THREADS);
    for (int i = 0; i < REQUESTS; i++) {
      int request = i;
      workers.execute(() -> serve(request));
    }
    workers.shutdown();
    if (!workers.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("The requests took more than " + LIMIT);
    }
  }

  private void serve(int request) {
    context.getMDCAdapter().put("traceId", Integer.toHexString(request * 0x9E37 + 0x10000));
    for (int step = 1; step <= STEPS; step++) {
      logger.trace("step {} of request {}", step, request);
    }
    if (request == FAILING) {
      logger.error("request {} failed", request, new IllegalStateException("out of stock"));
    } else {
      logger.info("request {} served", request);
    }
    context.getMDCAdapter().clear();
    SERVED.incrementAndGet();
  }

  private static boolean report(Path file, LedgerSnapshot account) throws IOException {
    List<String> log = Files.readAllLines(file);
    Path dump = DumpFiles.of(file).get(0).toAbsolutePath().normalize();
    List<String> dumped = Files.readAllLines(dump);
    String sums =
        ("Flight recorder: %,d requests, one failed. %,d events offered = %,d delivered + %,d dropped"
                + " + %,d expired + %,d held + %,d in flight.")
            .formatted(
                REQUESTS,
                account.offered(),
                account.delivered(),
                account.dropped(),
                account.expired(),
                account.held(),
                account.inFlight());
    String found =
        "The log has %,d lines, with those of stack traces, %,d at TRACE; the dump has %,d of the %,d steps of the failing request:"
            .formatted(log.size(), traced(log), traced(dumped), STEPS);
    say("");
    say(sums);
    say(found);
    say("  " + dump);
    dumped.stream().limit(SHOWN).forEach(line -> say("  " + line));
    say("  …");
    dumped.stream().skip(Math.max(SHOWN, dumped.size() - SHOWN)).forEach(line -> say("  " + line));
    long sum =
        account.delivered()
            + account.dropped()
            + account.expired()
            + account.held()
            + account.inFlight();
    say(
        "Page: "
            + DemoPage.in(DemoPage.directory())
                .write(new DemoPage.Flight(sums, found, dump.toString(), dumped)));
    return traced(dumped) == STEPS
        && dumped.stream().noneMatch(line -> line.contains("request ") && !ofFailing(line))
        && traced(log) == 0
        && account.offered() == sum
        && account.dropped() == 0;
  }

  private static long traced(List<String> lines) {
    return lines.stream().filter(line -> line.contains(" TRACE ")).count();
  }

  private static boolean ofFailing(String line) {
    return line.contains("request " + FAILING);
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
