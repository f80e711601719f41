package dev.forebay.it.demo.app;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.host.Await;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAccumulator;
import org.slf4j.Logger;

/**
 * An application that serves some requests, each with a line in the log, and then ends as a batch
 * job does. It tells its {@link Figures} just before.
 */
public final class EndingApp {

  /** Threads, called by these numbers in what they log: {@code worker 0 served request 17}. */
  public static final int THREADS = 2;

  /** Lines of all of them. */
  public static final int LINES = 20_000;

  /** The name of the figure: how long the longest log call took, after the warm-up. */
  public static final String LONGEST_NS = PipedApp.LONGEST_NS;

  /** Requests of a worker whose log calls are not measured, since classes are loaded in them. */
  private static final int WARM_UP = 500;

  /** Requests between two pauses. */
  private static final int AT_ONCE = 10;

  private static final Duration PAUSE = Duration.ofMillis(1);

  private static final LongAccumulator LONGEST = new LongAccumulator(Math::max, 0);

  private EndingApp() {}

  /**
   * Runs.
   *
   * @param args the name of a configuration on the class path; none to log to no appender
   */
  public static void main(String[] args) throws IOException, JoranException, InterruptedException {
    PrintStream demo = System.out;
    System.setOut(System.err);
    Logger logger = configured(args).getLogger("shop.Orders");
    List<Thread> workers = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      int worker = number;
      Thread thread = new Thread(() -> serve(logger, worker));
      thread.start();
      workers.add(thread);
    }
    for (Thread worker : workers) {
      worker.join();
    }
    Figures figures =
        (args.length == 0 ? Figures.NONE : Figures.of(Figures.awaitAppender()))
            .with(Map.of(Figures.COUNTED, (long) LINES, LONGEST_NS, LONGEST.get()));
    demo.println(Told.last(figures).toLine());
    System.exit(0);
  }

  private static LoggerContext configured(String[] args) throws JoranException {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    if (args.length > 0) {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      URL xml = EndingApp.class.getResource(args[0]);
      configurator.doConfigure(Objects.requireNonNull(xml, args[0]));
    }
    return context;
  }

  private static void serve(Logger logger, int worker) {
    for (int request = 0; request < LINES / THREADS; request++) {
      long startNs = System.nanoTime();
      logger.info("worker {} served request {}", worker, request);
      if (request >= WARM_UP) {
        LONGEST.accumulate(System.nanoTime() - startNs);
      }
      if (request % AT_ONCE == 0) {
        Await.pass(PAUSE);
      }
    }
  }
}
