package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.observe.DropReason;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The connection breaks at each request of a transaction: before it arrives, or its answer. */
@Tag("kafka")
@Tag("nightly")
class KafkaRequestsIT {

  private static final String SOON =
      config("max.block.ms=1000", "request.timeout.ms=1000", "delivery.timeout.ms=2000");

  private static Places brokerPlaces;
  private static Wire wire;
  private static Broker broker;

  @AutoClose private final Places places = Places.create();

  @BeforeAll
  static void startBroker() throws Exception {
    brokerPlaces = Places.create();
    wire = new Wire();
    broker =
        Broker.in(brokerPlaces.directory("broker"))
            .with("advertised.listeners", "PLAINTEXT://" + wire.address())
            .start();
    wire.to(broker.port());
  }

  @AfterAll
  static void stopBroker() throws Exception {
    wire.close();
    broker.close();
    brokerPlaces.close();
  }

  static Stream<Arguments> requests() {
    return Stream.of(ApiKeys.PRODUCE, ApiKeys.TXN_OFFSET_COMMIT, ApiKeys.END_TXN)
        .flatMap(key -> Stream.of(Arguments.of(key, false), Arguments.of(key, true)));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void eachEventIsCommittedOnce(ApiKeys request, boolean afterIt) throws Exception {
    Topic topic = new Topic(wire.address(), request.name + afterIt).create();
    try (Tiered tiered = new Applications(places, wire.address(), topic.name(), SOON).here()) {
      tiered.log("before", 0, 20).flush();
      wire.breakAt(new Wire.Break(request.id, afterIt));
      tiered.log("broken", 0, 20);
      wire.awaitBroken();
      tiered.awaitWarning("topic " + topic.name());
      wire.mend();
      tiered.log("mended", 0, 20).flush();
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    Oracle oracle = new Oracle();
    for (String producer : new String[] {"before", "broken", "mended"}) {
      oracle.producer(producer, 20, 20);
    }
    Committed.of(topic).requireSound(oracle.complete(0));
  }

  @Test
  void whatWasSetAsideBeforeACommitFailsIsKeptOnce() throws Exception {
    Topic topic = new Topic(wire.address(), "set-aside").create();
    String small = SOON + config("max.request.size=20000");
    try (Tiered tiered = new Applications(places, wire.address(), topic.name(), small).here()) {
      tiered.log("before", 0, 20).flush();
      tiered.logger().info("x".repeat(50_000));
      tiered.flush(); // what the client refuses once it knows
      wire.breakAt(new Wire.Break(ApiKeys.END_TXN.id, false));
      tiered.logger().info("y".repeat(50_001));
      tiered.log("broken", 0, 20);
      wire.awaitBroken();
      tiered.awaitWarning("cannot write topic " + topic.name());
      wire.mend();
      tiered.log("mended", 0, 20).flush();
      assertThat(tiered.snapshot().dropped(DropReason.valueOf("REFUSED"))).isEqualTo(2);
      assertThat(tiered.warnings())
          .filteredOn(text -> text.contains("refuses an event"))
          .hasSize(2);
    }
    assertThat(KafkaSettingsIT.setAside(places)).hasSize(2);
  }
}
