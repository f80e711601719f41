package dev.forebay.it.demo.app;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.tiered.disk.NioDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import play.core.server.ProdServerStart;
import play.core.server.RealServerProcess;
import play.core.server.Server;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Main class of the application's JVM. It says several times a second what it knows: {@link Told}.
 * It obeys the words on standard input: the name of a {@link Phase}, {@code stall}, {@code resume}
 * and {@code finish}, at which it stops logging, waits until the appender is empty, says its last
 * words and ends. When standard input ends the demo is gone, and so is this JVM, at once.
 *
 * <p>What the application itself prints goes to standard error.
 */
public final class PlayApp {

  static final PhaseHistograms CALLS = new PhaseHistograms();

  private static final Duration FIGURES_EVERY = Duration.ofMillis(200);
  private static final Duration SETTLES = Duration.ofSeconds(20);

  private final PrintStream demo;
  private final Server server;

  /** Null beside an {@link AsyncAppender}, which tells how full its queue is and nothing else. */
  private final @Nullable AppenderMXBean ours;

  /** Written by the thread that takes commands, read by the one that reports. */
  private volatile boolean isFinishing;

  private PlayApp(PrintStream demo, Server server) {
    this.demo = demo;
    this.server = server;
    this.ours =
        root().getAppender("JSON") instanceof AsyncAppender ? null : Figures.awaitAppender();
  }

  /** Starts the application; its one argument is Play's home directory. */
  public static void main(String[] args) {
    PrintStream demo = System.out;
    System.setOut(System.err);
    try {
      if (Boolean.getBoolean("demo.stallingDisk")) {
        Path logs = Path.of(System.getProperty("demo.logs"));
        NioDisk.replaceWith(StallingDisk.before(NioDisk.current(), logs));
      }
      // Signs cookies, of which there are none; Play insists on a secret.
      System.setProperty("play.http.secret.key", UUID.randomUUID() + "-" + UUID.randomUUID());
      Server server =
          (Server)
              ProdServerStart.start(
                  new RealServerProcess(CollectionConverters.asScala(List.of(args)).toSeq()));
      new PlayApp(demo, server).run();
    } catch (Throwable e) {
      // Play's threads would keep the JVM alive, and its shutdown hooks may wait for the disk.
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static Logger root() {
    return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);
  }

  private void run() throws IOException {
    Thread thread = new Thread(this::tellFigures, "demo-figures");
    thread.setDaemon(true);
    thread.start();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      switch (line) {
        case "stall" -> StallingDisk.stall();
        case "resume" -> StallingDisk.resume();
        case "finish" -> finish();
        default -> CALLS.enter(Phase.valueOf(line));
      }
    }
    Runtime.getRuntime().halt(1);
  }

  private Figures figures() {
    Map<String, Long> counted = Map.of(Figures.COUNTED, OfferedCounter.offered());
    if (ours != null) {
      return Figures.of(ours).with(counted);
    }
    AsyncAppender async = (AsyncAppender) root().getAppender("JSON");
    long queued = async.getNumberOfElementsInQueue();
    return new Figures(
            Map.of(
                Figures.QUEUED,
                queued,
                Figures.QUEUE_CAPACITY,
                (long) async.getQueueSize(),
                Figures.IN_FLIGHT,
                queued))
        .with(counted);
  }

  private void tellFigures() {
    while (!isFinishing) {
      tell(Told.of(port(), figures()));
      Await.pass(FIGURES_EVERY);
    }
  }

  private int port() {
    return server.mainAddress().getPort();
  }

  private void tell(Told told) {
    demo.println(told.toLine());
  }

  private void finish() {
    root().setLevel(Level.OFF);
    Figures last = settled();
    isFinishing = true;
    String error = ours == null ? "" : ours.getLastError();
    int port = port();
    server.stop();
    tell(new Told(port, last, CALLS.latencies(), CALLS.longest(), error, true));
    System.exit(0);
  }

  /** The figures once two readings agree and nothing is in flight, or when the time is over. */
  private Figures settled() {
    long deadlineNs = System.nanoTime() + SETTLES.toNanos();
    if (ours != null) {
      boolean unused = ours.flush(SETTLES.toMillis());
    }
    Figures previous = figures();
    while (true) {
      Await.pass(FIGURES_EVERY);
      Figures now = figures();
      boolean isSettled = now.equals(previous) && now.get(Figures.IN_FLIGHT) == 0;
      if (isSettled || System.nanoTime() - deadlineNs >= 0) {
        return now;
      }
      previous = now;
    }
  }
}
