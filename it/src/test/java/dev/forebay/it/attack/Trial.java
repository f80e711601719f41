package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.attack.Attack.Cost;
import dev.forebay.it.attack.Scenario.End;
import dev.forebay.it.attack.Scenario.Roll;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.LoggingChild;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plays a scenario and judges what it left; keeps its files if it failed. */
final class Trial implements AutoCloseable {

  private static final String NAME = "attacked";
  private static final int THREADS = 2;

  /** A thread logs so many messages, then pauses for a millisecond. */
  private static final int PACE = 5;

  /** Slots of the ring by default. */
  private static final long RING = 8192;

  private static final Duration LOAD = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Scenario scenario;
  private final Places places;
  private final Deque<Mounted> mounted = new ArrayDeque<>();
  private final List<String> faults = new ArrayList<>();
  private Path logDirectory;
  private Path spool;
  private @Nullable Mounted logDisk;

  private Trial(Scenario scenario, Places places) {
    this.scenario = scenario;
    this.places = places;
    logDirectory = places.logDirectory();
    spool = places.spool();
  }

  /** What is wrong afterwards; then its files are in a directory of this name. */
  static List<String> play(Scenario scenario, String name) throws Exception {
    try (Trial trial = new Trial(scenario, Places.create())) {
      try {
        trial.play();
      } catch (AssertionError e) {
        trial.faults.add(String.valueOf(e.getMessage()));
      }
      if (!trial.faults.isEmpty()) {
        Path kept = Path.of("target", "attack", name).toAbsolutePath();
        FileTree.delete(kept);
        Files.createDirectories(kept);
        Path reports = trial.places.root().resolve(NAME);
        for (Path left : List.of(trial.spool, trial.logDirectory, reports)) {
          Command.exitCode("cp", "-a", left.toString(), kept.toString());
        }
      }
      return List.copyOf(trial.faults);
    }
  }

  Path log() {
    return logDirectory.resolve("app.log");
  }

  Path spool() {
    return spool;
  }

  /** Puts the log on a disk that can be frozen and filled. */
  void logOnDisk() throws IOException {
    logDisk = Mounted.disk(places, "256m");
    mounted.push(logDisk);
    logDirectory = Files.createDirectory(logDisk.at().resolve("log"));
  }

  Mounted logDisk() {
    return Objects.requireNonNull(logDisk);
  }

  /** Puts the spool on a tmpfs of its own. */
  void spoolInMemory(String options) throws IOException {
    Mounted memory = Mounted.memory(places, options + ",mode=1777");
    mounted.push(memory);
    spool = memory.at();
  }

  private String inner() {
    String rolls =
        switch (scenario.roll()) {
          case NONE -> "";
          case SIZE -> Xml.rollBySize(logDirectory, "100KB");
          case GZIP -> Xml.rollBySize(logDirectory, "100KB").replace(".log<", ".log.gz<");
          case WINDOW ->
              """
              <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
                <fileNamePattern>%s/app.%%i.log</fileNamePattern><maxIndex>20</maxIndex>
              </rollingPolicy>
              <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
                <maxFileSize>2MB</maxFileSize>
              </triggeringPolicy>
              """
                  .formatted(logDirectory);
        };
    return Xml.places(log(), spool)
        + "<appendTimeout>30 seconds</appendTimeout><maxFlushTime>30 seconds</maxFlushTime>"
        + scenario.settings()
        + rolls
        + Xml.MESSAGES;
  }

  private Child.Task task() {
    String end =
        scenario.interrupts()
            ? "interrupted"
            : scenario.end() == End.EXIT || scenario.end() == End.TERM ? "exiting" : "released";
    int acknowledge = scenario.isDurable() ? Child.EACH_CALL : 0;
    return new Child.Task(NAME, THREADS, Long.MAX_VALUE, acknowledge, PACE, end);
  }

  private void play() throws Exception {
    for (Attack attack : scenario.attacks()) {
      attack.arrange(this);
    }
    Oracle oracle = new Oracle();
    long offered;
    boolean complete = scenario.end() != End.KILL;
    try (Child child = Child.start(task(), Xml.configuration(inner()), places.directory(NAME))) {
      child.awaitUp();
      strikeAll();
      requireDelivery(child);
      end(child);
      child.tell(oracle);
      offered = child.progress().offered(0) + child.progress().offered(1);
      if (scenario.end() == End.STOP) {
        oracle.dropped(child.dropped());
      } else if (complete) {
        oracle.producer(NAME + "-hook", LoggingChild.HOOK_MESSAGES, LoggingChild.HOOK_MESSAGES);
      }
    }
    try (Tiered last = Tiered.with(inner())) {
      last.log("last", 0, 10).flush();
    }
    oracle.producer("last", 10, 10);
    if (complete) {
      oracle.complete(0);
    }
    judge(oracle, offered);
  }

  private void strikeAll() throws InterruptedException {
    List<Thread> strikes = new ArrayList<>();
    for (Attack attack : scenario.attacks()) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  attack.strike(this);
                } catch (Exception | AssertionError e) {
                  synchronized (faults) {
                    faults.add(attack + ": " + e);
                  }
                }
              });
      thread.start();
      strikes.add(thread);
    }
    Await.pass(LOAD);
    for (Thread thread : strikes) {
      thread.join();
    }
  }

  /** The attacks are over: what is logged from now on gets into the log. */
  private void requireDelivery(Child child) {
    long before = child.progress().durableUpTo();
    if (!Await.within(PATIENCE, () -> child.progress().durableUpTo() > before)) {
      throw new AssertionError("nothing delivered for 30 s: " + child.output());
    }
  }

  private void end(Child child) throws Exception {
    switch (scenario.end()) {
      case KILL -> child.kill();
      case TERM -> child.signal("TERM");
      default -> child.release();
    }
    int exit = child.awaitEnd();
    int expected =
        switch (scenario.end()) {
          case KILL -> exit;
          case TERM -> Program.TERMINATED;
          default -> 0;
        };
    if (exit != expected) {
      throw new AssertionError("ended with " + exit + ": " + child.output());
    }
  }

  private void judge(Oracle oracle, long offered) throws IOException {
    Set<Cost> costs = new HashSet<>();
    scenario.attacks().forEach(attack -> costs.addAll(attack.costs(scenario.end())));
    LogFiles files = LogFiles.of(log());
    Oracle.Verdict verdict =
        oracle.judge((scenario.roll() == Roll.WINDOW ? files.numberedFromNewest() : files).lines());
    verdict.faults().stream()
        .filter(fault -> costs.stream().noneMatch(cost -> cost.explains(fault)))
        .forEach(faults::add);
    long lost = offered + 10 - verdict.lineCount();
    if (scenario.end() == End.KILL && lost > RING + THREADS && !costs.contains(Cost.LOSES)) {
      faults.add("lost: %d of %d when the process ended".formatted(lost, offered));
    }
  }

  @Override
  public void close() throws IOException {
    while (!mounted.isEmpty()) {
      mounted.pop().close();
    }
    places.close();
  }
}
