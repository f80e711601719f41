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
