package dev.forebay.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The standard output of a container: a pipe that Docker reads, or does not read for a while. */
@Tag("once")
class PipeIT {

  private static final String HEAP = "-Xmx64m";

  private static final String INNER =
      "<target>System.out</target><spoolDirectory>%s</spoolDirectory>".formatted(LogContainer.SPOOL)
          + Xml.MESSAGES;

  private static final int RING_EVENTS = 256;

  private static final String RING =
      "<ringBufferSize>"
          + RING_EVENTS
          + "</ringBufferSize><appendTimeout>30 seconds</appendTimeout>";

  private static final Duration STALL = Duration.ofSeconds(20);

  /**
   * Messages of a thread: more than all pipes and sockets between the container and its reader
   * hold.
   */
  private static final long MANY = 10_000;

  private static final int THREADS = 2;

  /** What Docker itself waits for before it kills. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** Of a pipe: what is written in one piece. */
  private static final int ONE_WRITE_BYTES = 4096;

  @AutoClose private final Places places = Places.create();

  @Test
  void aDaemonThatIsStoppedStopsNoLogCallAndThenHasEachLineOnce() throws Exception {
    try (Engine engine = Engine.start(places);
        LogContainer container =
            LogContainer.in(engine, places).bind(places.spool(), LogContainer.SPOOL)) {
      ChildReports life =
          container.live(
              new Child.Task("piped", THREADS, Long.MAX_VALUE, 0, 1, "released"),
              INNER + "<maxFlushTime>60 seconds</maxFlushTime>", // Docker has much to catch up on
              HEAP);
      container.awaitOffered(1_000);
      long fromNs = System.nanoTime();
      engine.freeze();
      try {
        long before = life.offered();
        boolean goesOn = // the engine answers no question meanwhile
            Await.within(
                Duration.ofMinutes(3),
                () ->
                    life.offered() > before + MANY && System.nanoTime() - fromNs > STALL.toNanos());
        assertThat(goesOn).as("log calls go on: %d after %d", life.offered(), before).isTrue();
      } finally {
        engine.thaw();
      }
      CallTimes.record("dockerd stopped for 20 s", life.progress().longestCallNs());
      life.release();
      assertThat(container.awaitEnd()).as(container.output()).isZero();
      assertThat(life.status()).isEmpty();
      assertThat(life.dropped()).isZero();
      Oracle oracle = new Oracle();
      life.tell(oracle);
      oracle.complete(0).requireSound(container.output().lines().toList());
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    }
  }

  /** The process itself must end; Docker then waits for its own reader, whoever delays that. */
  @Test
  void aStopWithAFullPipeNeedsNoKillAndTheNextLifeWritesTheRest() throws Exception {
    Path socket = places.root().resolve("syslog");
    try (SyslogServer server = SyslogServer.at(socket);
        Engine engine = Engine.start(places);
        LogContainer container =
            LogContainer.in(engine, places)
                .bind(places.spool(), LogContainer.SPOOL)
                .with(
                    "--log-driver=syslog",
                    "--log-opt=syslog-address=unix://" + socket,
                    "--log-opt=tag=it")) {
      Oracle oracle = new Oracle();
      ChildReports full =
          container.live(new Child.Task("full", THREADS, MANY, 0, 0, "wait"), INNER, HEAP);
      container.awaitOffered(THREADS * MANY);
      long pid = container.pid();
      long stopNs = System.nanoTime();
      CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> container.stop(GRACE));
      Await.until("its process has ended", () -> Program.isMainThreadGone(pid));
      CallTimes.record("docker stop with a full pipe, until the end", System.nanoTime() - stopNs);
      server.read();
      stop.join();
      assertThat(container.awaitEnd()).as("of SIGTERM alone").isEqualTo(Program.TERMINATED);
      assertThat(SpoolPeek.spools(places.spool())).as("the rest").isNotEmpty();
      full.tell(oracle);
      lastLife(container).tell(oracle);
      List<String> lines = new ArrayList<>(server.awaitLines(2));
      assertThat(lines.removeIf(line -> line.contains("events are left in the spool for the next")))
          .as("on standard error, which the engine mixes in")
          .isTrue();
      oracle.complete(0).requireSound(onceEach(lines));
    }
  }

  @Test
  void aContainerThatIsKilledRepeatsOneWriteAtMostAndLosesTheRingAlone() throws Exception {
    try (Engine engine = Engine.start(places);
        LogContainer container =
            LogContainer.in(engine, places).bind(places.spool(), LogContainer.SPOOL)) {
      ChildReports busy =
          container.live(
              new Child.Task("busy", THREADS, Long.MAX_VALUE, 0, 10, "exit"), INNER + RING, HEAP);
      container.awaitOffered(MANY);
      container.kill();
      ChildReports last = lastLife(container);
      Oracle oracle = new Oracle();
      busy.tell(oracle);
      last.tell(oracle);
      Oracle.Verdict verdict = oracle.requireSound(onceEach(container.output().lines().toList()));
      assertThat(busy.offered() + last.offered() - verdict.lineCount())
          .as("only the ring's")
          .isLessThanOrEqualTo(RING_EVENTS + THREADS);
    }
  }

  /** Takes over, logs a little and stops. */
  private ChildReports lastLife(LogContainer container) throws Exception {
    ChildReports last = container.lastLife(INNER, HEAP);
    assertThat(last.status()).isEmpty();
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    return last;
  }

  /** Leaves out what stands there a second time, which may be one write. */
  private static List<String> onceEach(List<String> lines) {
    Set<String> seen = new HashSet<>();
    List<String> once = new ArrayList<>();
    int again = 0;
    for (String line : lines) {
      if (seen.add(line)) {
        once.add(line);
      } else {
        again += line.length() + 1;
      }
    }
    assertThat(again).as("bytes twice").isLessThanOrEqualTo(ONE_WRITE_BYTES);
    return once;
  }
}
