package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same log through many lives of its machine, each ended by a power cut at a random moment:
 * what was forced is there, and nothing is doubled, torn in the middle or made of zeros.
 */
@Tag("soak")
class PowerCutIT {

  private static final int CUTS = Integer.getInteger("forebay.power.cuts", 4);

  /** For the variants, which differ from the first test in one thing each. */
  private static final int FEWER = Math.max(3, CUTS / 5);

  @Test
  void whatWasForcedOutlivesManyPowerCuts() throws Exception {
    try (PowerLives lives = PowerLives.of("rolled by size")) {
      lives.endAll(CUTS, Xml.rollBySize(lives.logDirectory(), "32KB"));
      lives.judge();
    }
  }

  @Tag("nightly")
  @Test
  void whatWasForcedOutlivesPowerCutsWhenTheSpoolDoesToo() throws Exception {
    try (PowerLives lives = PowerLives.of("spool on the same disk").keepSpool()) {
      lives.endAll(FEWER, Xml.rollBySize(lives.logDirectory(), "32KB"));
      lives.judge();
    }
  }

  @Test
  void archivesThatAreBeingCompressedOutlivePowerCuts() throws Exception {
    try (PowerLives lives = PowerLives.of("compressed by size and date").repairBeforeReading()) {
      String policy = Xml.rollBySize(lives.logDirectory(), "32KB").replace(".%i.log", ".%i.log.gz");
      lives.endAll(FEWER, policy);
      lives.judge();
    }
  }

  /**
   * Processes that log to one disk, one after the other, each ended by a power cut. Notes what the
   * cuts took.
   */
  private static final class PowerLives implements AutoCloseable {

    private static final int THREADS = 2;

    /** Every so many lives one may end before it has logged anything. */
    private static final int STARTING = 4;

    /** In the log when the first life ends, which forces none of them: its cut must take bytes. */
    private static final long UNFORCED_BYTES = 4096;

    private static final int LONGEST_LIFE_MS = 700;

    /** So many cuts, of which half may come as a life starts, just after a force, or a packing. */
    private static final int MANY = 10;

    private final String name;
    private final Places places;
    private final Mounted disk;
    private final Oracle oracle = new Oracle().mayEndTorn();
    private final long seed = Long.getLong("forebay.power.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private final List<String> warnings = new ArrayList<>();
    private final List<Long> notForced = new ArrayList<>();
    private final List<Long> lost = new ArrayList<>();

    /** Of the log and its archives, for each cut. */
    private final List<Long> takenBytes = new ArrayList<>();

    private boolean keepsSpool;
    private boolean repairs;
    private String inner = "";
    private String unforced = "";

    private PowerLives(String name, Places places, Mounted disk) {
      this.name = name;
      this.places = places;
      this.disk = disk;
    }

    static PowerLives of(String name) throws IOException {
      assumeTrue(Command.exists("perl"), "no perl: install perl (cuts the power by an ioctl)");
      Places places = Places.create();
      try {
        return new PowerLives(name, places, Mounted.disk(places, "256m"));
      } catch (IOException | RuntimeException e) { // skips too
        places.close();
        throw e;
      }
    }

    /** The spool is on the disk that is cut; otherwise a cut empties it. */
    PowerLives keepSpool() {
      keepsSpool = true;
      return this;
    }

    /** After a cut the appender has a life of its own before the log is read. */
    PowerLives repairBeforeReading() {
      repairs = true;
      return this;
    }

    /** Nobody has made it or what is above it. */
    Path logDirectory() {
      return disk.at().resolve("logs/today");
    }

    private Path log() {
      return logDirectory().resolve("app.log");
    }

    private Path spool() throws IOException {
      return keepsSpool ? Files.createDirectories(disk.at().resolve("spool")) : places.spool();
    }

    /** Lives as many lives as there are cuts. */
    void endAll(int cuts, String policy) throws Exception {
      String common =
          Xml.places(log(), spool())
              + "<segmentSize>64KB</segmentSize><appendTimeout>30 seconds</appendTimeout>"
              + Xml.MESSAGES;
      inner = common + "<fsync>100 milliseconds</fsync>" + policy;
      unforced = common + "<fsync>1 hour</fsync>"; // a file that rolls is forced, too
      disk.sync();
      for (int life = 0; life < cuts; life++) {
        liveAndEnd(life);
      }
    }

    private void liveAndEnd(int life) throws Exception {
      Child.Task task = new Child.Task("life" + life, THREADS, Long.MAX_VALUE, 700, 2, "wait");
      spool();
      String xml = Xml.configuration(life == 0 ? unforced : inner);
      try (Child child = Child.start(task, xml, places.directory("life" + life))) {
        awaitMoment(child, life);
        assertThat(child.isAlive()).as(child.output()).isTrue();
        long durable = child.progress().durableUpTo();
        long[] acked = new long[THREADS];
        Arrays.setAll(acked, child.progress()::acked);
        disk.cutPower();
        child.kill();
        long bytes = logBytes();
        long offered = 0;
        for (int thread = 0; thread < THREADS; thread++) {
          oracle.producer(child.producer(thread), acked[thread], child.progress().offered(thread));
          offered += child.progress().offered(thread);
        }
        if (!keepsSpool) {
          FileTree.delete(places.spool());
          Files.createDirectory(places.spool());
        }
        disk.mountAnew();
        takenBytes.add(Math.max(0, bytes - logBytes())); // a file may come back in place of its .gz
        if (repairs) {
          liveAfter(life);
        }
        long found = read("life" + life + "-");
        assertThat(found)
            .as("seed %d, lines of life %d, of which %d were durable", seed, life, durable)
            .isGreaterThanOrEqualTo(durable);
        notForced.add(offered - durable);
        lost.add(offered - found);
      }
    }

    private void awaitMoment(Child child, int life) throws IOException {
      if (life == 0) {
        Await.until("lines in the log: " + child.output(), () -> logBytes() >= UNFORCED_BYTES);
        return;
      }
      if (life % STARTING == STARTING - 1) {
        child.awaitUp(); // ends while it starts and recovers
      } else {
        child.awaitOffered(0, 1);
      }
      Await.pass(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MS)));
    }

