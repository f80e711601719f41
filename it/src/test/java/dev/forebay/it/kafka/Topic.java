package dev.forebay.it.kafka;

import static java.util.stream.Collectors.summingLong;

import dev.forebay.host.Await;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * A topic seen by its administrator.
 *
 * @param servers brokers that answer without a password
 */
record Topic(String servers, String name) {

  /** What an administrator does. */
  interface Order<T> {
    T given(Admin admin) throws Exception;
  }

  <T> T ask(Order<T> order) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      return order.given(admin);
    }
  }

  /** Makes it, with so many partitions and settings of its own. */
  Topic create(int partitions, Map<String, String> settings) throws Exception {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
    ask(admin -> admin.createTopics(List.of(topic.configs(settings))).all().get());
    return this;
  }

  /** Makes it, with one partition. */
  Topic create() throws Exception {
    return create(1, Map.of());
  }

  void delete() throws Exception {
    ask(admin -> admin.deleteTopics(List.of(name)).all().get());
  }

  /** Where each partition ends, when no transaction is open in it any more. */
  Map<TopicPartition, Long> settledEnd() throws Exception {
    return ask(
        admin -> {
          List<TopicPartition> partitions = partitions(admin);
          Await.until(
              "no transaction is open in " + name,
              () ->
                  end(admin, partitions, IsolationLevel.READ_COMMITTED)
                      .equals(end(admin, partitions, IsolationLevel.READ_UNCOMMITTED)));
          return end(admin, partitions, IsolationLevel.READ_COMMITTED);
        });
  }

  private List<TopicPartition> partitions(Admin admin)
      throws ExecutionException, InterruptedException {
    return partitions(admin, name);
  }

  private static List<TopicPartition> partitions(Admin admin, String... names)
      throws ExecutionException, InterruptedException {
    return admin.describeTopics(List.of(names)).allTopicNames().get().values().stream()
        .flatMap(
            topic ->
                topic.partitions().stream()
                    .map(partition -> new TopicPartition(topic.name(), partition.partition())))
        .toList();
  }

  /**
   * What was ever written into each of these, at one moment: records, and a marker for each
   * transaction and partition.
   */
  static Map<String, Long> written(Admin admin, String... names)
      throws ExecutionException, InterruptedException {
    return end(admin, partitions(admin, names), IsolationLevel.READ_UNCOMMITTED).entrySet().stream()
        .collect(
            Collectors.groupingBy(end -> end.getKey().topic(), summingLong(Map.Entry::getValue)));
  }

  /** Bytes of its replicas on all brokers. */
  long bytes() throws Exception {
    return ask(
        admin -> {
          List<Integer> brokers =
              admin.describeCluster().nodes().get().stream().map(Node::id).toList();
          return admin.describeLogDirs(brokers).allDescriptions().get().values().stream()
              .flatMap(directories -> directories.values().stream())
              .flatMap(directory -> directory.replicaInfos().entrySet().stream())
              .filter(replica -> replica.getKey().topic().equals(name))
              .mapToLong(replica -> replica.getValue().size())
              .sum();
        });
  }

  /** Where what can be read ends, in its first partition; more than it has records. */
  long readable() throws Exception {
    List<TopicPartition> first = List.of(new TopicPartition(name, 0));
    return ask(admin -> end(admin, first, IsolationLevel.READ_COMMITTED).get(first.get(0)));
  }

  private static Map<TopicPartition, Long> end(
      Admin admin, Collection<TopicPartition> partitions, IsolationLevel level)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> latest =
        partitions.stream()
            .collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.latest()));
    Map<TopicPartition, ListOffsetsResultInfo> ends =
        admin.listOffsets(latest, new ListOffsetsOptions(level)).all().get();
    return ends.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().offset()));
  }
}
