package dev.forebay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.NonBlockingAppender;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When meters come and go, and in which registries. */
class BoundMetersTest extends MetersRig {

  @Test
  void metersFollowAReconfigurationAndTheContext() throws Exception {
    metrics.bindTo(registry);
    assertThat(appenders()).isEmpty();
    configure("FIRST", file("FIRST", RECORDER));
    root.info("one");
    flush();
    assertThat(events("FIRST", "delivered")).isEqualTo(1);
    context.reset();
    assertThat(registry.getMeters()).isEmpty();
    configure("SECOND", file("SECOND", RECORDER));
    assertThat(appenders()).containsExactly("SECOND");
    configure("THIRD", file("THIRD", RECORDER)); // without a reset
    assertThat(appenders()).containsExactlyInAnyOrder("SECOND", "THIRD");
    context.stop();
    assertThat(registry.getMeters()).isEmpty();
    context.start();
    configure("FOURTH", file("FOURTH", RECORDER));
    assertThat(appenders()).containsExactly("FOURTH");
    context.stop();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void appendersThatNoLoggerReachesHaveMetersToo() throws Exception {
    configure(
        "SIFT",
        """
        <contextListener class='dev.forebay.jvm.JvmLogAppender'>
          <file>%s/gc.log</file><spoolDirectory>%s</spoolDirectory>
        </contextListener>
        <appender name='SIFT' class='ch.qos.logback.classic.sift.SiftingAppender'>
          <discriminator><key>user</key><defaultValue>nobody</defaultValue></discriminator>
          <sift>%s</sift>
        </appender>
        """
            .formatted(dir, dir, file("OF-${user}", "")));
    metrics.bindTo(registry);
    assertThat(appenders()).containsExactly("JVM");
    assertThat(names("JVM"))
        .contains("forebay.jvm.lost", "forebay.degraded", "forebay.longest.wait");
    root.info("one");
    assertThat(value("forebay.appenders")).isEqualTo(2);
    assertThat(value("forebay.offered", "appender", "OF-nobody")).isEqualTo(1);
    context.stop();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void twoContextsWithAppendersOfOneNameHaveMetersEach() throws Exception {
    configure("FILE", file("FILE", ""));
    metrics.bindTo(registry);
    LoggerContext other = new LoggerContext();
    other.setName("other");
    NonBlockingAppender second = new NonBlockingAppender();
    second.setContext(other);
    second.setName("FILE");
    other.getLogger("a").addAppender(second);
    try (ForebayMetrics ofOther = new ForebayMetrics(other, List.of(Tag.of("app", "a")))) {
      ofOther.bindTo(registry);
      root.info("one");
      clock.add(SECOND);
      assertThat(value("forebay.offered", "context", "other")).isZero();
      assertThat(value("forebay.offered", "appender", "FILE")).isEqualTo(1);
    }
    assertThat(value("forebay.offered", "appender", "FILE")).isEqualTo(1);
  }

  @Test
  void closeRemovesTheMetersForGood() throws Exception {
    configure("FILE", file("FILE", RECORDER));
    metrics.bindTo(registry);
    FunctionCounter kept = registry.get("forebay.offered").functionCounter();
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
    tiered("FILE").stop();
    root.info("refused");
    clock.add(SECOND);
    assertThat(kept.count()).isEqualTo(1); // and adds no meter for the drop
    configure("OTHER", file("OTHER", RECORDER));
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void everyRegistryCountsAlikeHoweverOftenBound() throws Exception {
    MeterRegistry second = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    MeterRegistry third = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    CompositeMeterRegistry both = new CompositeMeterRegistry(clock, List.of(third));
    configure("FILE", file("FILE", RECORDER));
    List.of(registry, registry, second, both).forEach(metrics::bindTo);
    tiered("FILE").stop();
    root.info("refused");
    clock.add(SECOND);
    for (MeterRegistry each : List.of(registry, second, third)) {
      assertThat(each.get("forebay.offered").functionCounter().count()).isEqualTo(1);
      assertThat(each.get("forebay.dropped").functionCounter().count()).isEqualTo(1);
    }
    metrics.close();
    for (MeterRegistry each : List.of(registry, second, third)) {
      assertThat(each.getMeters()).isEmpty();
    }
  }
}
