package dev.forebay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.tiered.AppenderBeans;
import org.junit.jupiter.api.Test;

/** What the meters of an appender count, all at one moment. */
class ForebayMetricsTest extends MetersRig {

  @Test
  void theOutcomesAddUpToWhatWasOfferedWithEveryFeatureOn() throws Exception {
    configure(file("FILE", RECORDER), ring("RING", "FILE"));
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
    clock.advance();

    requireLaw("RING");
    requireLaw("FILE");
    assertThat(value("forebay.offered", "appender", "RING")).isEqualTo(202);
    assertThat(events("FILE", "delivered")).isBetween(101.0, 102.0); // a line names the dump
    assertThat(events("FILE", "expired")).isEqualTo(100);
    assertThat(events("RING", "dropped")).isEqualTo(1);
    assertThat(value("forebay.dumps", "appender", "FILE", "outcome", "written")).isEqualTo(1);
    assertThat(value("forebay.dumped", "appender", "FILE")).isEqualTo(201);
  }

  @Test
  void oneReadingIsOfOneMomentWhileOthersLog() throws Exception {
    configure(file("FILE", RECORDER + "<ringBufferSize>2</ringBufferSize>"), ring("RING", "FILE"));
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
      clock.advance();
      requireLaw("RING");
      requireLaw("FILE");
    } while (logs.isAlive());
    flush();
    clock.advance();
    requireLaw("RING");
    assertThat(value("forebay.offered", "appender", "RING")).isGreaterThanOrEqualTo(40_000);
    assertThat(value("forebay.inflight", "appender", "RING")).isZero();
  }

  @Test
  void dropsAreSplitByReasonAndLevelAndAddUp() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    assertThat(registry.find("forebay.dropped").meters()).isEmpty();
    tiered("FILE").stop();
    root.info("one");
    root.warn("two");
    root.warn("three");
    clock.advance();
    assertThat(events("FILE", "dropped")).isEqualTo(3);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "INFO")).isEqualTo(1);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "WARN")).isEqualTo(2);
    assertThat(registry.find("forebay.dropped").meters()).hasSize(2);
  }

  @Test
  void onlyWhatIsConfiguredHasMeters() throws Exception {
    configure(file("FILE", ""), ring("RING", "FILE"));
    metrics.bindTo(registry);
    assertThat(names("RING")).doesNotContain("forebay.spool", "forebay.dumps", "forebay.jvm.lost");
    assertThat(names("FILE"))
        .contains("forebay.spool", "forebay.spool.limit", "forebay.recovered")
        .doesNotContain("forebay.dumps", "forebay.recorder", "forebay.jvm.lost");
  }

  @Test
  void ofTwoAppendersWithOneNameEachHasItsMeters() throws Exception {
    configure(file("FILE", ""), file("OTHER", ""));
    tiered("OTHER").setName("FILE");
    metrics.bindTo(registry);
    root.info("one");
    flush();
    clock.advance();
    assertThat(appenders(registry)).containsExactlyInAnyOrder("FILE", "FILE-2");
    requireLaw("FILE");
    requireLaw("FILE-2");
    assertThat(value("forebay.offered", "appender", "FILE-2")).isEqualTo(1);
  }

  @Test
  void aSpoolInTheHeapIsDegradedAndCounted() throws Exception {
    configure(file("FILE", "<spoolDirectory>/proc/none</spoolDirectory>"));
    metrics.bindTo(registry);
    assertThat(value("forebay.degraded")).isEqualTo(1);
    assertThat(value("forebay.spool.limit")).isPositive();
    root.info("one");
    flush();
    clock.advance();
    requireLaw("FILE");
    assertThat(events("FILE", "delivered")).isEqualTo(1);
  }

  @Test
  void anAppenderThatMayNotBeSteeredHasTheSameMeters() throws Exception {
    configure(file("STEERED", ""), file("SEEN", "<control>false</control>"));
    metrics.bindTo(registry);
    assertThat(names("SEEN")).isEqualTo(names("STEERED"));
    assertThat(value("forebay.degraded", "appender", "SEEN")).isZero();
  }

  @Test
  void everyMeterHasADescriptionAndTheTagsOfTheApplication() throws Exception {
    configure(file("FILE", RECORDER));
    metrics.bindTo(registry);
    assertThat(registry.getMeters())
        .isNotEmpty()
        .allSatisfy(
            meter -> {
              assertThat(meter.getId().getDescription()).isNotBlank();
              assertThat(meter.getId().getTag("app")).isEqualTo("a");
              assertThat(meter.getId().getTag("appender")).isEqualTo("FILE");
            });
  }

  @Test
  void aReadingSoonAfterAnotherIsOfOneMomentToo() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    for (int i = 0; i < 10; i++) {
      clock.advanceMs(60);
      requireLaw("FILE");
      root.info("between");
      flush();
      assertThat(value("forebay.offered")).isZero();
    }
    clock.advanceMs(100);
    assertThat(value("forebay.offered")).isEqualTo(10);
  }

  @Test
  void withoutAPauseTheyAreOneSecondOldAtMost() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    root.info("one");
    flush();
    for (int ms = 0; ms < 990; ms += 90) {
      assertThat(value("forebay.offered")).isZero();
      clock.advanceMs(90);
    }
    clock.advanceMs(90);
    assertThat(value("forebay.offered")).isEqualTo(1);
  }
}
