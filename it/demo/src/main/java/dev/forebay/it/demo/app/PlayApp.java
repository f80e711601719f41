package dev.forebay.it.demo.app;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.host.Await;
import dev.forebay.tiered.disk.NioDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.LoggerFactory;
import play.core.server.ProdServerStart;
import play.core.server.RealServerProcess;
import play.core.server.Server;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Main class of the application's JVM. It says {@code ready <port>}, then {@code figures …} several
 * times a second, and obeys the words on standard input: {@code phase <title>}, {@code stall},
 * {@code resume} and {@code finish}. On {@code finish} it stops logging, waits until the appender
 * is empty, says {@code latency <phase> …} for each phase, {@code longest …} of each moment, {@code
 * error …} if the appender had one, the last {@code figures}, {@code finished}, and ends. When
 * standard input ends the demo is gone, and so is this JVM, at once.
 *
 * <p>What the application itself prints goes to standard error.
 */
public final class PlayApp {

  /** The appender under watch has this name in every configuration. */
  static final String APPENDER = "JSON";

  static final PhaseHistograms CALLS = new PhaseHistograms();

  private static final Duration REGISTRATION = Duration.ofSeconds(15);
  private static final long FIGURES_EVERY_MS = 200;
  private static final long SETTLE_MS = 20_000;

  private final PrintStream demo;
  private final Server server;
  private final FiguresSource source;

  /** Written by the thread that takes commands, read by the one that reports. */
  private volatile boolean isFinishing;

  private PlayApp(PrintStream demo, Server server, FiguresSource source) {
    this.demo = demo;
    this.server = server;
    this.source = source;
  }

  /** Starts the application; its one argument is Play's home directory. */
  public static void main(String[] args) {
    PrintStream demo = System.out;
    System.setOut(System.err);
    BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    daemon(() -> readCommands(commands), "demo-input");
    try {
      start(demo, args).run(commands);
    } catch (Throwable e) {
      // Play's threads would keep the JVM alive, and its shutdown hooks may wait for the disk.
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void readCommands(BlockingQueue<String> commands) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        commands.add(line);
      }
    } catch (IOException e) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(1);
  }

  private static PlayApp start(PrintStream demo, String[] args) {
    if (Boolean.getBoolean("demo.stallingDisk")) {
      Path logs = Path.of(System.getProperty("demo.logs"));
      NioDisk.replaceWith(StallingDisk.before(NioDisk.current(), logs, StallGate.LOGS));
    }
    // Signs cookies, of which there are none; Play insists on a secret.
    System.setProperty("play.http.secret.key", UUID.randomUUID() + "-" + UUID.randomUUID());
    Server server =
        (Server)
            ProdServerStart.start(
                new RealServerProcess(CollectionConverters.asScala(List.of(args)).toSeq()));
    return new PlayApp(demo, server, source());
  }

  private static FiguresSource source() {
    Appender<ILoggingEvent> appender = root().getAppender(APPENDER);
    if (appender instanceof AsyncAppender async) {
      return new AsyncFigures(async);
    }
    return ForebayFigures.await(REGISTRATION);
  }

  private static Logger root() {
    return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);
  }

  private static void daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run(BlockingQueue<String> commands) throws InterruptedException {
    demo.println("ready " + server.mainAddress().getPort());
    daemon(this::reportFigures, "demo-figures");
    for (String line = commands.take(); !line.equals("finish"); line = commands.take()) {
      obey(line);
    }
    finish();
  }

  private static void obey(String line) {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case "phase" -> CALLS.enter(Phase.titled(words[1]));
      case "stall" -> StallGate.LOGS.close();
      case "resume" -> StallGate.LOGS.open();
      default -> throw new IllegalArgumentException("Unknown command \"" + line + "\"");
    }
  }

  private void reportFigures() {
    while (!isFinishing) {
      demo.println("figures " + source.read().toLine());
      Await.pass(Duration.ofMillis(FIGURES_EVERY_MS));
    }
  }

  private void finish() {
    root().setLevel(Level.OFF);
    Figures last = settled();
    isFinishing = true;
    for (Phase phase : Phase.values()) {
      demo.println("latency " + phase.title() + " " + CALLS.latency(phase).toLine());
    }
    demo.println("longest " + CALLS.longest().toLine());
    String error = source.lastError();
    if (!error.isEmpty()) {
      demo.println("error " + error.replaceAll("\\s+", " "));
    }
    demo.println("figures " + last.toLine());
    server.stop();
    demo.println("finished");
    System.exit(0);
  }

  /**
   * The figures once two readings agree and nothing is in flight, or those after the time limit.
   */
  private Figures settled() {
    long deadlineNs = System.nanoTime() + SETTLE_MS * 1_000_000;
    source.flush(SETTLE_MS);
    Figures previous = source.read();
    while (true) {
      Await.pass(Duration.ofMillis(FIGURES_EVERY_MS));
      Figures now = source.read();
      boolean isSettled = now.equals(previous) && now.get(Figures.IN_FLIGHT) == 0;
      if (isSettled || System.nanoTime() - deadlineNs >= 0) {
        return now;
      }
      previous = now;
    }
  }
}
