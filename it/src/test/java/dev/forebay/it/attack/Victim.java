package dev.forebay.it.attack;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.it.attack.Message.Size;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.io.FileWriter;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * An application that logs, as a process of its own. Its threads log until the parent says that the
 * attacks are over; then it wants a fresh event of each level in the log, and ends.
 */
final class Victim {

  static final String CALM = "calm";
  static final String SPOOLING = "spooling";
  static final String SETTLED = "settled";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int FLOOD = 200;

  private final Path directory;
  private final String life;
  private final Tally tally;
  private final LoggerContext context = new LoggerContext();
  private final List<TieredAppender> appenders = new CopyOnWriteArrayList<>();
  private final List<Thread> producers = new CopyOnWriteArrayList<>();
  private final Map<String, FileWriter> reports = new HashMap<>();
  private int statuses;
  private volatile boolean heapIsShort;
  private volatile boolean stopped;
  private volatile boolean watched;

  private Victim(Path directory, String life) throws IOException {
    this.directory = directory;
    this.life = life;
    tally = Tally.in(directory);
    tally.open();
    for (String report : List.of("statuses", "faults", "up", "account", SETTLED)) {
      append(report, "");
    }
    Message.load();
  }

  /**
   * The process.
   *
   * @param args its directory, its name
   */
  public static void main(String[] args) throws Exception {
    Victim victim = new Victim(Path.of(args[0]), args[1]);
    victim.configure();
    Path file = victim.directory.resolve("scenario");
    Scenario scenario = null;
    if (Files.exists(file)) {
      try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
        scenario = (Scenario) in.readObject();
      }
    }
    victim.live(scenario);
  }

  LoggerContext context() {
    return context;
  }

  Logger logger() {
    return context.getLogger("victim");
  }

  /** The newest appender. */
  TieredAppender appender() {
    return appenders.get(appenders.size() - 1);
  }

  /** From now on an OutOfMemoryError is what an application deserves. */
  void expectShortHeap() {
    heapIsShort = true;
  }

  /** Starts the newest appender; while the heap is short, until there is enough of it. */
  void startAppender() {
    try {
      appender().start();
    } catch (OutOfMemoryError e) {
      if (!heapIsShort) {
        throw e;
      }
      Attacks.pass(100);
      startAppender();
    }
  }

  /** Threads that log. */
  List<Thread> producers() {
    return producers;
  }

  /** Configures Logback, once more perhaps. */
  void configure() throws JoranException {
    context.setName("attacked");
    if (context.getMDCAdapter() == null) {
      context.setMDCAdapter(new LogbackMDCAdapter());
    }
    context.getStatusManager().add((StatusListener) this::note);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(directory.resolve("logback.xml").toFile());
    TieredAppender appender = (TieredAppender) logger().getAppender("LOG");
    if (appender == null || !appender.isStarted()) {
      fault("the appender does not start");
    }
    if (appender != null && appenders.stream().noneMatch(seen -> seen == appender)) {
      appenders.add(appender);
    }
  }

  private synchronized void note(Status status) {
    if (status.getEffectiveLevel() > Status.INFO && ++statuses <= FLOOD) {
      Throwable cause = status.getThrowable();
      append("statuses", status + (cause == null ? "" : " <- " + cause));
    }
    if (statuses == FLOOD) {
      fault("a flood of " + FLOOD + " statuses");
    }
  }

  /** Something that must not be. */
  void fault(String text) {
    append("faults", text);
  }

  private synchronized void append(String file, String text) {
    // No channel, and open for good: direct memory and descriptors may be short.
    try {
      FileWriter out = reports.get(file);
      if (out == null) {
        out = new FileWriter(directory.resolve(file).toFile(), StandardCharsets.UTF_8, true);
        reports.put(file, out);
      }
      out.write(text.isEmpty() ? "" : text.replace('\n', '|') + "\n");
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that logs; its messages are numbered. For one thread. */
  final class Producer {

    private final String name;
    private final Level level;
    private final int slot;
    private long begun;

    private Producer(String name, Level level, int slot) {
      this.name = name;
      this.level = level;
      this.slot = slot;
    }

    Message next() {
      Message next = new Message(name, begun++);
      tally.begun(slot, begun);
      return next;
    }

    /** Logs the next message. */
    void log() {
      Message message = next();
      try {
        message.log(this::call);
      } catch (OutOfMemoryError e) {
        if (!heapIsShort) {
          fault(name + " got " + e + " in a log call");
        }
      }
    }

    private void call(@Nullable String mdc, String text, Object... arguments) {
      if (mdc != null) {
        context.getMDCAdapter().put(Message.MDC_KEY, mdc);
      }
      boolean thrown = arguments.length == 1 && arguments[0] instanceof Throwable;
      long startNs = System.nanoTime();
      logger()
          .log(
              null,
              Victim.class.getName(),
              level.toInt(),
              text,
              thrown || arguments.length == 0 ? null : arguments,
              thrown ? (Throwable) arguments[0] : null);
      tally.longestCallNs(System.nanoTime() - startNs);
      if (mdc != null) {
        context.getMDCAdapter().remove(Message.MDC_KEY);
      }
    }
  }

  /** A new one. */
  synchronized Producer producer(String role, Level level, Size size) throws IOException {
    String name = life + "-" + role + "-" + size;
    return new Producer(name, level, tally.slotFor(name));
  }

  private void live(@Nullable Scenario scenario) throws Exception {
    Thread watcher = start("watcher", this::watch);
    List<Thread> insiders = new ArrayList<>();
    if (scenario != null) {
      for (Attack attack : scenario.attacks()) {
        insiders.add(start("attacker", () -> attack.inside(this)));
      }
      Await.pass(Duration.ofMillis(scenario.delayMs()));
      startProducers(scenario, "early");
    }
    append("up", "up");
    Await.within(Duration.ofHours(1), () -> Files.exists(directory.resolve(CALM)));
    for (Thread insider : insiders) {
      insider.join();
    }
    stopProducers();
    requireFresh();
    boolean ends = scenario == null || scenario.end() == Scenario.End.STOP;
    if (ends) {
      OurThreads.faults(List.of("flusher", "shipper")).forEach(this::fault);
      context.stop();
      watched = true;
      watcher.join();
      tally.account(account());
      append("account", "stopped " + account());
      append(SETTLED, "settled");
      return; // the last thread but daemons: a thread of ours that lives on would hang the process
    }
    startProducers(scenario, "late");
    append(SETTLED, "settled");
    if (scenario.end() == Scenario.End.EXIT) {
      Await.pass(Duration.ofMillis(200));
      System.exit(0);
    }
    Thread.currentThread()
        .join(); // for ever: all others are daemons, and no JVM is to end by itself
  }

  /** Work that may throw. */
  interface Work {
    void run() throws Exception;
  }

  private Thread start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception | Error e) {
                if (heapIsShort && e instanceof OutOfMemoryError) {
                  return;
                }
                fault(
                    name
                        + ": "
                        + e
                        + " at "
                        + List.of(e.getStackTrace())
                            .subList(0, Math.min(6, e.getStackTrace().length)));
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void startProducers(Scenario scenario, String when) throws IOException {
    stopped = false;
    int count = 0;
    for (Scenario.Source source : scenario.sources()) {
      Producer producer = producer(when + count++, source.level(), source.size());
      producers.add(
          start(
              "producer",
              () -> {
                while (!stopped) {
                  for (int i = 0; i < source.burst() && !stopped; i++) {
                    producer.log();
                  }
                  Thread.interrupted();
                  Await.within(Duration.ofMillis(source.pauseMs()), () -> stopped);
                }
              }));
    }
  }

  private void stopProducers() throws InterruptedException {
    stopped = true;
    for (Thread producer : producers) {
      producer.join();
    }
    producers.clear();
  }

  private Tally.Account account() {
    return Tally.Account.of(appenders.stream().map(TieredAppender::snapshot).toList());
  }

  /** The law, over and over. */
  private void watch() {
    Tally.Account before = new Tally.Account(0, 0, 0, 0, 0);
    boolean broken = false;
    while (!watched) {
      try {
        for (TieredAppender seen : appenders) {
          LedgerSnapshot s = seen.snapshot();
          boolean sound =
              s.offered() == s.delivered() + s.dropped() + s.inFlight() && s.inFlight() >= 0;
          if (!sound && !broken) {
            broken = true;
            fault("the law is broken: " + s);
          }
        }
        Tally.Account now = account();
        if (!now.follows(before) && !broken) {
          broken = true;
          fault("a counter went back: " + now + " after " + before);
        }
        before = now;
        tally.account(now);
      } catch (OutOfMemoryError e) {
        // looks again
      }
      Await.pass(Duration.ofMillis(1));
    }
  }

  /** One event of each level must get through, in time. */
  private void requireFresh() throws Exception {
    List<Producer> fresh = new ArrayList<>();
    for (Level level : Level.values()) {
      fresh.add(producer("fresh" + level, level, Size.SMALL));
    }
    boolean through =
        Await.within(
            PATIENCE,
            () -> {
              TieredAppender last = appenders.get(appenders.size() - 1);
              LedgerSnapshot before = last.snapshot();
              fresh.forEach(Producer::log);
              boolean flushed =
                  Files.exists(directory.resolve(SPOOLING)) || last.flush(Duration.ofSeconds(5));
              LedgerSnapshot after = last.snapshot();
              return flushed
                  && after.dropped() == before.dropped()
                  && after.offered() >= before.offered() + fresh.size();
            });
    if (!through) {
      fault(
          "no fresh event got through in 30 s: " + appenders.get(appenders.size() - 1).snapshot());
    }
  }
}
