package dev.forebay.it.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Collector;
import dev.forebay.it.support.Documents;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Servers;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Our log files, followed by the {@code file_log} receiver of OpenTelemetry's collector. It reads
 * several files at a time, so the order of lines is not judged here.
 */
@Tag("otlp")
@Tag("nightly")
class FilelogIT {

  private static final long EARLY = 300;

  /** Lines between two looks at what is carried: fewer than a file holds. */
  private static final long ROUND = 400;

  private static final int COLLECTOR_KILLS = 5;
  private static final int TRUNCATIONS = 10;

  @AutoClose private final Places places = Places.create();
  private final Path output = places.root().resolve("carried");
  private final Lives lives = new Lives(places, rollBySizeAndTime(places.logDirectory()));

  /** Where the collector that follows the files keeps what it knows of them. */
  private final Path state = places.root().resolve("state");

  private int port;
  @AutoClose private Program backend;

  /** Another one keeps what comes. */
  @BeforeEach
  void startBackend() throws Exception {
    Collector.need();
    Files.createDirectories(state);
    port = Servers.freePort();
    backend =
        Collector.start(
            places.directory("backend"),
            """
            receivers: {otlp: {protocols: {http: {endpoint: "localhost:%d"}}}}
            %s
            service:
              telemetry: {metrics: {level: none}}
              pipelines:
                logs: {receivers: [otlp], exporters: [file]}
            """
                .formatted(port, Collector.exporter(output)));
  }

  private static String rollBySizeAndTime(Path directory) {
    return Xml.rollBySize(directory, "100KB").replace("yyyy-MM-dd", "yyyy-MM-dd_HH-mm-ss");
  }

  @ParameterizedTest
  @ValueSource(strings = {Xml.MESSAGES, Lives.LOGSTASH})
  void nothingIsMissingDoubledOrChangedAfterKillsOfTheApplication(String encoder) throws Exception {
    lives.encodedBy(encoder);
    try (Program collector = start("first")) {
      lives.liveAndDie("life0");
      lives.liveAndDie("life1");
      lives.liveToTheEnd("life2");
      end(collector);
    }
    assertThat(carried()).containsExactlyInAnyOrderElementsOf(places.lines());
    lives.requireSound(carried());
  }

  /** A new file is seen here before the next roll, and packed files are not read. */
  @Test
  void filesThatArePackedAreCarriedOnceWhereEachWasSeenBefore() throws Exception {
    String packed = Xml.rollBySize(places.logDirectory(), "100KB").replace(".log<", ".log.gz<");
    try (Program collector = start("first");
        Tiered tiered = Tiered.with(places.xml(), packed, Xml.MESSAGES)) {
      for (int round = 0; round < 10; round++) {
        tiered.log("packed", round * ROUND, ROUND).flush();
        awaitCarried((round + 1) * ROUND);
      }
      end(collector);
    }
    assertThat(LogFiles.of(places.log()).paths()).anyMatch(path -> path.toString().endsWith(".gz"));
    assertThat(carried()).containsExactlyInAnyOrderElementsOf(places.lines());
  }

  /** What is logged between the copy and the truncation, the rotation loses. */
  @Test
  void aLogThatIsCopiedAndTruncatedIsCarriedOnce() throws Exception {
    try (Program collector = start("first");
        Tiered tiered = Tiered.with(places.xml(), Xml.MESSAGES);
        Load load = Load.on(tiered)) {
      for (int i = 0; i < TRUNCATIONS; i++) {
        Await.until("lines", () -> Files.exists(places.log()) && Files.size(places.log()) > 10_000);
        Command.run("cp", places.log().toString(), places.log() + "." + i);
        Command.run("truncate", "-s", "0", places.log().toString());
      }
      load.requireGoingOn().stop();
      tiered.log("fresh", 0, 10).flush();
      end(collector);
      assertThat(carried()).doesNotHaveDuplicates().containsAll(wholeLines());
      Oracle.Verdict verdict =
          load.oracle()
              .producer("fresh", 10, 10)
              .dropped(load.offered()) // by the rotation, and counted by nobody
              .judge(Lives.byNumber(carried()));
      assertThat(verdict.faults()).isEmpty();
    }
  }