    /** As the page cache has them; a disk that was cut off gives the sizes, but no bytes. */
    private long logBytes() throws IOException {
      long bytes = 0;
      for (Path file : FileTree.files(logDirectory())) {
        bytes += file.toFile().length();
      }
      return bytes;
    }

    private void liveAfter(int life) throws Exception {
      try (Tiered tiered = Tiered.with(inner)) {
        tiered.log("after" + life, 0, 3).flush();
        tiered.warnings().forEach(warning -> warnings.add("after life " + life + ": " + warning));
      }
      oracle.producer("after" + life, 3, 3);
      disk.sync();
    }

    /** Reads the log; how many lines of the producers it has whose names begin like this. */
    private long read(String prefix) throws Exception {
      List<String> lines = lines();
      oracle.seen(lines);
      return lines.stream()
          .map(Numbered::parse)
          .filter(read -> read != null && read.producer().startsWith(prefix))
          .count();
    }

    private List<String> lines() throws IOException {
      return LogFiles.of(log()).lines();
    }

    /** One more life without a cut, and then the whole history is judged. */
    void judge() throws Exception {
      try (Tiered last = Tiered.with(inner)) {
        last.log("last", 0, 10).flush();
        last.warnings().forEach(warning -> warnings.add("last life: " + warning));
      }
      oracle.producer("last", 10, 10);
      String figures = figures();
      Figures.record("power-cuts.txt", "%s", figures);
      try {
        Oracle.Verdict verdict = oracle.requireSound(lines());
        assertThat(takenBytes.get(0)).as("bytes that the first cut took").isPositive();
        if (takenBytes.size() >= MANY) {
          assertThat(verdict.lineCount()).isGreaterThan(10L * takenBytes.size());
          assertThat(cutsThatTook()).as("cuts that took bytes").isGreaterThan(MANY / 2);
        }
      } catch (AssertionError e) {
        throw new AssertionError("-Dforebay.power.seed=%d %s".formatted(seed, figures), e);
      }
    }

    private String figures() {
      return "%s: %d of %d cuts took bytes of the log: %s; events not forced before a cut: %s; of them lost: %s %s"
          .formatted(
              name,
              cutsThatTook(),
              takenBytes.size(),
              Figures.distribution(takenBytes),
              Figures.distribution(notForced),
              Figures.distribution(lost),
              warnings);
    }

    private long cutsThatTook() {
      return takenBytes.stream().filter(bytes -> bytes > 0).count();
    }

    @Override
    public void close() throws IOException {
      try (places;
          disk) {
        // The disk goes first.
      }
    }
  }
}
