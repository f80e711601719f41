package dev.forebay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.tiered.AppenderBeans;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the meters of an appender count, all at one moment. */
class ForebayMetricsTest extends MetersRig {

  @Test
  void theOutcomesAddUpToWhatWasOfferedWithEveryFeatureOn() throws Exception {
    configure("RING", file("FILE", RECORDER), RING);
    metrics.bindTo(registry);
    for (int i = 0; i < 100; i++) {
      root.trace("recorded");
      root.info("delivered");
    }
    root.error("dumped");
    flush();
    Await.until("a dump", () -> AppenderBeans.of(tiered("FILE")).getAccount().get("dumps") == 1);
    tiered("FILE").stop();
    root.warn("refused");
    flush();

    requireLaw("RING");
    requireLaw("FILE");
    assertThat(value("forebay.offered", "appender", "RING")).isBetween(202.0, 203.0);
    assertThat(events("FILE", "delivered")).isBetween(101.0, 102.0); // a line names the dump
    assertThat(events("FILE", "expired")).isEqualTo(100);
    assertThat(events("RING", "dropped")).isBetween(1.0, 2.0); // a line reports the drop
    assertThat(value("forebay.dumps", "appender", "FILE", "outcome", "written")).isEqualTo(1);
    assertThat(value("forebay.dumped", "appender", "FILE")).isEqualTo(201);
    assertThat(registry.getMeters())
        .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank())
        .allSatisfy(meter -> assertThat(meter.getId().getTag("app")).isEqualTo("a"));
  }

  @Test
  void oneReadingIsOfOneMomentWhileOthersLog() throws Exception {
    String small = RECORDER + "<ringBufferSize>2</ringBufferSize>";
    configure("RING", file("FILE", small), RING);
    metrics.bindTo(registry);
    Thread logs =
        new Thread(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                root.debug("recorded");
                root.info("delivered");
              }
            });
    logs.start();
    do {
      clock.add(SECOND);
      requireLaw("RING");
      requireLaw("FILE");
    } while (logs.isAlive());
    flush();
    requireLaw("RING");
    assertThat(value("forebay.offered", "appender", "RING")).isGreaterThanOrEqualTo(40_000);
    assertThat(value("forebay.inflight", "appender", "RING")).isZero();
  }

  @Test
  void aReadingEndsWithAPauseOrAfterASecond() throws Exception {
    configure("FILE", file("FILE", ""));
    metrics.bindTo(registry);
    tiered("FILE").stop();
    for (int ms = 0; ms < 990; ms += 90) {
      root.info("between");
      assertThat(value("forebay.offered")).isZero();
      requireLaw("FILE");
      clock.add(Duration.ofMillis(90));
    }
    clock.add(Duration.ofMillis(90));
    assertThat(value("forebay.offered")).isEqualTo(11);
    root.info("after");
    clock.add(Duration.ofMillis(100));
    assertThat(value("forebay.offered")).isEqualTo(12);
  }

  @Test
  void dropsAreSplitByReasonAndLevelAndASpoolInTheHeapIsDegraded() throws Exception {
    configure("FILE", file("FILE", "<spoolDirectory>/proc/none</spoolDirectory>"));
    tiered("FILE").stop();
    root.error("before the binding");
    metrics.bindTo(registry);
    assertThat(value("forebay.degraded")).isEqualTo(1);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "ERROR")).isEqualTo(1);
    root.warn("one");
    root.warn("two");
    clock.add(SECOND);
    assertThat(events("FILE", "dropped")).isEqualTo(3);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "WARN")).isEqualTo(2);
    assertThat(registry.find("forebay.dropped").meters()).hasSize(2);
  }

  /** So that no alert of drops fires. */
  @Test
  void whatALimitRefusesIsAnOutcomeOfItsOwn() throws Exception {
    configure("FILE", file("FILE", "<limit><perSecond>1</perSecond></limit>"));
    metrics.bindTo(registry);
    assertThat(events("FILE", "limited")).isZero();
    for (int i = 0; i < 10_000; i++) {
      root.info("over and over");
    }
    flush();
    requireLaw("FILE");
    assertThat(events("FILE", "limited")).isPositive();
    assertThat(events("FILE", "dropped")).isZero();
    assertThat(value("forebay.dropped", "reason", "LIMITED", "level", "INFO"))
        .isEqualTo(events("FILE", "limited"));
  }

  @Test
  void onlyWhatIsConfiguredHasMeters() throws Exception {
    String seen = file("SEEN", "<control>false</control>");
    configure("RING SEEN", file("FILE", ""), RING, seen);
    tiered("SEEN").setName("FILE");
    metrics.bindTo(registry);
    assertThat(value("forebay.degraded")).isZero();
    assertThat(names("RING")).doesNotContain("forebay.spool", "forebay.dumps", "forebay.jvm.lost");
    assertThat(names("FILE"))
        .isEqualTo(names("FILE-2"))
        .contains("forebay.spool", "forebay.spool.limit", "forebay.longest.wait")
        .doesNotContain("forebay.dumps", "forebay.recorder", "forebay.jvm.lost");
  }
}
