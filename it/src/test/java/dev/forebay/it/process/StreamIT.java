package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.StreamReader;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that write to standard output, a pipe whose reader stalls or goes away, and what the
 * next start of the same program writes.
 */
class StreamIT {

  /** What may stand there twice: a write that a pipe takes whole. */
  private static final int WRITE_BYTES = 4096;

  /** More than a pipe holds. */
  private static final int MANY = 5000;

  private static final int LIVES = 5;

  @AutoClose private final Places places = Places.create();
  private final Oracle oracle = new Oracle();

  private Child start(String name, int count, String end, String... around) throws IOException {
    Child.Task task = new Child.Task(name, 1, count, Child.EACH_CALL, 0, end);
    Path directory = places.root().resolve("service"); // a program's streams are known by it
    Path reports = Files.createDirectories(directory.resolve(name));
    List<String> command = new ArrayList<>(List.of("sh", "-c", "cd ..; exec \"$@\"", "sh"));
    command.addAll(List.of(around));
    return Child.start(task, xml(), reports, command.toArray(String[]::new));
  }

  private String xml() {
    return Xml.configuration(
        "<target>System.out</target><durability>call</durability>"
            + "<durabilityTimeout>1 minute</durabilityTimeout><spoolDirectory>%s</spoolDirectory>"
                .formatted(places.spool())
            + Xml.MESSAGES);
  }

  private StreamReader pipe(String name) throws Exception {
    return StreamReader.at(places.root().resolve(name));
  }

