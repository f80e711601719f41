package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Strace;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The system calls of a whole life, from the start of the JVM to its end. */
class UntouchedDiskIT {

  private static final long MESSAGES = 200;

  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void requireStrace() throws Exception {
    assumeTrue(Strace.works(), Strace.MISSING);
  }

  @Test
  void noSystemCallNamesTheLogsDiskOrHasADescriptorOfIt() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("app.log");
      assertThat(calls("plain", disk, Apart.inner(log, places.spool()))).isEmpty();
      assertThat(calls("again", disk, Apart.inner(log, places.spool()))).isEmpty();
      requireShipped(log, "plain", "again");
    }
  }

  /** A policy by time looks at its start whether the file is there, and from when. */
  @Test
  void ofAPolicyByTimeOnlyLogbacksLookAtTheFileIsSeen() throws Exception {
    requireOnly(
        Set.of("access", "stat", "newfstatat"),
        """
        <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
          <fileNamePattern>%s/app.%%d.log.gz</fileNamePattern>
          <maxHistory>10</maxHistory>
          <totalSizeCap>1GB</totalSizeCap>
        </rollingPolicy>
        """);
  }

  /** One by size lists the archives too. */
  @Test
  void ofAPolicyBySizeOnlyLogbacksLookAtItsArchivesIsSeen() throws Exception {
    requireOnly(
        Set.of("access", "stat", "newfstatat", "openat", "getdents64", "fstat", "close"),
        """
        <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
          <fileNamePattern>%s/app-%%d{yyyy-MM-dd}.%%i.log</fileNamePattern>
          <maxFileSize>100KB</maxFileSize>
        </rollingPolicy>
        """);
  }

  private void requireOnly(Set<String> allowed, String policy) throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = Files.createFile(disk.at().resolve("app.log"));
      String inner = Apart.inner(log, places.spool(), policy.formatted(disk.at()));
      List<String> calls = calls("rolling", disk, inner);
      calls.forEach(System.out::println);
      assertThat(calls).allMatch(call -> allowed.contains(name(call)));
      assertThat(calls.stream().filter(call -> call.contains(" openat(")))
          .allMatch(call -> call.contains("O_DIRECTORY"));
      requireShipped(log, "rolling");
    }
  }

  /** Of a system call, also of one that another thread's call interrupts in the trace. */
  private static String name(String call) {
    Matcher matcher = Pattern.compile("\\d+ +(?:<\\.\\.\\. )?(\\w+).*").matcher(call);
    assertThat(matcher.matches()).as(call).isTrue();
    return matcher.group(1);
  }

  private void requireShipped(Path log, String... names) throws Exception {
    try (Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
      ship.awaitDrained().end();
      assertThat(ship.shipped()).isEqualTo(names.length * MESSAGES);
    }
    Oracle oracle = new Oracle();
    for (String name : names) {
      oracle.producer(name, MESSAGES, MESSAGES);
    }
    oracle.complete(0).requireSound(LogFiles.of(log).lines());
  }

  /** That the trace would show it. */
  @Test
  void anAppenderThatShipsItselfIsSeenAtTheLogsDisk() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      String inside =
          Xml.places(disk.at().resolve("app.log"), places.spool()) + Xml.FAST + Xml.MESSAGES;
      List<String> calls = calls("inside", disk, inside);
      assertThat(calls).anyMatch(call -> call.contains("open"));
      assertThat(calls).anyMatch(call -> call.contains("fdatasync("));
    }
  }

  /** Those on the disk, of a program that logs and ends by an exit. */
  private List<String> calls(String name, Mounted disk, String inner) throws Exception {
    Path trace = places.root().resolve(name + ".trace");
    List<String> around = List.of("strace", "-f", "-qq", "-s", "0", "-y", "-o", trace.toString());
    Path directory = places.directory(name);
    try (Program program =
        EndingApp.start(directory, around, name, MESSAGES, "exit", Xml.configuration(inner))) {
      program.awaitSaid(EndingApp.LOGGED);
      assertThat(program.end()).as(program.output()).isZero();
    }
    List<String> all = Files.readAllLines(trace);
    assertThat(all).anyMatch(call -> call.contains(places.spool().toString()));
    List<String> calls = all.stream().filter(call -> call.contains(disk.at().toString())).toList();
    Figures.record(
        "apart.txt", "%s: %d of %d system calls on the log's disk", name, calls.size(), all.size());
    return calls;
  }
}
