package dev.forebay.it.process;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * One log through many lives of its process, each ended by kill -9 at a random moment, and what
 * each death cost: events that were offered and are neither in the log nor in the spool.
 */
final class KilledLives {

  private static final int THREADS = 2;

  /** A thread logs so many messages, then pauses for a millisecond. */
  private static final int PACE = 3;

  /** Every so many lives one may end before it has logged anything. */
  private static final int STARTING = 4;

  private static final int SHORTEST_LIFE_MS = 20;
  private static final int LONGEST_LIFE_MS = 700;

  /** Until a process has logged so much, it loads the classes that its threads need. */
  private static final int COLD_EVENTS = 1000;

  /** A flush is asked for after so many messages, in a life that has its events acknowledged. */
  private static final int FLUSH_EVERY = 150;

  /** The rate is that of so much time before the kill. */
  private static final Duration RATED = Duration.ofMillis(100);

  private final Places places;
  private final Path log;
  private final String configuration;
  private final Random random;
  private final Oracle oracle = new Oracle();
  private final List<Double> lost = new ArrayList<>();
  private final List<Double> lostMs = new ArrayList<>();
  private final boolean durable;
  private final Set<Path> readArchives = new HashSet<>();
  private long offered;
  private long spooled;
  private long spooledOnly;

  /**
   * No life yet.
   *
   * @param durable a call that returns counts as acknowledged
   */
  KilledLives(Places places, Path log, String configuration, Random random, boolean durable) {
    this.places = places;
    this.log = log;
    this.configuration = configuration;
    this.random = random;
    this.durable = durable;
  }

  /** Knows what must be in the log at the end. */
  Oracle oracle() {
    return oracle;
  }

  /** Events of all lives. */
  long offered() {
    return offered;
  }

  /** Records found in spools. */
  long spooled() {
    return spooled;
  }

  /** Of these, those that were not in the log. */
  long spooledOnly() {
    return spooledOnly;
  }

  /**
   * One life. Only one that is not acknowledged counts among the losses, because a thread that
   * waits for a flush logs nothing it could lose.
   *
   * @param acked whether it waits for flushes; for our appender only
   */
  void live(int number, boolean acked) throws Exception {
    try (Child child = start(number, acked)) {
      if (number % STARTING == 0) {
        child.awaitUp(); // dies while it starts and recovers
      } else {
        child.awaitOffered(0, 1);
      }
      double ratePerMs = pass(child, randomTime());
      requireAlive(child);
      child.kill();
      account(child, "life" + number + "-", ratePerMs, !acked);
    }
  }

  /** One life whose disk stands still from some moment before its end. */
  void liveWithFrozen(Mounted disk, int number) throws Exception {
    try (Child child = start(number, false)) {
      child.awaitOffered(0, 1);
      Await.pass(randomTime());
      disk.freeze();
      double ratePerMs = pass(child, randomTime());
      requireAlive(child);
      child.signal("KILL");
      disk.thaw(); // a thread that waits for the disk does not die, and its process keeps its locks
      child.awaitEnd();
      account(child, "life" + number + "-", ratePerMs, true);
    }
  }

  private Child start(int number, boolean acked) throws IOException {
    int acknowledge = durable ? Child.EACH_CALL : acked ? FLUSH_EVERY : 0;
    String name = "life" + number;
    Child.Task task = new Child.Task(name, THREADS, Long.MAX_VALUE, acknowledge, PACE, "exit");
    return Child.start(task, configuration, places.directory(name));
  }

  private static void requireAlive(Child child) {
    if (!child.isAlive()) {
      throw new AssertionError("died by itself: " + child.output());
    }
  }

  private Duration randomTime() {
    return Duration.ofMillis(SHORTEST_LIFE_MS + random.nextInt(LONGEST_LIFE_MS - SHORTEST_LIFE_MS));
  }

  /** Lets time pass; events a millisecond at the end of it. */
  private static double pass(Child child, Duration time) {
    Duration rated = time.compareTo(RATED) < 0 ? time : RATED;
    Await.pass(time.minus(rated));
    long before = offeredBy(child);
    long startNs = System.nanoTime();
    Await.pass(rated);
    long events = offeredBy(child) - before;
    return events * 1e6 / (System.nanoTime() - startNs);
  }

  private static long offeredBy(Child child) {
    long events = 0;
    for (int thread = 0; thread < THREADS; thread++) {
      events += child.progress().offered(thread);
    }
    return events;
  }

  private void account(Child child, String prefix, double ratePerMs, boolean counts)
      throws Exception {
    child.tell(oracle);
    List<String> inLog = newLines();
    List<String> inSpool = SpoolPeek.lines(places.spool(), log);
    oracle.seen(inLog).seen(inSpool);
    Set<String> found = new HashSet<>();
    inLog.stream().filter(line -> line.startsWith(prefix)).forEach(found::add);
    long logged = found.size();
    inSpool.stream().filter(line -> line.startsWith(prefix)).forEach(found::add);
    spooled += inSpool.size();
    spooledOnly += found.size() - logged;
    offered += offeredBy(child);
    if (counts && offeredBy(child) > 0) {
      long whole = found.stream().filter(line -> Numbered.parse(line) != null).count();
      lost.add((double) offeredBy(child) - whole);
      if (ratePerMs > 0 && offeredBy(child) >= COLD_EVENTS) {
        lostMs.add((offeredBy(child) - whole) / ratePerMs);
      }
    }
  }

  /** The lines of archives not read before, and of the active file. */
  private List<String> newLines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path path : LogFiles.of(log).paths()) {
      if (path.equals(log) || readArchives.add(path)) {
        String text = new String(LogFiles.content(path), StandardCharsets.UTF_8);
        text.lines().forEach(lines::add);
      }
    }
    return lines;
  }

  /** Events that the costliest death took. */
  double mostLost() {
    return lost.stream().mapToDouble(each -> each).max().orElse(0);
  }

  @Override
  public String toString() {
    return "%d offered, %d only in spools; lost by a kill: events %s; ms, once warm, %s"
        .formatted(offered, spooledOnly, distribution(lost), distribution(lostMs));
  }

  private static String distribution(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(each -> each).sorted().toArray();
    return sorted.length == 0
        ? "none"
        : String.format(
            Locale.ROOT,
            "median %.1f, p99 %.1f, max %.1f of %d",
            sorted[sorted.length / 2],
            sorted[(int) Math.ceil(0.99 * (sorted.length - 1))],
            sorted[sorted.length - 1],
            sorted.length);
  }
}
