package dev.forebay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** When meters come and go, and in which registries. */
class BoundMetersTest extends MetersRig {

  @Test
  void aDropBeforeTheBindingHasItsMeterAtOnce() throws Exception {
    configure(file("FILE", ""));
    tiered("FILE").stop();
    root.error("early");
    metrics.bindTo(registry);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "ERROR")).isEqualTo(1);
  }

  @Test
  void metersFollowAReconfiguration() throws Exception {
    metrics.bindTo(registry);
    assertThat(registry.getMeters()).isEmpty();
    configure(file("FIRST", ""));
    root.info("one");
    flush();
    clock.advance();
    assertThat(events("FIRST", "delivered")).isEqualTo(1);
    context.reset();
    assertThat(registry.getMeters()).isEmpty();
    configure(file("SECOND", RECORDER));
    assertThat(appenders(registry)).containsExactly("SECOND");
    root.info("two");
    flush();
    clock.advance();
    assertThat(events("SECOND", "delivered")).isEqualTo(1);
  }

  @Test
  void metersFollowAConfigurationWithoutAReset() throws Exception {
    configure(file("FIRST", ""));
    metrics.bindTo(registry);
    configure(file("SECOND", ""));
    assertThat(appenders(registry)).containsExactlyInAnyOrder("FIRST", "SECOND");
  }

  @Test
  void metersGoWithTheContext() throws Exception {
    configure(file("FILE", RECORDER));
    metrics.bindTo(registry);
    tiered("FILE").stop();
    root.info("refused");
    clock.advance();
    assertThat(events("FILE", "dropped")).isEqualTo(1);
    context.stop();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void metersComeBackWithAContextThatIsStartedAgain() throws Exception {
    configure(file("FIRST", ""));
    metrics.bindTo(registry);
    context.stop();
    context.start();
    configure(file("SECOND", ""));
    assertThat(appenders(registry)).containsExactly("SECOND");
    context.stop();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void closeRemovesTheMetersForGood() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
    configure(file("OTHER", ""));
    assertThat(registry.getMeters()).isEmpty();
    metrics.close();
  }

  @Test
  void aReadingAfterTheEndAddsNoMeter() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    Meter kept = registry.get("forebay.offered").meter();
    metrics.close();
    tiered("FILE").stop();
    root.info("refused");
    clock.advance();
    assertThat(value(kept)).isEqualTo(1);
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void twoRegistriesCountAlike() throws Exception {
    MeterRegistry second = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    configure(file("FILE", RECORDER));
    metrics.bindTo(registry);
    metrics.bindTo(second);
    root.info("one");
    flush();
    clock.advance();
    assertThat(second.get("forebay.offered").functionCounter().count()).isEqualTo(1);
    assertThat(value("forebay.offered")).isEqualTo(1);
    assertThat(second.getMeters()).hasSameSizeAs(registry.getMeters());
    context.stop();
    assertThat(second.getMeters()).isEmpty();
  }

  @Test
  void aCompositeRegistryPassesThemOn() throws Exception {
    CompositeMeterRegistry both = new CompositeMeterRegistry(clock);
    configure(file("FILE", ""));
    metrics.bindTo(both);
    both.add(registry);
    tiered("FILE").stop();
    root.info("refused");
    clock.advance();
    assertThat(events("FILE", "dropped")).isEqualTo(1);
    assertThat(value("forebay.dropped", "reason", "STOPPED")).isEqualTo(1);
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void aRegistryMayDenyThem() throws Exception {
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("forebay"));
    configure(file("FILE", RECORDER));
    metrics.bindTo(registry);
    assertThat(registry.getMeters()).isEmpty();
    metrics.close();
  }

  @Test
  void bindingTwiceCountsOnce() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    metrics.bindTo(registry);
    root.info("one");
    flush();
    clock.advance();
    assertThat(events("FILE", "delivered")).isEqualTo(1);
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }
}
