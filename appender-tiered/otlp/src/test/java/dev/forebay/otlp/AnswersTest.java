package dev.forebay.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.Status;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.otlp.Collector.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of events, whatever a collector answers. */
@Tag("once")
class AnswersTest {

  private static final int MANY = 1000;

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

  private static void log(Shop shop, int count) {
    IntStream.range(0, count).forEach(i -> shop.log.info("event {}", i));
  }

  private static List<String> events(int count) {
    return IntStream.range(0, count).mapToObj(i -> "event " + i).toList();
  }

  /** Nothing is lost or doubled, and each event is in the account. */
  private void requireAll(Shop shop, int count) {
    collector.awaitRecords(count);
    assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
    assertThat(collector.bodies()).isEqualTo(events(count));
    assertThat(new HashSet<>(collector.uids())).hasSize(count);
    LedgerSnapshot account = shop.account();
    assertThat(account.delivered()).isEqualTo(count).isEqualTo(account.offered());
  }

  @Test
  void whatIsTakenIsDelivered() {
    try (Shop shop = shop()) {
      log(shop, MANY);
      requireAll(shop, MANY);
      assertThat(shop.problems()).isEmpty();
    }
    assertThat(collector.requests()).allMatch(request -> request.protocol().equals("HTTP/1.1"));
    assertThat(collector.requests().get(0).headers().getFirst("User-Agent"))
        .startsWith("forebay-otlp");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "408 | HTTP 408",
        "429 | HTTP 429",
        "502 | HTTP 502",
        "503 | HTTP 503: memory limit; it is not ready; events stay in the spool",
        "504 | HTTP 504",
        "401 | it does not accept the credentials, check <header>",
        "403 | it does not accept the credentials, check <header>",
        "404 | it takes no logs there, check the path of <endpoint>, often /v1/logs",
        "405 | it takes no logs there",
        "415 | HTTP 415: memory limit; check <endpoint>",
        "501 | check <endpoint>",
      })
  void whatIsNotTheRecordsFaultIsWaitedFor(int status, String told) {
    AtomicInteger refusals = new AtomicInteger(3);
    collector.answer(
        request -> refusals.getAndDecrement() > 0 ? Reply.of(status, "memory limit") : Reply.TAKEN);
    try (Shop shop = shop()) {
      log(shop, MANY);
      shop.awaitProblem(told);
      requireAll(shop, MANY);
    }
  }

  @Test
  void aLimitOfTheCollectorIsKept() {
    AtomicInteger refusals = new AtomicInteger(1);
    collector.answer(
        request ->
            refusals.getAndDecrement() > 0
                ? Reply.of(429, "slowly", "Retry-After", "1")
                : Reply.TAKEN);
    long beginNs = System.nanoTime();
    try (Shop shop = shop()) {
      log(shop, 10);
      requireAll(shop, 10);
      assertThat(Duration.ofNanos(System.nanoTime() - beginNs))
          .isGreaterThan(Duration.ofMillis(900));
      assertThat(shop.problems())
          .singleElement()
          .asString()
          .contains("HTTP 429: slowly; it asks to wait for 1000 ms");
    }
    assertThat(collector.requests()).hasSize(2);
  }

  @Test
  void aLimitMayBeADate() {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.now().plusSeconds(3600).atOffset(ZoneOffset.UTC));
    collector.answer(request -> Reply.of(503, "", "Retry-After", date));
    try (Shop shop = shop()) {
      log(shop, 1);
      shop.awaitProblem("it asks to wait for 300000 ms"); // no longer
    }
  }

  @Test
  void whatIsNoTimeToWaitIsNoLimit() {
    AtomicInteger refusals = new AtomicInteger(1);
    collector.answer(
        request ->
            refusals.getAndDecrement() > 0
                ? Reply.of(503, "", "Retry-After", "soon")
                : Reply.TAKEN);
    try (Shop shop = shop()) {
      log(shop, 1);
      requireAll(shop, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 422, 500})
  void recordsThatAreRefusedAreFoundAndSetAside(int status) throws IOException {
    collector.answer(
        request ->
            request.bodies().stream().anyMatch(body -> body.endsWith("77"))
                ? Reply.of(status, "bad record")
                : Reply.TAKEN);
    List<String> good = events(MANY).stream().filter(body -> !body.endsWith("77")).toList();
    try (Shop shop = shop()) {
      log(shop, MANY);
      assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
      LedgerSnapshot account = shop.account();
      assertThat(account.offered()).isEqualTo(MANY + account.reports());
      assertThat(account.delivered() + account.dropped() + account.inFlight())
          .isEqualTo(account.offered());
      assertThat(account.dropped(DropReason.REFUSED)).isEqualTo(MANY - good.size());
      assertThat(shop.problems())
          .filteredOn(text -> !text.contains("; it fails, see its log"))
          .hasSize(MANY - good.size())
          .allMatch(text -> text.contains("refuses an event of"))
          .allMatch(text -> text.contains("(HTTP " + status + ": bad record)"));
    }
    List<String> ours = collector.bodies().stream().filter(body -> body.contains("[for")).toList();
    assertThat(ours).hasSize(MANY - good.size()).allMatch(body -> body.contains("bad record"));
    assertThat(collector.bodies())
        .filteredOn(body -> !ours.contains(body) && !body.startsWith("Forebay: "))
        .isEqualTo(good);
    assertThat(setAside()).contains("event 77\n", "event 977\n");
  }

  private String setAside() throws IOException {
    try (Stream<Path> files = Files.walk(spool)) {
      Path file =
          files.filter(path -> path.toString().contains("refused")).findFirst().orElseThrow();
      return Files.readString(file, StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 500})
  void whereAllIsRefusedAllWaits(int status) {
    collector.answer(request -> Reply.of(status, "no tenant"));
    try (Shop shop = shop()) {
      log(shop, MANY);
      String why = status == 500 ? "fails" : "refuses a record of our own, too";
      shop.awaitProblem("HTTP %d: no tenant; it %s, see its log".formatted(status, why));
      int before = collector.requests().size();
      collector.awaitRequests(before + 8);
      assertThat(shop.account().dropped()).isZero();
      collector.answer(request -> Reply.TAKEN);
      assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
      assertThat(collector.bodies())
          .filteredOn(body -> !body.startsWith("[forebay]")) // may be the first that is taken
          .isEqualTo(events(MANY));
      assertThat(shop.account().delivered()).isEqualTo(MANY);
    }
  }

  /** The next requests are smaller at once. */
  @Test
  void aLimitOnBytesIsLearned() {
    collector.answer(
        request -> request.logs().getSerializedSize() > 100_000 ? Reply.of(413, "") : Reply.TAKEN);
    try (Shop shop = shop()) {
      log(shop, 10_000);
      requireAll(shop, 10_000);
      assertThat(shop.problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Long.MAX_VALUE})
  void whatIsTakenInPartIsCountedAndNotSentAgain(long rejected) {
    collector.answer(
        request ->
            request.bodies().contains("event 0")
                ? Reply.partial(rejected, "too old")
                : Reply.TAKEN);
    try (Shop shop = shop()) {
      log(shop, 1);
      assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
      shop.log.info("event 1");
      assertThat(shop.appender.flush(Duration.ofSeconds(20))).isTrue();
      assertThat(shop.account().dropped(DropReason.REFUSED)).isOne();
      assertThat(collector.bodies()).containsOnlyOnce("event 0", "event 1");
      assertThat(shop.problems())
          .singleElement()
          .asString()
          .contains("refuses 1 of 1 events of a request, which are lost: too old");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-protobuf", "application/json", "text/plain", ""})
  void anAnswerNeedNotBeAMessage(String type) {
    collector.answer(request -> new Reply(200, type, new byte[] {10, 127, 1, -1, -1, 3}));
    try (Shop shop = shop()) {
      log(shop, MANY);
      requireAll(shop, MANY);
      assertThat(shop.problems()).isEmpty();
    }
  }

  @Test
  void aPageIsNoReceivers() {
    collector.answer(request -> new Reply(200, "text/html; charset=utf-8", new byte[] {'<'}));
    try (Shop shop = shop()) {
      log(shop, 1);
      shop.awaitProblem("HTTP 200: a page; check <endpoint>");
      assertThat(shop.account().delivered()).isZero();
    }
  }

  @Test
  void aRedirectIsRefused() {
    collector.answer(
        request ->
            Reply.of(307, "", "Location", "https://user:pass@elsewhere.example/v1/logs?key=k1"));
    try (Shop shop = shop()) {
      log(shop, 1);
      shop.awaitProblem(
          "HTTP 307: to https://elsewhere.example/v1/logs; redirects are refused, write that place"
              + " as <endpoint>");
      assertThat(shop.told(Status.INFO))
          .noneMatch(text -> text.contains("pass") || text.contains("k1"));
    }
    assertThat(collector.bodies()).isEmpty();
  }

  /** The answer is lost: at most that one request is repeated, with the same identifiers. */
  @Test
  void aCutConnectionRepeatsOneRequest() {
    AtomicInteger cuts = new AtomicInteger(1);
    collector.answer(request -> cuts.getAndDecrement() > 0 ? null : Reply.TAKEN);
    try (Shop shop = shop()) {
      log(shop, MANY);
      requireAll(shop, MANY);
    }
    List<String> first = collector.requests().get(0).uids();
    assertThat(collector.requests().get(1).uids()).startsWith(first.toArray(String[]::new));
  }

  @Test
  void nobodyThereIsWaitedFor() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (Shop shop = Shop.start(spool, "http://localhost:" + port + "/v1/logs")) {
      log(shop, MANY);
      shop.awaitProblem("cannot write collector localhost:" + port + "/v1/logs");
      shop.awaitProblem("no answer: ConnectException");
      assertThat(shop.account().dropped()).isZero();
      try (Collector late = Collector.start(port)) {
        late.awaitRecords(MANY);
        assertThat(late.bodies()).isEqualTo(events(MANY));
      }
    }
  }

  /** A stop does not wait; the next start sends all of it, with the same identifiers. */
  @Test
  void aCollectorThatHangsKeepsNobody() throws IOException {
    collector.hang();
    List<String> uids;
    try (Shop shop =
        Shop.start(
            spool,
            to -> {
              to.setEndpoint(collector.endpoint());
              to.setTimeout("100 ms");
            },
            Map.of())) {
      log(shop, MANY);
      shop.awaitProblem("no answer within 100 ms");
      long beginNs = System.nanoTime();
      shop.context.stop();
      assertThat(Duration.ofNanos(System.nanoTime() - beginNs)).isLessThan(Duration.ofSeconds(5));
      assertThat(shop.account().inFlight()).isEqualTo(MANY);
      uids = collector.requests().get(0).uids();
    }
    int port = collector.port();
    collector.close();
    try (Collector next = Collector.start(port);
        Shop again = Shop.start(spool, next.endpoint())) {
      next.awaitRecords(MANY);
      assertThat(next.bodies()).isEqualTo(events(MANY));
      assertThat(next.uids()).startsWith(uids.toArray(String[]::new));
      again.log.info("and on");
      next.awaitRecords(MANY + 1);
    }
  }

  @Test
  void anInterruptStopsNothing() {
    try (Shop shop = shop()) {
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("forebay-shipper"))
          .forEach(Thread::interrupt);
      log(shop, MANY);
      requireAll(shop, MANY);
      assertThat(shop.problems()).isEmpty();
    }
  }

  /** While it answers, a stop leaves nothing. */
  @Test
  void aStopSendsTheRest() {
    try (Shop shop = shop()) {
      log(shop, MANY);
    }
    assertThat(collector.bodies()).isEqualTo(events(MANY));
  }

  @Test
  void proxiesAreUsed() {
    try (Shop shop =
        Shop.start(
            spool,
            to -> {
              to.setEndpoint("http://nowhere.invalid:4318/v1/logs");
              to.setProxy("localhost:" + collector.port());
            },
            Map.of())) {
      log(shop, 1);
      collector.awaitRecords(1);
    }
    assertThat(collector.requests().get(0).headers().getFirst("Host"))
        .startsWith("nowhere.invalid");
  }
}
