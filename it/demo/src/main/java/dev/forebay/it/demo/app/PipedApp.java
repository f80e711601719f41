package dev.forebay.it.demo.app;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.host.Await;
import dev.forebay.host.OfflinePage;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.tiered.TieredAppender;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;

/**
 * An application whose log is its standard output: its threads log a line for each request that
 * they serve, until standard input ends. On standard error it tells its {@link Figures}, so often
 * and at its end.
 */
public final class PipedApp {

  /** Threads, called by these numbers in what they log: {@code worker 0 served request 17}. */
  public static final int THREADS = 2;

  /** The name of the figure: how long the longest log call took, after the warm-up. */
  public static final String LONGEST_NS = "longestNs";

  /** Requests of a worker whose log calls are not measured, since classes are loaded in them. */
  private static final long WARM_UP = 500;

  private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int TELLS_EVERY_MS = 100;

  private static final LongAdder LOGGED = new LongAdder();
  private static final LongAccumulator LONGEST = new LongAccumulator(Math::max, 0);

  private static volatile boolean isEnding;

  private PipedApp() {}

  /** Runs with ConsoleAppender, or with a class that takes its place. */
  public static void main(String[] args) throws IOException, InterruptedException, JoranException {
    boolean isOurs = args[0].equals(TieredAppender.class.getName());
    LoggerContext context = configured(args[0]);
    List<Thread> workers = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      int worker = number;
      workers.add(new Thread(() -> serve(context.getLogger("shop.Orders"), worker)));
    }
    Thread teller = new Thread(PipedApp::tellFigures);
    teller.setDaemon(true);
    teller.start();
    workers.forEach(Thread::start);
    System.in.readAllBytes();
    isEnding = true;
    for (Thread worker : workers) {
      worker.join();
    }
    teller.join();
    Figures last = counted();
    if (isOurs) {
      AppenderMXBean ours = Figures.awaitAppender();
      boolean unused = ours.flush(PATIENCE.toMillis());
      last = Figures.of(ours).with(last.values());
    }
    context.stop();
    System.err.println(Told.of(0, last).toLine());
  }

  private static LoggerContext configured(String appender) throws IOException, JoranException {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    String xml =
        OfflinePage.resource(PipedApp.class, "/demo/logback-pipe.xml")
            .replace(ConsoleAppender.class.getName(), appender);
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return context;
  }

  private static void serve(Logger logger, int worker) {
    for (long request = 0; !isEnding; request++) {
      long startNs = System.nanoTime();
      logger.info("worker {} served request {}", worker, request);
      if (request >= WARM_UP) {
        LONGEST.accumulate(System.nanoTime() - startNs);
      }
      LOGGED.increment();
      Await.pass(BETWEEN_REQUESTS);
    }
  }

  private static Figures counted() {
    return new Figures(Map.of(Figures.COUNTED, LOGGED.sum(), LONGEST_NS, LONGEST.get()));
  }

  private static void tellFigures() {
    while (!isEnding) {
      System.err.println(Told.of(0, counted()).toLine());
      Await.pass(Duration.ofMillis(TELLS_EVERY_MS));
    }
  }
}
