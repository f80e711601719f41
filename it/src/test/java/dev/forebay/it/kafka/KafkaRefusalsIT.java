package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.spool.SpoolNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that the client, or brokers, do not take: those before and after go on as ever. */
@Tag("kafka")
@Tag("nightly")
class KafkaRefusalsIT extends SharedBroker {

  private static final int EVENTS = 5_000;

  private Topic topic;

  @BeforeEach
  void name(TestInfo test) {
    topic =
        new Topic(
            broker.address(), "refusals" + Integer.toHexString(test.getDisplayName().hashCode()));
  }

  private Tiered start(String inner) throws Exception {
    String elements = new Applications(places, broker.address(), topic.name(), inner).elements();
    return Tiered.with(elements.replace("50 milliseconds", "5 seconds")); // not by time
  }

  /** How often something was committed. */
  private long transactions() throws Exception {
    return topic.ask(admin -> Topic.written(admin, "__transaction_state")).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** All lines that were. */
  static List<String> setAside(Places places) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Path file : FileTree.files(places.spool())) {
      if (SpoolNames.isRefused(file)) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @ParameterizedTest
  @ValueSource(strings = {"max.request.size=20000", "max.message.bytes"})
  void oneThatIsTooLargeDoesNotMakeThoseBeforeItGoOneByOne(String limit) throws Exception {
    boolean byClient = limit.contains("=");
    topic.create(1, byClient ? Map.of() : Map.of(limit, "40000"));
    String inner = byClient ? config(limit) : config("batch.size=16384");
    try (Tiered warm = start(inner)) {
      warm.log("warm", 0, 1).flush();
      long before = transactions();
      broker.pause();
      warm.log("p", 0, EVENTS);
      warm.logger().info("x".repeat(50_000));
      warm.logger().info("y".repeat(60_000));
      warm.log("p", EVENTS, EVENTS);
      broker.goOn();
      warm.flush();
      assertThat(warm.snapshot().dropped(DropReason.valueOf("REFUSED"))).isEqualTo(2);
      assertThat(transactions() - before).isLessThan(400);
    }
    Oracle oracle = new Oracle().producer("warm", 1, 1).producer("p", 2 * EVENTS, 2 * EVENTS);
    Committed.of(topic).requireSound(oracle, 2);
    assertThat(setAside(places)).hasSize(2);
  }
}
