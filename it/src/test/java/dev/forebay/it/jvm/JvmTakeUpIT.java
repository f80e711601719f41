package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
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

  @Test
  void aPipeOfAnotherUserUnderTheNameOfAnArchiveHoldsUpNobody() throws Exception {
    Path spool = lives.places().spool();
    Files.setPosixFilePermissions(spool, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (int archive = 0; archive < 3; archive++) {
      plantPipe(spool.resolve("theirs.log." + archive));
    }
    try (JvmLives.Life life = lives.start("beside", JvmLives.TAKEN_UP, 60, 5, "stop")) {
      assertThat(life.awaitEnd()).as(life.output()).isZero();
      assertThat(life.report("status"))
          .contains("is not shipped, since others may plant files there");
    }
    assertThat(pauses(lives.log()))
        .as("of an output of our own, to the end")
        .isNotEmpty()
        .isEqualTo(lastOf(pauses(spool.resolve("beside.truth")), pauses(lives.log()).size()));
  }

  /** Which collections a log tells of, by what begins each. */
  private static List<String> pauses(Path log) throws Exception {
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains("gc,start"))
        .map(line -> line.replaceFirst(".*(GC\\(\\d+\\)).*", "$1"))
        .toList();
  }

  private static List<String> lastOf(List<String> lines, int count) {
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }

  /** As nobody, where we may be somebody else. */
  private static void plantPipe(Path path) throws Exception {
    List<String> command = new ArrayList<>();
    if (Files.getAttribute(path.getParent(), "unix:uid").equals(0)) {
      command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    command.addAll(List.of("mkfifo", path.toString()));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
