package dev.forebay.it.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Documents;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Our log files, followed by rsyslog's {@code imfile} through rolling, kill -9 and recovery. It
 * reads several files in no certain order, so the order of lines is not judged here.
 */
@Tag("nightly")
class RsyslogIT {

  private static final String RSYSLOGD = "rsyslogd";
  private static final long EARLY = 300;

  @AutoClose private final Places places = Places.create();
  private final Path output = places.root().resolve("carried");
  private final Lives lives = new Lives(places, Xml.rollBySize(places.logDirectory(), "100KB"));

  @BeforeEach
  void needRsyslog() {
    assumeTrue(Command.exists(RSYSLOGD), "rsyslogd is needed: apt-get install rsyslog");
  }

  @ParameterizedTest
  @ValueSource(strings = {Xml.MESSAGES, Lives.LOGSTASH})
  void nothingIsMissingDoubledOrChangedAfterKillsOfTheApplication(String encoder) throws Exception {
    lives.encodedBy(encoder);
    try (Program rsyslog = start("first")) {
      lives.liveAndDie("life0");
      lives.liveAndDie("life1");
      lives.liveToTheEnd("life2");
      awaitAllCarried();
      assertThat(rsyslog.terminate()).as(rsyslog.output()).isZero();
    }
    assertThat(carried()).containsExactlyInAnyOrderElementsOf(places.lines());
    lives.requireSound(carried());
  }

  /** By itself it cuts them at 8,096 bytes, without a word. */
  @Test
  void linesAsLongAsStackTracesAreCarriedWhole() throws Exception {
    lives.encodedBy("<encoder><pattern>%msg %20000level%n</pattern></encoder>");
    try (Program rsyslog = start("first");
        Child child = lives.begin("life0", 100)) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      awaitAllCarried();
      assertThat(rsyslog.terminate()).as(rsyslog.output()).isZero();
    }
    assertThat(carried()).hasSize(100).allMatch(line -> line.length() > 20_000);
    assertThat(carried()).containsExactlyInAnyOrderElementsOf(places.lines());
  }

  /**
   * It empties its state file before it writes it. Killed in between, it reads the file that it was
   * at from the beginning; otherwise at most one line again.
   */
  @Test
  void nothingIsMissingAfterAKillOfTheCarrierThatMayReadOneFileAgain() throws Exception {
    try (Program rsyslog = start("first");
        Child child = lives.begin("life0", Long.MAX_VALUE)) {
      child.awaitOffered(0, Lives.LENGTH);
      awaitCarried(EARLY);
      rsyslog.kill();
      long offered = child.progress().offered(0);
      child.awaitOffered(0, offered + Lives.LENGTH); // rolls meanwhile
      lives.kill(child);
    }
    try (Program rsyslog = start("second")) {
      lives.liveToTheEnd("life1");
      awaitAllCarried();
      assertThat(rsyslog.terminate()).as(rsyslog.output()).isZero();
    }
    Set<String> once = new HashSet<>();
    List<String> again = carried().stream().filter(line -> !once.add(line)).toList();
    lives.requireSound(once);
    assertThat(again).doesNotHaveDuplicates();
    assertThat(filesWith(again)).as("files with doubled lines").hasSizeLessThanOrEqualTo(1);
  }

  private Set<Path> filesWith(List<String> lines) throws IOException {
    Set<Path> files = new HashSet<>();
    for (Path path : LogFiles.of(places.log()).paths()) {
      if (!Collections.disjoint(Files.readAllLines(path), lines)) {
        files.add(path);
      }
    }
    return files;
  }

  /** The rest of the line is written where it was, so that the half the carrier has read fits. */
  @Test
  void aHalfLineThatTheCarrierHasReadIsMadeWholeByTheRecovery() throws Exception {
    for (int life = 0;
        life == 0 || !Files.exists(places.log()) || Files.size(places.log()) < 100;
        life++) {
      lives.liveAndDie("dead" + life); // again if it has just rolled
    }
    try (FileChannel log = FileChannel.open(places.log(), StandardOpenOption.WRITE)) {
      log.truncate(log.size() - 10); // as if it had died within its last write
    }
    try (Program rsyslog = start("first")) {
      List<String> whole = places.lines().stream().filter(line -> !isTorn(line)).toList();
      awaitCarried(whole.size());
      lives.liveToTheEnd("life1");
      awaitAllCarried();
      assertThat(rsyslog.terminate()).as(rsyslog.output()).isZero();
    }
    requireCarriedOnce();
  }

  private Program start(String name) throws IOException {
    Path directory = places.directory(name);
    Path state = Files.createDirectories(places.root().resolve("state"));
    Path configuration = directory.resolve("rsyslog.conf");
    Files.writeString(
        configuration,
        """
        global(workDirectory="%s")
        module(load="imfile" mode="inotify")
        template(name="line" type="string" string="%%msg%%\\n")
        """
                .formatted(state)
            + recipe());
    String pid = directory.resolve("pid").toString();
    return Program.start(
        directory, List.of(RSYSLOGD, "-n", "-f", configuration.toString(), "-i", pid));
  }

  /** As the page has it, in this test's places. */
  private String recipe() throws IOException {
    String page = Documents.read("operations.md");
    String section = page.substring(page.indexOf("## Agents that follow files"));
    return section
        .lines()
        .dropWhile(line -> !line.startsWith("    "))
        .takeWhile(line -> line.startsWith("    "))
        .collect(Collectors.joining("\n", "", "\n"))
        .replace("/var/log/app", places.logDirectory().toString())
        .replace(
            "action(…)", "action(type=\"omfile\" file=\"%s\" template=\"line\")".formatted(output));
  }

  private void awaitCarried(long lines) throws Exception {
    Await.until("carried " + lines, () -> carried().size() >= lines);
  }

  /** Waits for each line that our files hold. */
  private void awaitAllCarried() throws Exception {
    Set<String> logged = new HashSet<>(LogFiles.of(places.log()).lines());
    boolean unused =
        Await.within(Duration.ofSeconds(20), () -> new HashSet<>(carried()).containsAll(logged));
  }

  private void requireCarriedOnce() throws IOException {
    List<String> carried = carried();
    lives.requireSound(carried);
    assertThat(carried).hasSameSizeAs(places.lines());
  }

  private static boolean isTorn(String line) {
    return line.contains("[no line feed at");
  }

  private List<String> carried() throws IOException {
    return Files.exists(output) ? Files.readAllLines(output) : List.of();
  }
}
