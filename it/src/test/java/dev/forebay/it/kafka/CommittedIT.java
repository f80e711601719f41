package dev.forebay.it.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the oracle of a topic sees what is wrong. */
@Tag("nightly")
class CommittedIT {

  private static final String INSTANCE = "0123456789abcdef".repeat(2);

  @AutoClose private final Places places = Places.create();

  private static KafkaProducer<String, String> producer(String servers) {
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "transactional.id", "test", "linger.ms", 0),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    return producer;
  }

  private static void send(
      KafkaProducer<String, String> producer, String topic, long number, long sequence) {
    ProducerRecord<String, String> sent =
        new ProducerRecord<>(topic, "key", new Numbered("p", number).text());
    sent.headers().add("forebay-instance", INSTANCE.getBytes(UTF_8));
    sent.headers().add("forebay-sequence", String.valueOf(sequence).getBytes(UTF_8));
    var unused = producer.send(sent); // a commit would throw
  }

  private static Oracle oracle(long offered) {
    return new Oracle().producer("p", offered, offered).complete(0);
  }

  @Test
  void aHoleARepeatAndAnotherOrderAreSeen() throws Exception {
    try (Broker broker = Broker.in(places.directory("broker")).start()) {
      String[] orders = {"0,2", "0,1,1,2", "0,2,1"};
      for (String order : orders) {
        Topic topic = new Topic(broker.address(), "t" + order.replace(',', '-')).create();
        try (KafkaProducer<String, String> producer = producer(broker.address())) {
          producer.beginTransaction();
          for (String number : order.split(",", -1)) {
            send(producer, topic.name(), Long.parseLong(number), Long.parseLong(number));
          }
          producer.commitTransaction();
        }
        Committed read = Committed.of(topic);
        assertThat(read.faults(0)).as(order).hasSize(1);
        assertThatThrownBy(() -> read.requireSound(oracle(3))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> oracle(3).requireSound(read.lines()))
            .isInstanceOf(AssertionError.class);
      }
      Committed repeats = Committed.of(new Topic(broker.address(), "t0-1-1-2")).withoutRepeats();
      repeats.requireSound(oracle(3));
    }
  }
}