  /** Those that it has read since it last wrote down where it is come again. */
  @Test
  void nothingIsMissingAfterKillsOfTheCollectorThatRepeatLines() throws Exception {
    try (Child child = lives.begin("life0", Long.MAX_VALUE)) {
      for (int kill = 0; kill < COLLECTOR_KILLS; kill++) {
        try (Program collector = start("killed" + kill)) {
          awaitCarried(carried().size() + EARLY);
          collector.kill();
        }
        long offered = child.progress().offered(0);
        child.awaitOffered(0, offered + Lives.LENGTH / 3); // rolls meanwhile
      }
      lives.kill(child);
    }
    try (Program collector = start("last")) {
      lives.liveToTheEnd("life1");
      end(collector);
    }
    lives.requireSound(new HashSet<>(carried()));
  }

  @Test
  void nothingIsMissingOrDoubledAfterAPauseOfTheCollectorInWhichFilesAreRolled() throws Exception {
    try (Program collector = start("first");
        Child child = lives.begin("life0", 3 * Lives.LENGTH)) {
      awaitCarried(EARLY);
      collector.signal("STOP");
      long offered = child.progress().offered(0);
      child.awaitOffered(0, offered + Lives.LENGTH);
      collector.signal("CONT");
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      child.tell(lives.oracle());
      end(collector);
    }
    assertThat(carried()).hasSameSizeAs(places.lines());
    lives.requireSound(carried());
  }

  /** The rest of the line is written where it was, so that the half the receiver has read fits. */
  @Test
  void aHalfLineThatTheCollectorHasReadIsMadeWholeByTheRecovery() throws Exception {
    for (int life = 0;
        life == 0 || !Files.exists(places.log()) || Files.size(places.log()) < 100;
        life++) {
      lives.liveAndDie("dead" + life); // again if it has just rolled
    }
    try (FileChannel log = FileChannel.open(places.log(), StandardOpenOption.WRITE)) {
      log.truncate(log.size() - 10); // as if it had died within its last write
    }
    try (Program collector = start("first")) {
      awaitCarried(wholeLines().size());
      lives.liveToTheEnd("life1");
      end(collector);
    }
    assertThat(carried()).hasSameSizeAs(places.lines());
    lives.requireSound(carried());
  }

  /** As the example has it, in this test's places. */
  private Program start(String name) throws IOException {
    Path example = Documents.root().resolve("src/examples/collector/file-log.yaml");
    return Collector.start(
        places.directory(name),
        Files.readString(example)
            .replace("/var/log/app", places.logDirectory().toString())
            .replace("/var/lib/otelcol/file_storage", state.toString())
            .replace("http://localhost:4318", "http://localhost:" + port)
            .replace("service:\n", "service:\n  telemetry: {metrics: {level: none}}\n"),
        "--feature-gates=stanza.synchronousLogEmitter"); // as the example says
  }

  private void awaitCarried(long lines) throws Exception {
    Await.until("carried " + lines, () -> carried().size() >= lines);
  }

  /** Waits for each line that our files hold, and lets the collector end. */
  private void end(Program collector) throws Exception {
    Collection<String> logged = wholeLines();
    boolean unused =
        Await.within(Duration.ofSeconds(20), () -> new HashSet<>(carried()).containsAll(logged));
    assertThat(collector.terminate()).as(collector.output()).isZero();
    assertThat(backend.isAlive()).as(backend.output()).isTrue();
  }

  /** Without what a file ends with that was copied, or whose writer died, within a write. */
  private List<String> wholeLines() throws IOException {
    List<String> whole = new ArrayList<>(places.lines());
    whole.removeIf(line -> line.contains("[no line feed at"));
    return whole;
  }

  private List<String> carried() throws IOException {
    return Collector.bodies(output);
  }
}
