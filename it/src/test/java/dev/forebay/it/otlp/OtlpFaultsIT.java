package dev.forebay.it.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.otlp.Receiver.Received;
import dev.forebay.it.support.Collector;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a collector does to those who send to it. */
@Tag("otlp")
@Tag("nightly")
class OtlpFaultsIT {

  /** Something happens, and ends. */
  private interface Fault {
    void happen(Tiered tiered, Load load) throws Exception;
  }

  private interface Order {
    void given() throws Exception;
  }

  @AutoClose private final Places places = Places.create();

  /** Two threads log before, during and after it; nothing is lost. All that came. */
  private List<Received> through(Receiver receiver, String elements, Fault fault) throws Exception {
    Oracle oracle;
    try (Tiered tiered = Tiered.with(elements);
        Load load = Load.on(tiered)) {
      fault.happen(tiered, load);
      load.awaitMore(100).stop();
      tiered.log("fresh", 0, 10).flush();
      assertThat(tiered.snapshot().dropped()).isZero();
      oracle = load.oracle().producer("fresh", 10, 10).complete(0);
    }
    List<Received> all = receiver.records();
    oracle.requireSound(all.stream().distinct().map(Received::body).toList());
    return all;
  }

  /** While it takes nothing, which is reported, events wait; then each comes once. */
  private void throughRefusals(Receiver receiver, String elements, Order repair, String... report)
      throws Exception {
    List<Received> all =
        through(
            receiver,
            elements,
            (tiered, load) -> {
              boolean unused =
                  Await.within(
                      Duration.ofSeconds(30),
                      () -> tiered.problems().stream().anyMatch(text -> isLike(text, report)));
              assertThat(tiered.problems()).anyMatch(text -> isLike(text, report));
              int before = receiver.records().size();
              load.requireGoingOn(Duration.ofSeconds(2), 500);
              assertThat(receiver.records()).hasSize(before);
              receiver.kill();
              repair.given();
            });
    assertThat(all).doesNotHaveDuplicates();
  }

  private static boolean isLike(String text, String... parts) {
    return Stream.of(parts).allMatch(text::contains);
  }

  @Test
  void aCollectorThatStandsStillForHalfAMinuteStopsNobody() throws Exception {
    try (Receiver receiver = Receiver.in(places).start()) {
      List<Received> unused =
          through(
              receiver,
              receiver.elements(),
              (tiered, load) -> {
                receiver.awaitRecords(100);
                receiver.program().signal("STOP");
                load.requireGoingOn(Duration.ofSeconds(30), 1_000);
                receiver.program().signal("CONT");
                tiered.calls().record("collector stopped for 30 s");
              });
    }
  }

  @Test
  void aCollectorThatIsAwayGetsAllWhenItIsBack() throws Exception {
    try (Receiver receiver = Receiver.in(places).start()) {
      List<Received> unused =
          through(
              receiver,
              receiver.elements(),
              (tiered, load) -> {
                receiver.awaitRecords(100);
                receiver.kill();
                load.requireGoingOn(Duration.ofSeconds(5), 1_000);
                receiver.start();
              });
    }
  }

  @Test
  void eventsWaitForACollectorWhoseMemoryLimiterRefusesThem() throws Exception {
    Collector.need();
    try (Receiver receiver = Receiver.in(places)) {
      String limiter = "memory_limiter: {check_interval: 100ms, limit_mib: 1}";
      receiver.startCollector("", limiter, "memory_limiter");
      throughRefusals(receiver, receiver.elements(), receiver::start, "HTTP 503", "not ready");
    }
  }

  @Test
  void eventsWaitForACollectorThatTakesNoLogsAtThisPath() throws Exception {
    Collector.need();
    try (Receiver receiver = Receiver.in(places)) {
      receiver.startCollector("logs_url_path: /elsewhere", "", "");
      throughRefusals(receiver, receiver.elements(), receiver::start, "HTTP 404", "check the path");
    }
  }

  @Test
  void eventsWaitForACollectorThatShowsACertificateOfAnother() throws Exception {
    Collector.need();
    try (Receiver receiver = Receiver.in(places)) {
      Certificate right = Certificate.in(places.directory("right"));
      receiver.startCollector(Certificate.in(places.directory("wrong")).tls(), "", "");
      throughRefusals(
          receiver,
          receiver.elements("https", "<caCertificate>" + right.certificate() + "</caCertificate>"),
          () -> receiver.startCollector(right.tls(), "", ""),
          "no answer",
          "PKIX");
    }
  }
}
