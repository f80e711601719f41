package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** JVMs whose command line puts their log on tmpfs, in a directory of theirs or of everybody. */
@Tag("jdk")
class JvmTakeUpIT {

  /** Of some files of the JVM. */
  private static final long SOME_BYTES = 400 << 10;

  @AutoClose private final JvmLives lives = new JvmLives();

  @Test
  void theLogHasAllLinesFromTheFirstOnAlsoOfAKilledJvm() throws Exception {
    Path truth = lives.places().spool().resolve("killed.truth");
    try (JvmLives.Life killed = lives.start("killed", JvmLives.TAKEN_UP, 100_000, 5, "exit")) {
      killed.awaitOpen();
      Await.until(
          "some files, " + killed.output(),
          () -> Files.size(truth) > SOME_BYTES || !killed.isAlive());
      killed.kill();
    }
    try (JvmLives.Life next = lives.start("next", JvmLives.TAKEN_UP, 60, 5, "stop")) {
      assertThat(next.awaitEnd()).as(next.output()).isZero();
      assertThat(next.report("status")).isEmpty();
    }
    assertThat(lives.requireAll()).isEqualTo(2);
    List<String> log = JvmLives.lines(lives.log());
    for (String name : List.of("killed", "next")) {
      List<String> all = JvmLives.lines(lives.places().spool().resolve(name + ".truth"));
      assertThat(log).as("begins with the JVM").contains(all.get(0), all.get(1));
    }
    assertThat(log).doesNotHaveDuplicates();
    try (Stream<Path> left = Files.list(lives.places().spool())) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }
}
