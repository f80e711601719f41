package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * More virtual threads log than there are threads to carry them, to appenders that are full. Built
 * for 17; virtual threads are reached by reflection.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@Tag("jdk")
class VirtualThreadStormIT {

  private static final int THREADS = 10_000;
  private static final int EACH = 3;
  private static final String PINNED = "jdk.VirtualThreadPinned";

  @AutoClose private final Places places = Places.create();

  /** Logs from many virtual threads at once; where our code has pinned one to its carrier. */
  private List<String> storm(Tiered tiered) throws Exception {
    // Logback loads a class for the name of the first virtual thread; loading one pins.
    start(() -> new LoggingEvent("", tiered.logger(), Level.INFO, "", null, null).getThreadName())
        .join();
    linkContendedAdders();
    Path file = places.root().resolve("pinned.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String producer = "v" + i;
        threads.add(start(() -> tiered.log(producer, 0, EACH)));
      }
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(thread.isAlive()).as("hangs: %s", thread).isFalse();
      }
      recording.stop();
      recording.dump(file);
    }
    List<String> pinned = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals(PINNED) && isOurs(event.getStackTrace())) {
        pinned.add(event.toString());
      }
    }
    return pinned;
  }

  /** The JDK links the cells of its adders when threads first contend for one, and that pins. */
  private static void linkContendedAdders() throws InterruptedException {
    LongAdder adder = new LongAdder();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int added = 0; added < 1_000_000; added++) {
                  adder.increment();
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /**
   * Not a class that the JDK loads or links since this thread happens to be the first to use it.
   */
  private static boolean isOurs(RecordedStackTrace trace) {
    if (trace == null) {
      return false;
    }
    List<String> classes =
        trace.getFrames().stream()
            .map(RecordedFrame::getMethod)
            .map(method -> method.getType().getName())
            .toList();
    return classes.stream()
            .anyMatch(
                name -> name.startsWith("dev.forebay.") && !name.startsWith("dev.forebay.it."))
        && classes.stream()
            .noneMatch(
                name ->
                    name.equals("java.lang.ClassLoader")
                        || name.equals("java.lang.invoke.MethodHandleNatives"));
  }

  private static Thread start(Runnable work) throws ReflectiveOperationException {
    return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
  }

  @Test
  void aStormOnAFullSpoolNeitherHangsNorPinsNorLosesAnythingUncounted() throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    Oracle oracle = new Oracle();
    try (Tiered tiered =
            Tiered.with(
                places.xml(),
                Xml.FAST + "<reportInterval>100 milliseconds</reportInterval>",
                "<ringBufferSize>256</ringBufferSize>",
                "<spoolSize>128KB</spoolSize><segmentSize>64KB</segmentSize>",
                Xml.MESSAGES);
        Load load = Load.on(tiered)) {
      Await.until("full", () -> tiered.snapshot().dropped() > 0);
      assertThat(storm(tiered)).isEmpty();
      Files.delete(places.logDirectory());
      Await.until("log works", () -> Files.exists(places.log()));
      load.awaitMore(50);
      load.stop();
      tiered.flush();
      long dropped = tiered.snapshot().dropped();
      tiered.log("fresh", 0, 1).flush();
      load.tell(oracle);
      for (int i = 0; i < THREADS; i++) {
        oracle.producer("v" + i, 0, EACH);
      }
      oracle.producer("fresh", 1, 1).dropped(dropped);
      tiered.calls().record(THREADS + " virtual threads, the spool is full");
    }
    oracle.complete(0).requireSound(places.lines());
  }
}
