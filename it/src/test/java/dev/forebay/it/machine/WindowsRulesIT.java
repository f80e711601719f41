package dev.forebay.it.machine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.WindowsDisk;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lives on a {@link WindowsDisk}: log and spool are on it, and there is nothing better. */
class WindowsRulesIT {

  private static final int ACKED = 500;

  @AutoClose private final Places places = Places.create();

  private final Oracle oracle = new Oracle();
  private final List<Child> children = new ArrayList<>();

  private Path spool() {
    return places.root().resolve("temp");
  }

  private String inner(String more) {
    return Xml.places(places.log(), spool())
        + "<segmentSize>64KB</segmentSize><appendTimeout>30 seconds</appendTimeout>"
        + Xml.FAST
        + Xml.MESSAGES
        + more;
  }

  private String rolling() {
    return Xml.rollBySize(places.logDirectory(), "100KB")
        .replace(SizeAndTimeBasedRollingPolicy.class.getName(), WindowsDisk.Rolling.class.getName())
        .replace(".%i.log", ".%i.log.gz");
  }

  private Child start(String name, long count, String end, String inner) throws IOException {
    Files.createDirectories(spool());
    Child.Task task = new Child.Task(name, 1, count, ACKED, 5, end);
    Child child =
        Child.startWith(
            List.of(WindowsDisk.OPTION), task, Xml.configuration(inner), places.directory(name));
    children.add(child);
    return child;
  }

  private void killAt(String name, long messages, String inner) throws Exception {
    try (Child child = start(name, Long.MAX_VALUE, "exit", inner)) {
      child.awaitOffered(0, messages);
      child.kill();
      child.tell(oracle);
    }
  }

  /** Its warnings. */
  private String stopAfter(String name, long messages, String inner) throws Exception {
    try (Child child = start(name, messages, "stop", inner)) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      child.tell(oracle);
      return child.status();
    }
  }

  private void requireNothingRefusedOrLeft() throws IOException {
    for (Child child : children) {
      assertThat(child.output()).doesNotContain(WindowsDisk.BREACH);
    }
    try (Stream<Path> left = Files.list(spool())) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aRolledAndPackedLogSurvivesKillsAndStopsWithEachLineOnceAndNoWarning() throws Exception {
    killAt("first", 1_500, inner(rolling()));
    killAt("second", 1_500, inner(rolling()));
    assertThat(stopAfter("third", 1_000, inner(rolling()))).isEmpty();
    requireNothingRefusedOrLeft();
    LogFiles files = LogFiles.of(places.log());
    assertThat(files.fileCount()).isGreaterThan(3);
    assertThat(oracle.requireSound(files.lines()).lines()).containsEntry("third-0", 1_000L);
  }

  @Test
  void aDumpIsWrittenByTheLivingAndForTheDead() throws Exception {
    String recorder =
        "<flightRecorder><level>INFO</level><dumpOn>INFO</dumpOn><size>256KB</size><after>0</after>"
            + "</flightRecorder>";
    killAt("first", 1_000, inner(recorder));
    try (Child child = start("second", 2_000, "wait", inner(recorder))) {
      for (String cause : List.of("crash-", "INFO")) {
        Await.until("a dump: " + cause, () -> hasDump(cause));
      }
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.status()).isEmpty();
      child.tell(oracle);
    }
    requireNothingRefusedOrLeft();
    oracle.requireSound(Files.readAllLines(places.log()));
  }

  private boolean hasDump(String cause) throws IOException {
    return DumpFiles.of(places.log()).stream().anyMatch(dump -> dump.toString().contains(cause));
  }

  @Tag("nightly")
  @Test
  void whatIsDamagedIsReplacedAndTold() throws Exception {
    killAt("first", 1_500, inner(""));
    List<Path> files;
    try (Stream<Path> all = Files.walk(spool())) {
      files = all.filter(file -> file.toString().matches(".*(checkpoint|\\.seg)")).toList();
    }
    for (Path file : files) {
      Files.writeString(file, "not ours");
    }
    assertThat(stopAfter("second", 10, inner(""))).contains("checkpoint is damaged", "suspect");
    requireNothingRefusedOrLeft();
    assertThat(places.lines()).anyMatch(line -> line.startsWith("second-0 9 "));
  }

  /** Which Windows allows if all who have it open do, as Java does. */
  @Test
  void aLogThatOthersMoveContinuesInANewFileAndWhatWasNotForcedMayStandInBoth() throws Exception {
    Path moved = places.logDirectory().resolve("moved.log");
    try (Child child = start("only", 2_000, "stop", inner(""))) {
      Await.until("written", () -> Files.exists(places.log()) && Files.size(places.log()) > 10_000);
      Files.move(places.log(), moved);
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      child.tell(oracle);
    }
    requireNothingRefusedOrLeft();
    Set<String> lines = new LinkedHashSet<>(Files.readAllLines(moved));
    lines.addAll(Files.readAllLines(places.log()));
    oracle.complete(0).requireSound(List.copyOf(lines));
  }
}
