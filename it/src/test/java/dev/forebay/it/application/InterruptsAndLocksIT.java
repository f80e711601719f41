package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What an application does to the threads that write, and with its own locks. */
class InterruptsAndLocksIT {

  /** The thread of a report may be there too, but writes nothing. */
  private static final Set<String> WRITERS = Set.of("own-flusher", "own-shipper");

  private static final int INTERRUPTS = 300;

  @AutoClose private final Places places = Places.create();

  private String inner() {
    return places.xml()
        + "<threadNameFormat>own-%3$s</threadNameFormat>"
        + "<fsync>50 milliseconds</fsync><maxFlushTime>30 seconds</maxFlushTime>"
        + Xml.rollBySize(places.logDirectory(), "20KB").replace("%i.log", "%i.log.gz")
        + Xml.MESSAGES;
  }

  /** A FileChannel is closed by an interrupt of the thread that writes. */
  @Test
  void interruptsOfTheThreadsThatWriteCloseNoFileAndLoseNothing() throws Exception {
    Oracle oracle = new Oracle();
    try (Tiered tiered = Tiered.with(inner());
        Load load = Load.on(tiered)) {
      List<Thread> ours =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> WRITERS.contains(thread.getName()))
              .toList();
      assertThat(ours).hasSize(2);
      for (int i = 0; i < INTERRUPTS; i++) {
        ours.forEach(Thread::interrupt);
        load.awaitMore(2);
      }
      long offered = load.stop().offered();
      tiered.flush();

      assertThat(ours).allMatch(Thread::isAlive);
      assertThat(tiered.snapshot().delivered()).isEqualTo(offered);
      assertThat(tiered.statuses())
          .allMatch(status -> status.getEffectiveLevel() < Status.WARN, "no WARN");
      load.tell(oracle);
    }
    assertThat(LogFiles.of(places.log()).fileCount()).isGreaterThan(1);
    oracle.complete(0).requireSound(places.lines());
  }

  /**
   * One thread logs a value whose text needs a lock; another holds that lock and logs. Where log
   * calls exclude each other, they wait for each other for ever.
   */
  @Test
  void aLockThatAValueNeedsMeetsNoLockOfTheAppender() throws Exception {
    Object lock = new Object();
    try (Tiered tiered = Tiered.with(inner())) {
      Object value =
          new Object() {
            @Override
            public String toString() {
              synchronized (lock) {
                return new Numbered("value", 0).text();
              }
            }
          };
      CountDownLatch held = new CountDownLatch(1);
      AtomicBoolean logged = new AtomicBoolean();
      Thread needs = new Thread(() -> tiered.logger().info("{}", value));
      FutureTask<?> holder =
          new FutureTask<>(
              () -> {
                synchronized (lock) {
                  held.countDown();
                  Await.until("waits", () -> needs.getState() == Thread.State.BLOCKED);
                  tiered.log("holder", 0, 1000);
                  return logged.getAndSet(true);
                }
              });
      Thread holds = new Thread(holder);
      holds.setDaemon(true);
      needs.setDaemon(true);
      holds.start();
      held.await();
      needs.start();
      Await.until("both come back", () -> !holds.isAlive() && !needs.isAlive());
      assertThat(logged).isTrue();
      tiered.flush();
      assertThat(tiered.snapshot().delivered()).isEqualTo(1001);
    }
    new Oracle()
        .producer("holder", 1000, 1000)
        .producer("value", 1, 1)
        .complete(0)
        .requireSound(places.lines());
  }
}
