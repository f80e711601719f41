package dev.forebay.it.kafka;

import dev.forebay.it.support.Places;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Tests that share a broker, each with a topic and places of its own. */
abstract class SharedBroker {

  static Broker broker;
  private static Places brokerPlaces;

  @AutoClose final Places places = Places.create();

  @BeforeAll
  static void startBroker() throws Exception {
    brokerPlaces = Places.create();
    broker = Broker.in(brokerPlaces.directory("broker")).start();
  }

  @AfterAll
  static void stopBroker() throws Exception {
    broker.close();
    brokerPlaces.close();
  }
}
