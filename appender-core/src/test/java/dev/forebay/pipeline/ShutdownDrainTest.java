package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.ParkEvery;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the JVM's end waits for, and what it says of events that end with it. */
class ShutdownDrainTest {

  private static final long MAX_FLUSH_NS = 1_000_000_000;

  private final AtomicLong nowNs = new AtomicLong();
  private final List<One> all = new ArrayList<>();

  private final class One {

    final PipelineRig rig = new PipelineRig(nowNs::get);
    final TestSink sink = new TestSink(rig.ledger);
    final Pipeline pipeline;

    One() {
      rig.maxFlushNs = MAX_FLUSH_NS;
      pipeline = rig.pipeline(sink, new ParkEvery(1_000_000));
      pipeline.start();
      all.add(this);
    }

    One log() {
      PipelineRig.log(pipeline, Events.info("event"));
      return this;
    }

    /** Its destination takes nothing: a flush waits for as long as it may. */
    One stuck() {
      sink.onFlush =
          limit -> {
            while (limit.leftNs() > 0) {
              nowNs.addAndGet(MAX_FLUSH_NS / 100);
            }
            return false;
          };
      return this;
    }
  }

  private void drain() {
    ShutdownDrain.drain(all.stream().map(one -> one.pipeline).toList(), nowNs::get);
  }

  @AfterEach
  void stop() {
    for (One one : all) {
      one.sink.ready = true;
      one.sink.onFlush = limit -> true;
      assertThat(one.pipeline.stop()).isTrue();
      Conservation.assertHolds(one.rig.ledger.snapshot());
    }
  }

  @Test
  void twentyLogsThatTakeNothingShareOneDeadline() {
    for (int i = 0; i < 20; i++) {
      new One().stuck().log();
    }
    drain();

    assertThat(nowNs.get()).isEqualTo(MAX_FLUSH_NS);
  }

  @Test
  void aLogOfWhichNothingMoreIsExpectedIsNotWaitedFor() {
    One stuck = new One().log();
    stuck.sink.onFlush = limit -> false;
    drain();

    assertThat(nowNs.get()).isZero();
    assertThat(stuck.rig.warnings).isEmpty(); // what its sink holds survives
  }

  /** Threads of the application may log until the very end: all of that is under way. */
  @Test
  void ofEventsThatKeepComingItDoesNotWarn() {
    One busy = new One().log();
    busy.sink.onFlush =
        limit -> {
          if (nowNs.get() < 2 * MAX_FLUSH_NS) {
            busy.log(); // so nothing becomes quiet in time
          }
          nowNs.addAndGet(MAX_FLUSH_NS / 100);
          return true;
        };
    drain();

    assertThat(nowNs.get()).isBetween(MAX_FLUSH_NS / 2, MAX_FLUSH_NS);
    assertThat(busy.rig.warnings).isEmpty();
  }

  @Test
  void waitsForAllWarningsNoLongerThanForOne() {
    AtomicInteger waits = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      full().rig.onAwait =
          limit -> {
            while (limit.leftNs() > 0) {
              waits.incrementAndGet();
              nowNs.addAndGet(ShutdownDrain.LAST_WARNING_NS / 20);
            }
          };
    }
    drainWhileTimePasses();

    assertThat(waits).hasPositiveValue().hasValueLessThanOrEqualTo(20);
  }

  private One full() {
    One full = new One();
    full.sink.ready = false;
    return full.log();
  }

  private void drainWhileTimePasses() {
    Thread end = new Thread(this::drain);
    end.start();
    Await.until(
        "drained",
        () -> {
          nowNs.addAndGet(MAX_FLUSH_NS / 20);
          return !end.isAlive();
        });
  }

  /** The number is not larger than what the account in the same line calls in flight. */
  @Test
  void whatIsDeliveredMeanwhileIsNotWarnedOf() {
    One late = new One();
    late.sink.ready = false;
    late.log();
    late.sink.heldInHeap =
        () -> { // asked after the events in the ring were counted
          late.sink.ready = true;
          Await.until("delivered", () -> late.rig.ledger.snapshot().inFlight() == 0);
          return 0;
        };
    late.pipeline.warnOfUndelivered();

    assertThat(late.rig.warnings).isEmpty();
  }

  /** The application that starts the first appender may end long before the last one. */
  @Test
  void theHookKeepsNoClassLoaderOfWhoStartsTheFirst() throws IOException {
    Thread self = Thread.currentThread();
    ClassLoader before = self.getContextClassLoader();
    try (URLClassLoader application = new URLClassLoader(new URL[0])) {
      self.setContextClassLoader(application);
      assertThat(ShutdownDrain.newHook().getContextClassLoader())
          .isSameAs(ShutdownDrain.class.getClassLoader());
    } finally {
      self.setContextClassLoader(before);
    }
  }
}
