package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import dev.forebay.testkit.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class DelegatesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final RecordingAppender second = new RecordingAppender().named("SECOND");

  @Test
  void appendersAreStartedAndStoppedOnceAndGetEachEventInTheirOrder() {
    List<String> order = new CopyOnWriteArrayList<>();
    try (Rig rig = Rig.unstarted(appender -> appender.addAppender(second))) {
      rig.delegate.before(event -> order.add("first"));
      second.before(event -> order.add("second"));
      rig.appender.start();
      rig.log(2);
      rig.stop(2);

      assertThat(order).containsExactly("first", "second", "first", "second");
      assertThat(List.of(rig.delegate, second)).allMatch(to -> to.starts() == 1 && to.stops() == 1);
      Conservation.assertSettled(rig.appender, 2, second);
    }
  }

  @Test
  void anAppenderThatCannotStartIsReportedAndCostsTheOthersNothing() {
    RecordingAppender bad =
        new RecordingAppender() {
          @Override
          public void start() {
            throw new NoSuchMethodError("as in an older library");
          }
        }.named("BAD");
    try (Rig rig = Rig.started(appender -> appender.addAppender(bad))) {
      rig.log(10);
      rig.appender.stop();

      assertThat(rig.problems()).anyMatch(text -> text.contains("BAD"));
      assertThat(rig.delegate.messages()).filteredOn(text -> text.startsWith("event")).hasSize(10);
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isGreaterThanOrEqualTo(10);
      Conservation.assertSettled(rig.appender, 10);
    }
  }

  @Test
  void anErrorInOneAppenderIsCountedAndCostsTheOthersNothing() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setThreadNameFormat("error-%3$s");
              appender.addAppender(second);
            })) {
      Thread flusher = Threads.named("error-flusher").get(0);
      AtomicInteger calls = new AtomicInteger();
      rig.delegate.before(
          event -> {
            switch (calls.incrementAndGet()) {
              case 2 -> throw new IllegalStateException("once");
              case 3 -> throw new NoClassDefFoundError("once");
              default -> {}
            }
          });
      rig.log(10);
      rig.awaitDelivered(8);

      assertThat(flusher.isAlive()).isTrue();
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isEqualTo(2);
      rig.stop(10);
      assertThat(second.messages()).filteredOn(text -> text.startsWith("event")).hasSize(10);
    }
  }

  @Test
  void aDelegateDetachedWhileRunningGetsNoMoreAndEventsWithoutAnyAreCounted() {
    try (Rig rig = Rig.started(appender -> appender.addAppender(second))) {
      rig.log(10);
      rig.awaitDelivered(10);
      assertThat(rig.appender.isAttached(second)).isTrue();
      assertThat(rig.appender.getAppender("SECOND")).isSameAs(second);
      assertThat(rig.appender.detachAppender("SECOND")).isTrue();
      assertThat(rig.appender.detachAppender(second)).isFalse();
      rig.log(10);
      rig.awaitDelivered(20);
      assertThat(rig.appender.iteratorForAppenders()).toIterable().containsExactly(rig.delegate);
      rig.appender.detachAndStopAllAppenders();
      rig.log(10);
      rig.stop(30);

      assertThat(second.taken()).isEqualTo(10);
      assertThat(rig.delegate.isStarted()).isFalse();
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void appendersThatBufferAreFlushedAtTheEndOfABatchWhateverOneOfThemThrows() {
    RecordingAppender stopped = new RecordingAppender().named("STOPPED");
    try (Rig rig = Rig.started(appender -> appender.addAppender(stopped))) {
      rig.appender.addAppender(second);
      second.start();
      stopped.stop();
      rig.delegate.onFlush(
          () -> {
            throw new NoClassDefFoundError("flush");
          });
      rig.log(10);
      assertThat(rig.appender.flush(PATIENCE)).isTrue();

      assertThat(rig.delegate.flushes()).isBetween(1, 10);
      assertThat(second.flushes()).isBetween(1, 10);
      assertThat(stopped.flushes()).isZero();
      // Until then a report of these drops may be on its way, itself offered and not yet dropped.
      rig.appender.stop();
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED))
          .as("the stopped one takes nothing")
          .isEqualTo(rig.snapshot().offered());
    }
  }

  /** One of our appenders behind another, as when both classes of a configuration are exchanged. */
  private static NonBlockingAppender ringBefore(RecordingAppender last, Rig rig) {
    NonBlockingAppender ring = new NonBlockingAppender();
    ring.setContext(rig.context);
    ring.setName("SECOND");
    ring.addAppender(last);
    Rig.patient(ring);
    return ring;
  }

  @Test
  void theSecondRingGetsEveryEventInOrderAndTheReportOfWhatTheFirstHasDropped() {
    try (Rig rig = Rig.unstarted(appender -> appender.setRingBufferSize(16))) {
      Rig.patient(rig.appender);
      NonBlockingAppender ring = ringBefore(second, rig);
      rig.appender.addAppender(ring);
      rig.appender.start();
      Gate gate = rig.blockFlusher();
      rig.log(Level.WARN, 20);
      gate.open();
      rig.stop(21);

      assertThat(second.messages().subList(1, 17))
          .isEqualTo(IntStream.range(0, 16).mapToObj(i -> "event " + i).toList());
      assertThat(second.reports()).singleElement().asString().contains("4 events dropped");
      assertThat(second.events().get(1).getThreadName())
          .isEqualTo(Thread.currentThread().getName());
      assertThat(ring.snapshot().dropped()).isZero();
      Conservation.assertHolds(ring, second);
    }
  }

  @Test
  void appendersAreNotAttachedToThemselvesNorInACircle() {
    try (Rig rig = Rig.unstarted(Rig::patient)) {
      NonBlockingAppender ring = ringBefore(second, rig);
      ring.addAppender(rig.appender);
      rig.appender.addAppender(ring);
      rig.appender.addAppender(rig.appender);
      rig.appender.start();
      rig.appender.addAppender(rig.appender);
      rig.log(10);
      rig.stop(10);

      assertThat(rig.problems())
          .hasSize(3)
          .allMatch(text -> text.contains("] is not attached: it would pass events back to this"))
          .filteredOn(text -> text.contains("[RING] is not"))
          .hasSize(2);
    }
  }
}
