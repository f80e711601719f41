import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Prints the committed lines of one service, from the first that the topic has, and goes on: {@code
 * ServiceLog localhost:9092 app-logs shop}. The lines of one instance stand in one partition, so
 * they come in order; those of several instances come as they arrive.
 */
class ServiceLog {

  public static void main(String[] arguments) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", arguments[0]);
    settings.put("isolation.level", "read_committed"); // or it prints what is sent once more
    String service = "\"service\":\"" + arguments[2] + "\""; // as tiered-kafka.xml has it
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      var partitions =
          consumer.partitionsFor(arguments[1]).stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions); // all, where readers of a group would share them
      consumer.seekToBeginning(partitions);
      while (true) {
        for (ConsumerRecord<String, String> line : consumer.poll(Duration.ofSeconds(1))) {
          if (line.value() != null && line.value().contains(service)) {
            System.out.println(line.value());
          }
        }
      }
    }
  }
}
