package dev.forebay.tiered.file;

import dev.forebay.tiered.ship.Topic;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The same of a destination that is no file: the shipper's part of exactly once is its own. */
@Tag("once")
class ExactlyOnceInATopicTest extends ExactlyOnceTest {

  private final Map<Path, Topic> topics = new HashMap<>();

  @Override
  ShippingProcess process(Path round, Path base) {
    Topic topic = topics.computeIfAbsent(round, unused -> new Topic());
    return new ShippingProcess(
        disk, base, topic.of(disk), topic::lines, ShippingProcess.EVERY_SECOND);
  }
}
