package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.access.common.PatternLayoutEncoder;
import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.core.ContextBase;
import dev.forebay.access.AccessTieredAppender;
import dev.forebay.it.support.Places;
import dev.forebay.kafka.KafkaDestination;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests in a topic. */
@Tag("kafka")
@Tag("nightly")
class KafkaAccessIT {

  @AutoClose private final Places places = Places.create();
  @AutoClose private Broker broker;

  private static IAccessEvent request(String url, long timeMs) {
    Map<String, Object> known =
        Map.of("getRequestURL", url, "getTimeStamp", timeMs, "getThreadName", "worker-1");
    return (IAccessEvent)
        Proxy.newProxyInstance(
            IAccessEvent.class.getClassLoader(),
            new Class<?>[] {IAccessEvent.class},
            (proxy, method, arguments) -> known.get(method.getName()));
  }

  @Test
  void aRequestIsThereWithItsTimeAndTheThreadThatServedIt() throws Exception {
    broker = Broker.in(places.directory("broker")).start();
    Topic topic = new Topic(broker.address(), "access").create();
    KafkaDestination destination = new KafkaDestination();
    destination.setTopic(topic.name());
    destination.setBootstrapServers(topic.servers());
    destination.setPartitionBy("thread");
    ContextBase context = new ContextBase();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%requestURL");
    encoder.start();
    AccessTieredAppender appender = new AccessTieredAppender();
    appender.setName("ACCESS");
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.setSpoolDirectory(places.spool().toString());
    appender.setDestination(destination);
    appender.start();
    long timeMs = System.currentTimeMillis() - 5_000;
    appender.doAppend(request("GET /a HTTP/1.1", timeMs));
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    appender.stop();

    assertThat(Committed.of(topic).entries())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.line()).isEqualTo("GET /a HTTP/1.1");
              assertThat(entry.timestamp()).isEqualTo(timeMs);
              assertThat(entry.key()).isEqualTo("worker-1");
            });
  }
}
