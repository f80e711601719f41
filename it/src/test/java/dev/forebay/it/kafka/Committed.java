package dev.forebay.it.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.forebay.it.support.Oracle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * What a {@code read_committed} consumer gets from a topic, from its beginning to its end at a
 * moment when no transaction is open. Judged as the lines of a log file are, and by its headers:
 *
 * <ul>
 *   <li>each spool, called instance, numbers its records from 0 without a hole, and each is there
 *       once;
 *   <li>within a partition they stand in that order;
 *   <li>a key stands in one partition.
 * </ul>
 */
final class Committed {

  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * A record.
   *
   * @param key "" for none
   * @param line its value
   */
  record Entry(
      int partition,
      String key,
      String line,
      String instance,
      long sequence,
      long timestamp,
      Map<String, String> headers) {}

  private final List<Entry> entries;

  Committed(List<Entry> entries) {
    this.entries = entries;
  }

  /** Reads all of a topic. */
  static Committed of(Topic topic) throws Exception {
    Map<TopicPartition, Long> ends = topic.settledEnd();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            topic.servers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false);
    Map<Integer, List<Entry>> byPartition = new TreeMap<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(ends.keySet());
      consumer.seekToBeginning(ends.keySet());
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<String, String> read : consumer.poll(POLL)) {
          if (read.offset() < ends.get(new TopicPartition(read.topic(), read.partition()))) {
            byPartition.computeIfAbsent(read.partition(), p -> new ArrayList<>()).add(entry(read));
          }
        }
      }
    }
    return new Committed(byPartition.values().stream().flatMap(List::stream).toList());
  }

  private static Entry entry(ConsumerRecord<String, String> read) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : read.headers()) {
      headers.put(header.key(), new String(header.value(), UTF_8));
    }
    String[] id = headers.getOrDefault("forebay-id", "-").split("-", 2);
    return new Entry(
        read.partition(),
        read.key() == null ? "" : read.key(),
        read.value(),
        id[0],
        id[1].isEmpty() ? -1 : Long.parseLong(id[1]),
        read.timestamp(),
        headers);
  }

  /** As a reader has it who leaves out what it has already: the first of each sequence. */
  Committed withoutRepeats() {
    Set<String> had = new HashSet<>();
    return new Committed(
        entries.stream().filter(entry -> had.add(entry.instance + entry.sequence)).toList());
  }

  /** Partition by partition. */
  List<Entry> entries() {
    return entries;
  }

  List<String> lines() {
    return entries.stream().map(Entry::line).toList();
  }

  int count() {
    return entries.size();
  }

  /** What is wrong with the headers, if so many records were set aside. */
  List<String> faults(long setAside) {
    List<String> faults = new ArrayList<>();
    Map<String, TreeSet<Long>> sequences = new LinkedHashMap<>();
    Map<String, Long> last = new HashMap<>();
    Map<String, Integer> partitions = new HashMap<>();
    for (Entry entry : entries) {
      if (!entry.instance.matches("[0-9a-f]{32}") || entry.sequence < 0) {
        faults.add("not ours: " + entry);
        continue;
      }
      if (!sequences.computeIfAbsent(entry.instance, i -> new TreeSet<>()).add(entry.sequence)) {
        faults.add("doubled: " + entry);
      }
      Long before = last.put(entry.partition + " " + entry.instance, entry.sequence);
      if (before != null && before > entry.sequence) {
        faults.add("disordered: behind " + before + ": " + entry);
      }
      int first = partitions.computeIfAbsent(entry.key, key -> entry.partition);
      if (first != entry.partition) {
        faults.add("key also in partition " + first + ": " + entry);
      }
    }
    long holes = sequences.values().stream().mapToLong(each -> each.last() + 1 - each.size()).sum();
    if (holes != setAside) {
      faults.add("%d sequences are missing, %d were set aside".formatted(holes, setAside));
    }
    return faults;
  }

  /** Fails unless headers and lines are sound. */
  Oracle.Verdict requireSound(Oracle oracle) {
    return requireSound(oracle, 0);
  }

  /** As the other, where records were set aside; the last of an instance does not show. */
  Oracle.Verdict requireSound(Oracle oracle, long setAside) {
    List<String> faults = faults(setAside);
    if (!faults.isEmpty()) {
      List<String> first = faults.subList(0, Math.min(faults.size(), 20));
      throw new AssertionError(
          "%d records, %d faults:%n%s"
              .formatted(entries.size(), faults.size(), String.join("\n", first)));
    }
    return oracle.requireSound(lines());
  }
}
