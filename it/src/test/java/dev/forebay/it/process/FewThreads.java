package dev.forebay.it.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.forebay.host.Await;
import dev.forebay.tiered.TieredAppender;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A process that starts an appender while the system gives it only so many threads, and once more
 * when it gives it all it wants.
 */
public final class FewThreads {

  static final int MESSAGES = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final LoggerContext context = new LoggerContext();
  private final CountDownLatch released = new CountDownLatch(1);
  private int logged;

  private FewThreads() {}

  /** Arguments: log, directory for the spool, how many threads are left at the first start. */
  public static void main(String[] arguments) throws Exception {
    new FewThreads().run(arguments[0], arguments[1], Integer.parseInt(arguments[2]));
  }

  private void run(String log, String spoolDirectory, int left) throws Exception {
    context.setName("few");
    context.setMDCAdapter(new LogbackMDCAdapter());
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    TieredAppender appender = new TieredAppender();
    appender.setName("FILE");
    appender.setContext(context);
    appender.setFile(log);
    appender.setSpoolDirectory(spoolDirectory);
    appender.setMaxFlushTime("30 seconds");
    appender.setEncoder(encoder);

    CountDownLatch some = new CountDownLatch(1);
    List<Thread> lent = new ArrayList<>();
    for (int i = 0; i < left; i++) {
      lent.add(waitingFor(some));
    }
    List<Thread> hoarded = hoard();
    some.countDown();
    for (Thread thread : lent) {
      thread.join();
    }

    boolean refused = startIsRefused(appender);
    if (refused) {
      Await.until("no thread of ours is left: " + ours(), () -> ours().isEmpty());
    } else {
      log(appender);
      appender.stop();
    }
    released.countDown();
    Await.until("the system has most threads back", () -> threads() < hoarded.size());
    appender.start();
    log(appender);
    boolean flushed = appender.flush(PATIENCE);
    appender.stop();
    System.out.printf(
        "hoarded %d, first start %s, flushed %s, logged %d, %s%n",
        hoarded.size(), refused ? "refused" : "done", flushed, logged, appender.snapshot());
    System.exit(0);
  }

  private static boolean startIsRefused(TieredAppender appender) {
    try {
      appender.start();
      return false;
    } catch (OutOfMemoryError e) { // how the JVM says that there is no thread to be had
      return true;
    }
  }

  /** Of this process, as the system counts: one that has been joined may still be there. */
  private static int threads() {
    String[] all = new File("/proc/self/task").list();
    return all == null ? 0 : all.length;
  }

  /** All threads that are to be had. */
  private List<Thread> hoard() {
    List<Thread> all = new ArrayList<>();
    while (true) {
      try {
        all.add(waitingFor(released));
      } catch (OutOfMemoryError e) {
        return all;
      }
    }
  }

  private static Thread waitingFor(CountDownLatch latch) {
    Runnable wait =
        () -> {
          try {
            latch.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody interrupts it; it ends
          }
        };
    Thread thread = new Thread(null, wait, "hoarded", 64 * 1024);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static List<String> ours() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("forebay-"))
        .toList();
  }

  private void log(TieredAppender appender) {
    Logger logger = context.getLogger("few");
    for (int i = 0; i < MESSAGES; i++) {
      String message = "few-" + ++logged;
      appender.doAppend(new LoggingEvent("", logger, Level.INFO, message, null, null));
    }
  }
}