  /** A life that is not disturbed: all that it writes, after what others have left. */
  private List<String> next(String name) throws Exception {
    try (StreamReader pipe = pipe(name);
        Child child = start(name, 10, "stop", pipe.around())) {
      List<String> lines = pipe.open().readToEnd();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.account()).endsWith("in flight 0");
      oracle.producer(child.producer(0), 10, 10);
      return lines;
    }
  }

  /**
   * What two streams hold, without the write that ends the first and begins the second, and the
   * lines that say whose follow.
   */
  private static List<String> joined(List<String> first, List<String> next) {
    List<String> second = next.stream().filter(line -> !line.startsWith("[forebay] ")).toList();
    int twice = 0;
    int bytes = 0;
    for (int count = 1; count <= Math.min(first.size(), second.size()); count++) {
      bytes += second.get(count - 1).length() + 1;
      List<String> end = first.subList(first.size() - count, first.size());
      if (bytes <= WRITE_BYTES && end.equals(second.subList(0, count))) {
        twice = count;
      }
    }
    List<String> all = new ArrayList<>(first);
    all.addAll(second.subList(twice, second.size()));
    return all;
  }

  private void requireSpoolsGone() {
    assertThat(places.spool()).as("nothing is left").isEmptyDirectory();
  }

  @Test
  void whatAStalledReaderHasNotGotBeforeAKillIsWrittenByTheNextStart() throws Exception {
    List<String> lines;
    try (StreamReader pipe = pipe("stalled");
        Child child = start("killed", MANY, "wait", pipe.around())) {
      pipe.open();
      child.awaitOffered(0, MANY);
      Await.until("all calls returned", () -> child.progress().acked(0) == MANY);
      child.kill();
      lines = pipe.readToEnd();
      assertThat(lines).as("read").hasSizeBetween(1, MANY - 1);
      child.tell(oracle);
    }
    oracle.requireSound(joined(lines, next("restarted")));
    requireSpoolsGone();
  }

  @Test
  void afterKillsAtAnyMomentEachWriteOfALifeStandsThereAtMostTwice() throws Exception {
    Random random = new Random(Long.getLong("forebay.stream.seed", System.nanoTime()));
    List<String> lines = new ArrayList<>();
    for (int life = 0; life < LIVES; life++) {
      try (StreamReader pipe = pipe("pipe-" + life);
          Child child = start("life-" + life, 1_000_000, "wait", pipe.around())) {
        pipe.open().readLines(1 + random.nextInt(3000));
        child.kill();
        lines = joined(lines, pipe.readToEnd());
        child.tell(oracle);
      }
    }
    oracle.requireSound(joined(lines, next("last")));
    requireSpoolsGone();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "stop"})
  void anOrderlyEndWaitsForNoReaderAndLeavesTheRest(String end) throws Exception {
    List<String> lines;
    String said = "";
    try (StreamReader pipe = pipe("stalled");
        Child child = start("ended", MANY, end, pipe.around())) {
      pipe.open();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      lines = pipe.readToEnd();
      assertThat(lines).as("read").hasSizeBetween(1, MANY - 1);
      child.tell(oracle);
      if (end.equals("stop")) {
        assertThat(child.dropped()).isZero();
        assertThat(child.account()).doesNotEndWith("in flight 0");
        said = child.status();
      }
    }
    List<String> next = next("restarted");
    if (end.equals("stop")) { // as many as the next start announces
      String left = next.get(0).split(" ", 3)[1].replace(",", "");
      assertThat(said).contains(left + " events are left in the spool for the next start");
    }
    oracle.requireSound(joined(lines, next));
    requireSpoolsGone();
  }

  @Test
  void processesOfOneProgramWriteEachToItsOwn() throws Exception {
    List<List<String>> streams = new ArrayList<>();
    try (StreamReader first = pipe("first");
        StreamReader second = pipe("second");
        Child one = start("one", MANY, "stop", first.around());
        Child other = start("other", MANY, "stop", second.around())) {
      first.open();
      second.open().readLines(10); // the first stalls
      other.awaitOffered(0, MANY);
      streams.add(second.readToEnd());
      streams.add(first.readToEnd());
      assertThat(one.awaitEnd()).as(one.output()).isZero();
      assertThat(other.awaitEnd()).as(other.output()).isZero();
      one.tell(oracle);
      other.tell(oracle);
    }
    assertThat(streams.get(0)).allMatch(line -> line.startsWith("other"));
    List<String> all = joined(streams.get(0), streams.get(1)); // of "one" a part may be left
    List<String> left = next("restarted");
    oracle.requireSound(joined(all, left));
    requireSpoolsGone();
  }

  @Test
  void aReaderThatGoesAwayIsToldOnceAndTheRestWaitsForTheNext() throws Exception {
    List<String> lines;
    try (StreamReader pipe = pipe("gone");
        Child child = start("orphaned", MANY, "wait", pipe.around())) {
      pipe.open().readLines(100);
      child.signal("STOP");
      Await.until("stopped", () -> isStopped(child.pid()));
      pipe.readAvailable(); // the rest of a pipe goes with its last reader
      pipe.goAway();
      child.signal("CONT");
      Await.until("told", () -> child.status().contains("cannot write System.out"));
      Await.until("all calls returned", () -> child.progress().acked(0) == MANY);
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.status()).containsOnlyOnce("cannot write System.out");
      assertThat(child.dropped()).isZero();
      lines = pipe.lines();
      child.tell(oracle);
    }
    oracle.requireSound(joined(lines, next("restarted")));
    requireSpoolsGone();
  }

  /** Some parents leave theirs so: a write fails while the pipe is full. */
  @Test
  void aPipeThatDoesNotBlockGetsEachLineOnce() throws Exception {
    try (StreamReader pipe = pipe("nonblocking");
        Child child =
            start(
                "nonblocking",
                MANY,
                "wait",
                with(
                    pipe.around(),
                    "perl",
                    "-e",
                    "use Fcntl; fcntl(STDOUT, F_SETFL, O_WRONLY|O_NONBLOCK) or die; exec @ARGV"))) {
      pipe.open();
      Await.until("told", () -> child.status().contains("cannot write System.out"));
      pipe.readLines(MANY);
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.account()).endsWith("in flight 0");
      child.tell(oracle);
      oracle.requireSound(pipe.readToEnd());
    }
    requireSpoolsGone();
  }

  @Test
  void aTerminalShowsEachLine() throws Exception {
    try (Child child =
        start("shown", 100, "stop", "sh", "-c", "exec script -qec \"$*\" /dev/null", "sh")) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.account()).endsWith("in flight 0");
      child.tell(oracle);
      oracle.complete(0).requireSound(child.output().lines().toList());
    }
    requireSpoolsGone();
  }

  /** Each of its threads: until then one may be writing. */
  private static boolean isStopped(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false; // one has just ended
    }
  }

  private static String[] with(String[] around, String... more) {
    List<String> all = new ArrayList<>(List.of(around));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
