package dev.forebay.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.access.common.spi.AccessContext;
import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.LedgerSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A ring in front of other appenders of access events. */
class AccessNonBlockingAppenderTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  /** Keeps what it is told, as soon as its gate is open. */
  public static final class Slow extends AppenderBase<IAccessEvent> {

    final Gate gate = new Gate();
    final Queue<String> told = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(IAccessEvent event) {
      gate.pass();
      told.add(
          "%s %s %s %s"
              .formatted(
                  event.getRequestURL(),
                  event.getRemoteUser(),
                  event.getSessionID(),
                  event.getRequestHeader("x")));
    }
  }

  private static final String CONFIGURATION =
      """
      <appender name="S" class="%s"/>
      <appender name="A" class="%s">
        %%s
        <appender-ref ref="S"/>
      </appender>
      <appender-ref ref="A"/>
      """
          .formatted(Slow.class.getName(), AccessNonBlockingAppender.class.getName());

  private static AccessLog log(String inner) {
    return AccessLog.configured(CONFIGURATION.formatted(inner));
  }

  private static AccessNonBlockingAppender ring(AccessLog log) {
    return log.appender(AccessNonBlockingAppender.class);
  }

  private static Slow slow(AccessLog log) {
    return (Slow) ring(log).getAppender("S");
  }

  @Test
  void theAttachedAppenderGetsEachRequestAsItWasWhenTheServerHasUsedItAgain() {
    try (AccessLog log = log("")) {
      Stream.of("one", "", "two").forEach(log::request);
      IAccessEvent unused = log.request.next("somebody");
      slow(log).gate.open();
      assertThat(ring(log).flush(LONG)).isTrue();
      assertThat(log.problems()).isEmpty();
      assertThat(slow(log).told)
          .containsExactly(
              "POST /one?one HTTP/one uone sone one",
              "POST / HTTP/ null null -",
              "POST /two?two HTTP/two utwo stwo two");
      LedgerSnapshot account = ring(log).snapshot();
      assertThat(account.offered()).isEqualTo(3).isEqualTo(account.delivered());
    }
  }

  @Test
  void aStalledAppenderHoldsUpNoRequestAndTheWholeRingIsUsedBeforeADropIsCounted() {
    AccessNonBlockingAppender ring;
    Slow slow;
    try (AccessLog log =
        log("<ringBufferSize>16</ringBufferSize><reportInterval>10 ms</reportInterval>")) {
      ring = ring(log);
      slow = slow(log);
      log.request("first");
      slow.gate.awaitReached();
      IntStream.range(0, 40).forEach(i -> log.request("n" + i));
      LedgerSnapshot stalled = ring.snapshot();
      assertThat(stalled.offered()).isEqualTo(41);
      assertThat(stalled.inFlight()).isGreaterThanOrEqualTo(16);
      assertThat(stalled.dropped(DropReason.RING_FULL)).isEqualTo(41 - stalled.inFlight());
      slow.gate.open();
      assertThat(ring.flush(LONG)).isTrue();
      log.request("last");
    }
    LedgerSnapshot account = ring.snapshot();
    assertThat(account.offered()).isEqualTo(account.delivered() + account.dropped());
    assertThat(slow.told)
        .filteredOn(line -> line.startsWith("Forebay: "))
        .singleElement()
        .satisfies(
            line -> assertThat(line).contains("RING_FULL " + account.dropped()).endsWith(" - - -"));
    assertThat(slow.isStarted()).isFalse();
  }

  @Test
  void appendersCanBeAttachedFoundAndDetached() {
    AccessNonBlockingAppender ring = new AccessNonBlockingAppender();
    Slow one = new Slow();
    one.setName("one");
    Appender<IAccessEvent> two = new Slow();
    two.setName("two");
    ring.addAppender(one);
    ring.addAppender(one);
    ring.addAppender(two);

    assertThat(ring.iteratorForAppenders()).toIterable().isEqualTo(List.of(one, two));
    assertThat(ring.isAttached(two)).isTrue();
    assertThat(ring.getAppender("two")).isSameAs(two);
    assertThat(ring.getAppender("none")).isNull();
    assertThat(ring.detachAppender(two)).isTrue();
    assertThat(ring.detachAppender("two")).isFalse();
    assertThat(ring.isAttached(two)).isFalse();
    ring.detachAndStopAllAppenders();
    assertThat(ring.iteratorForAppenders()).isExhausted();
  }

  @Test
  void anAppenderThatWouldPassItsEventsBackIsNotAttached() {
    AccessContext context = new AccessContext();
    AccessNonBlockingAppender one = new AccessNonBlockingAppender();
    AccessNonBlockingAppender two = new AccessNonBlockingAppender();
    one.setContext(context);
    two.setContext(context);
    one.addAppender(two);
    two.addAppender(one);
    two.addAppender(two);

    assertThat(two.iteratorForAppenders()).isExhausted();
    Await.said();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .filteredOn(status -> status.getMessage().contains("would pass events back"))
        .hasSize(2);
  }

  /** The request may be somebody else's by then. */
  @Test
  void aListenerIsGivenASampleThatDoesNotAskTheRequest() {
    Queue<String> samples = new ConcurrentLinkedQueue<>();
    FailureListener listener =
        new FailureListener() {
          @Override
          public void onDropped(String appender, List<DropSummary> drops) {
            drops.stream()
                .filter(drop -> drop.sample() != null)
                .forEach(drop -> samples.add(drop.sample().getFormattedMessage()));
          }
        };
    try (AccessLog log = log("<reportInterval>10 ms</reportInterval>")) {
      AccessNonBlockingAppender ring = ring(log);
      ring.addListener(listener);
      slow(log).gate.open();
      ring.stop();
      log.request("refused");
      IAccessEvent unused = log.request.next("somebody");
      ring.start();
      Await.until("a sample", () -> samples.contains(IAccessEvent.NA));
    }
  }

  @Test
  void aLimitCountsRequestsAndTakesNoneForADuplicate() {
    String limit =
        "<limit><perSecond>1</perSecond><burst>5</burst><duplicates>1</duplicates></limit>";
    try (AccessLog log = log(limit)) {
      slow(log).gate.open();
      IntStream.range(0, 5).forEach(i -> log.request("n" + i));
      assertThat(ring(log).flush(LONG)).isTrue();
      assertThat(log.problems()).isEmpty();
      assertThat(ring(log).snapshot().delivered()).isEqualTo(5);
      IntStream.range(0, 100).forEach(i -> log.request("more"));
      assertThat(ring(log).snapshot().dropped(DropReason.LIMITED)).isPositive();
    }
  }

  @Test
  void withoutAnAppenderItDoesNotStart() {
    try (AccessLog log = AccessLog.with(AccessNonBlockingAppender.class, "")) {
      assertThat(log.problems()).anyMatch(text -> text.contains("no <appender-ref>"));
    }
  }
}
