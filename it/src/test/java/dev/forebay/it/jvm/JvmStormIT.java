package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** JVMs that write more than their memory holds, or to one log at the same time. */
@Tag("jdk-nightly")
class JvmStormIT {

  @AutoClose private final JvmLives lives = new JvmLives();

  /** Files of 8 KB, a few of which each collection fills, without a pause. */
  @Test
  void whatAStormDeletesUnreadIsCountedWhereItIsMissing() throws Exception {
    try (JvmLives.Life storm = lives.start("storm", "128 KB", 60, 0, "stop")) {
      assertThat(storm.awaitEnd()).as(storm.output()).isZero();
      assertThat(storm.report("status")).isEmpty();
    }
    lives.requireHonest("storm");
  }

  /** The second one ships when the first has stopped. */
  @Test
  void twoJvmsWithOneLogWriteEachOfTheirLinesOnce() throws Exception {
    try (JvmLives.Life one = lives.start("one", "4 MB", 30, 20, "stop");
        JvmLives.Life other = lives.start("other", "4 MB", 30, 20, "stop")) {
      assertThat(one.awaitEnd()).as(one.output()).isZero();
      assertThat(other.awaitEnd()).as(other.output()).isZero();
    }
    lives.last();
    for (String name : List.of("one", "other")) {
      assertThat(lives.linesOf(name)).doesNotHaveDuplicates().hasSizeGreaterThan(1000);
      assertThat(lives.pausesOf(name)).isNotEmpty().isEqualTo(lives.allPausesOf(name));
    }
  }
}
