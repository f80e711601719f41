package dev.forebay.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.Status;
import dev.forebay.observe.DropReason;
import dev.forebay.otlp.Collector.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a collector says, and faults that pass. */
@Tag("once")
class FaultsTest {

  @TempDir Path spool;
  private Collector collector;

  @BeforeEach
  void begin() throws IOException {
    collector = Collector.start();
  }

  @AfterEach
  void end() {
    collector.close();
  }

  private Shop shop() {
    return Shop.start(spool, collector.endpoint());
  }

  private void requireDelivered(Shop shop) {
    assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
    assertThat(collector.bodies()).containsExactly("event 0");
    assertThat(shop.account().delivered()).isOne().isEqualTo(shop.account().offered());
  }

  /** A receiver that is not ready gets rest, also while events come, and the log is no better. */
  @Test
  void anOutageIsOne() {
    AtomicReference<Shop> running = new AtomicReference<>();
    collector.answer(
        request -> {
          running.get().log.info("one more");
          return Reply.of(503, "");
        });
    long beginNs = System.nanoTime();
    try (Shop shop = shop()) {
      running.set(shop);
      shop.log.info("event 0");
      collector.awaitRequests(7);
      assertThat(Duration.ofNanos(System.nanoTime() - beginNs))
          .isGreaterThan(Duration.ofMillis(20 + 40 + 80 + 160 + 320 + 640));
      assertThat(shop.told(Status.INFO)).noneMatch(text -> text.contains("again"));
      assertThat(shop.problems()).hasSize(1);
      collector.answer(request -> Reply.TAKEN);
      assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
      assertThat(shop.account().delivered()).isEqualTo(shop.account().offered());
    }
  }

  @Test
  void whatIsRefusedWithoutAWordIsTold() {
    collector.answer(request -> Reply.partial(1, ""));
    try (Shop shop = shop()) {
      shop.log.info("event 0");
      shop.awaitProblem("refuses 1 of 1 events of a request, which are lost: it does not say why");
    }
  }

  @Test
  void whatIsRefusedWithManyWordsIsCounted() {
    String words = "too old ".repeat(100_000);
    collector.answer(
        request -> request.bodies().contains("event 0") ? Reply.partial(1, words) : Reply.TAKEN);
    try (Shop shop = shop()) {
      shop.log.info("event 0");
      shop.awaitProblem("which are lost: too old too old");
      assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
      assertThat(shop.account().dropped(DropReason.REFUSED)).isOne();
    }
  }

  @Test
  void aWordToWhatIsTakenIsToldAsSuch() {
    collector.answer(request -> Reply.partial(0, "old version"));
    try (Shop shop = shop()) {
      shop.log.info("event 0");
      requireDelivered(shop);
      assertThat(shop.problems())
          .singleElement()
          .asString()
          .contains("takes all events of a request and says: old version");
    }
  }

  @Test
  void aPlaceThatIsLongIsCut() {
    String place = "http://elsewhere.example/" + "a".repeat(10_000);
    collector.answer(request -> Reply.of(308, "", "Location", place));
    try (Shop shop = shop()) {
      shop.log.info("event 0");
      shop.awaitProblem("HTTP 308: to http://elsewhere.example/aaaa");
      assertThat(shop.problems()).allMatch(text -> text.length() < 1000);
    }
  }

  /** Our own record is taken because all are now, not because the other is the cause. */
  @Test
  void aRefusalThatEndsHasNoCause() {
    AtomicInteger refusals = new AtomicInteger(1);
    collector.answer(
        request -> refusals.getAndDecrement() > 0 ? Reply.of(400, "no tenant") : Reply.TAKEN);
    try (Shop shop = shop()) {
      shop.log.info("event 0");
      assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
      assertThat(collector.bodies()).containsOnlyOnce("event 0");
      assertThat(shop.account().dropped()).isZero();
    }
  }

  /** A server's fault may pass: one that is alone in its request is no cause yet. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anErrorOfTheServerMayPass(int times) {
    AtomicInteger faults = new AtomicInteger(times);
    collector.answer(request -> faults.getAndDecrement() > 0 ? Reply.of(500, "oops") : Reply.TAKEN);
    try (Shop shop = shop()) {
      shop.log.info("event 0");
      requireDelivered(shop);
    }
  }
}
