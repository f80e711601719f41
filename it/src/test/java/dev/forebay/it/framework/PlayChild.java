package dev.forebay.it.framework;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.it.demo.app.AppLoader;
import dev.forebay.it.support.Numbered;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import play.Application;
import play.ApplicationLoader;
import play.Environment;
import play.Mode;
import play.api.Play;
import play.core.server.ProdServerStart;
import play.core.server.RealServerProcess;
import play.core.server.Server;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Lives of a Play application in one JVM, whose logging Logback itself configures before Play does
 * it again: two in test mode, then a server, which is stopped, and another one, which waits for
 * SIGTERM. In each life a thread logs until Play's stop hook ends it, and then the hook logs. Last
 * words are in the file "account": a line for each start of the appender, for each producer, and
 * for each warning.
 */
final class PlayChild {

  /** The numbered messages have this logger. */
  static final String LOGGER = "numbered";

  /** Lives as a server. */
  static final int SERVERS = 2;

  /** And two in test mode. */
  static final int LIVES = 2 + SERVERS;

  /** Messages logged before Play is there, and by each stop hook. */
  private static final int MESSAGES = 50;

  /** HTTP requests to each life that is a server. */
  static final int REQUESTS = 5;

  private static final int AT_LEAST = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Queue<Appender<ILoggingEvent>> STARTS = new ConcurrentLinkedQueue<>();
  private static final Queue<String> WARNINGS = new ConcurrentLinkedQueue<>();
  private static final Queue<Chatter> CHATTERS = new ConcurrentLinkedQueue<>();

  private PlayChild() {}

  /**
   * Lives, and waits for the signal.
   *
   * @param args Play's home, a directory for the reports
   */
  public static void main(String[] args) throws Exception {
    Path reports = Path.of(args[1]);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> writeAccount(reports)));
    Chatter.log("early", 0, MESSAGES);
    for (int life = 0; life < LIVES - SERVERS; life++) {
      liveAsATest(Path.of(args[0]));
    }
    serve(args[0]).stop();
    requireNoThreads();
    Server unused = serve(args[0]);
    System.out.println("ready");
  }

  private static void liveAsATest(Path home) throws Exception {
    Environment here = new Environment(home.toFile(), PlayChild.class.getClassLoader(), Mode.TEST);
    Application application = new Loader().load(ApplicationLoader.create(here));
    Play.start(application.asScala());
    awaitChatter();
    Play.stop(application.asScala());
  }

  private static Server serve(String home) throws Exception {
    var arguments = CollectionConverters.asScala(List.of(home)).toSeq();
    Server server = (Server) ProdServerStart.start(new RealServerProcess(arguments));
    int port = server.mainAddress().getPort();
    for (int order = 0; order < REQUESTS; order++) {
      URI uri = URI.create("http://127.0.0.1:%d/orders/%d".formatted(port, order));
      try (InputStream answer = uri.toURL().openStream()) {
        String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        if (!text.startsWith("order " + order + ": ")) {
          throw new AssertionError(text);
        }
      }
    }
    awaitChatter();
    return server;
  }

  private static void awaitChatter() throws Exception {
    Chatter last = List.copyOf(CHATTERS).get(CHATTERS.size() - 1);
    Await.until("a thread of the application logs", () -> last.logged >= AT_LEAST);
  }

  /** No thread of a stopped appender stays; that of the control socket ends soon, unawaited. */
  private static void requireNoThreads() {
    if (!Await.within(PATIENCE, () -> ourThreads().isEmpty())) {
      WARNINGS.add("still there: " + ourThreads());
    }
  }

  private static List<String> ourThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("forebay-"))
        .toList();
  }

  /** A shutdown hook that waits until Play has gone and nothing is in flight. */
  private static void writeAccount(Path reports) {
    try {
      boolean ended =
          Await.within(
              PATIENCE, () -> !playRuns() && STARTS.stream().allMatch(PlayChild::isSettled));
      List<String> lines = new ArrayList<>();
      for (Appender<ILoggingEvent> start : STARTS) {
        LedgerSnapshot end = snapshot(start);
        lines.add(
            "start %s %d %d %s".formatted(start.isStarted(), end.offered(), end.delivered(), end));
      }
      lines.add("producer early " + MESSAGES);
      for (Chatter chatter : CHATTERS) {
        lines.add("producer worker-%d %d".formatted(chatter.life, chatter.logged));
        lines.add("producer hook-%d %d".formatted(chatter.life, MESSAGES));
      }
      WARNINGS.forEach(warning -> lines.add("warning " + warning.replace('\n', ' ')));
      if (!ended) {
        lines.add("warning still not ended");
      }
      Files.write(reports.resolve("account"), lines);
    } catch (Exception e) {
      throw new IllegalStateException(e); // printed by the JVM, and the account is missing
    }
  }

  /** What is in flight after a stop is in the spool, and stays there. */
  private static boolean isSettled(Appender<ILoggingEvent> start) {
    return !start.isStarted() || snapshot(start).inFlight() == 0;
  }

  private static boolean playRuns() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().contains("pekko"));
  }

  private static LedgerSnapshot snapshot(Appender<ILoggingEvent> appender) {
    return ((TieredAppender) appender).snapshot();
  }

  /** Named in the application.conf; the demo's application with a thread that logs. */
  public static final class Loader implements ApplicationLoader {

    /** Called by Play. */
    public Loader() {}

    @Override
    public Application load(Context context) {
      Application application = new AppLoader().load(context);
      Chatter chatter = new Chatter(CHATTERS.size());
      CHATTERS.add(chatter);
      chatter.thread.start();
      context.applicationLifecycle().addStopHook(chatter::end);
      return application;
    }
  }

  /** What logs in one life. */
  private static final class Chatter {

    private final int life;
    private final Thread thread = new Thread(this::run, "chatter");

    /** Written by the thread that logs. */
    private volatile long logged;

    private volatile boolean released;

    Chatter(int life) {
      this.life = life;
    }

    private static void log(String producer, long from, long count) {
      Logger logger = LoggerFactory.getLogger(LOGGER);
      for (long number = from; number < from + count; number++) {
        logger.info(new Numbered(producer, number).text());
      }
    }

    private void run() {
      for (long number = 0; !released; number++) {
        log("worker-" + life, number, 1);
        logged = number + 1;
        Await.pass(Duration.ofMillis(1));
      }
    }

    private CompletableFuture<Void> end() {
      released = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      log("hook-" + life, 0, MESSAGES);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Knows every start of the appender that it stands in. */
  public static final class Starts implements FailureListener {

    /** Called by Logback. */
    public Starts() {}

    /** Called by Logback. */
    public void setParent(Appender<ILoggingEvent> appender) {
      STARTS.add(appender);
    }
  }

  /** Keeps what Logback warns of, which it forgets when Play resets it. */
  public static final class Warnings implements StatusListener {

    /** Called by Logback. */
    public Warnings() {}

    @Override
    public void addStatusEvent(Status status) {
      // Play stops Logback while the JDK's management still logs.
      boolean late = status.getMessage().startsWith("No appenders present in context");
      if (status.getEffectiveLevel() >= Status.WARN && !late) {
        WARNINGS.add(status.toString());
      }
    }
  }
}
