package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.tool.Tool;
import dev.forebay.observe.DropReason;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code forebay cat} of a spool whose records are for a topic. */
@Tag("nightly")
class KafkaToolIT {

  private static final int LINES = 50;

  @AutoClose private final Places places = Places.create();
  @AutoClose private Broker broker;

  @Test
  void itPrintsLinesThatWaitWithoutTheirAttributesAndThoseThatWereRefused() throws Exception {
    broker = Broker.in(places.directory("broker")).start();
    Topic topic = new Topic(broker.address(), "tool");
    topic.create(1, Map.of("max.message.bytes", "20000"));
    String refused = "x".repeat(50_000);
    String batches = "<producerConfig>batch.size=16384</producerConfig>";
    try (Tiered tiered = new Applications(places, broker.address(), "tool", batches).here()) {
      tiered.logger().info(refused);
      tiered.log("before", 0, 1).flush();
      Path spools = SpoolPeek.spools(places.spool()).get(0).getParent();
      assertThat(Tool.run("cat", "--refused", spools).out()).isEqualTo(refused + "\n");

      broker.kill();
      tiered.log("p", 0, LINES);
      String[] lines =
          IntStream.range(0, LINES)
              .mapToObj(i -> new Numbered("p", i).text())
              .toArray(String[]::new);
      Await.until(
          "all spooled", () -> Tool.run("cat", "--unshipped", spools).lines().size() == LINES);
      assertThat(Tool.run("cat", "--unshipped", spools).lines()).containsExactly(lines);

      broker.start();
      tiered.flush();
      assertThat(tiered.snapshot().dropped()).isEqualTo(1);
      assertThat(tiered.snapshot().dropped(DropReason.REFUSED)).isEqualTo(1);
    }
    Oracle oracle = new Oracle().producer("before", 1, 1).producer("p", LINES, LINES);
    Committed.of(topic).requireSound(oracle, 1);
  }
}
