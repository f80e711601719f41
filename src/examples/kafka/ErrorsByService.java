import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;

/**
 * Counts the errors of each service with Kafka Streams, each once, whoever is killed: {@code
 * ErrorsByService localhost:9092 app-logs}. Prints {@code shop 7} when a count is new, after a kill
 * maybe once more.
 */
class ErrorsByService extends ContextualProcessor<String, String, String, String> {

  private static final byte[] ERROR = "ERROR".getBytes(UTF_8);

  /** As tiered-kafka.xml has it; in a message its quotes would be escaped. */
  private static final Pattern SERVICE = Pattern.compile("\"service\":\"([^\"]*)\"");

  @Override
  public void process(Record<String, String> line) {
    Header level = line.headers().lastHeader("level"); // so that only errors are parsed
    if (level != null && Arrays.equals(level.value(), ERROR) && line.value() != null) {
      Matcher service = SERVICE.matcher(line.value());
      if (service.find()) {
        context().forward(line.withKey(service.group(1)));
      }
    }
  }

  public static void main(String[] arguments) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(arguments[1], Consumed.with(Serdes.String(), Serdes.String()))
        .process(ErrorsByService::new)
        .groupByKey(Grouped.with("errors", Serdes.String(), Serdes.String()))
        .count(Materialized.as(Stores.persistentKeyValueStore("errors")))
        .toStream()
        .foreach((service, errors) -> System.out.println(service + " " + errors));

    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "errors-by-service");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
    // It reads committed lines only, too.
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put("session.timeout.ms", 10_000); // another goes on so long after a kill
    KafkaStreams streams = new KafkaStreams(builder.build(), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
  }
}
