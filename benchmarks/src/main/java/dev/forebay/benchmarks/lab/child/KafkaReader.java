package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads what is committed in a topic of one partition: its arguments are the broker's address and
 * the topic. It ends at the end of the topic once its standard input has ended, and prints how many
 * lines it read, how many of these it had before, and p50, p99, p99.9 and maximum of the times from
 * the call to the reader, in ns.
 */
public final class KafkaReader {

  /** Young code on both sides is no subject here. */
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(5);

  private final BitSet seen = new BitSet();
  private final Histogram delays = new Histogram(TimeUnit.HOURS.toNanos(1), 3);
  private long lines;
  private long doubled;
  private long firstNs;

  private KafkaReader() {}

  /** Reads. */
  public static void main(String[] arguments) {
    KafkaReader reader = new KafkaReader();
    Thread input = new Thread(KafkaReader::awaitEndOfInput, "input");
    input.setDaemon(true);
    input.start();
    TopicPartition partition = new TopicPartition(arguments[1], 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", arguments[0],
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      boolean isOver = false;
      while (!isOver) {
        isOver =
            !input.isAlive()
                && consumer
                    .endOffsets(List.of(partition))
                    .containsValue(consumer.position(partition));
        for (ConsumerRecord<byte[], byte[]> line : consumer.poll(Duration.ofMillis(100))) {
          reader.read(new String(line.value(), StandardCharsets.ISO_8859_1));
        }
      }
    }
    Histogram delays = reader.delays;
    System.out.printf(
        "figures %d %d %d %d %d %d%n",
        reader.lines,
        reader.doubled,
        delays.getValueAtPercentile(50),
        delays.getValueAtPercentile(99),
        delays.getValueAtPercentile(99.9),
        delays.getMaxValue());
  }

  private static void awaitEndOfInput() {
    try {
      System.in.readAllBytes();
    } catch (IOException e) {
      // The parent is gone.
    }
  }

  private void read(String line) {
    int number = line.indexOf(KafkaLog.ORDER);
    int time = line.indexOf(KafkaLog.AT, number);
    if (number < 0 || time < 0) { // not of a log call: what an appender says of itself
      return;
    }
    int order = Integer.parseInt(line, number + KafkaLog.ORDER.length(), time, 10);
    long calledNs = Long.parseLong(line, time + KafkaLog.AT.length(), line.length(), 10);
    lines++;
    if (seen.get(order)) {
      doubled++;
    }
    seen.set(order);
    firstNs = firstNs == 0 ? calledNs : firstNs;
    if (calledNs - firstNs > WARM_UP_NS) {
      delays.recordValue(Math.max(0, NanoClock.SYSTEM.nanoTime() - calledNs));
    }
  }
}
