package dev.forebay.it.attack;

import dev.forebay.host.FileTree;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Where a scenario is played: its places, what attacks arranged, and what they cost as documented.
 */
final class Field implements AutoCloseable {

  private final Scenario scenario;
  private final Path root;
  private final Places places;
  private final List<String> options = new ArrayList<>();
  private final Deque<Mounted> mounted = new ArrayDeque<>();

  /** Files in the log's directory that are not the log's. */
  private final Set<Path> strangers = ConcurrentHashMap.newKeySet();

  private final Set<String> allowed = ConcurrentHashMap.newKeySet();
  private final List<Life> lives = new CopyOnWriteArrayList<>();
  private @Nullable Mounted logDisk;
  private Path logDirectory;
  private Path spool;
  private int heapMb = 256;
  private String more = "";
  private String ring = "";

  /** In an empty directory. */
  Field(Scenario scenario, Path root) {
    this.scenario = scenario;
    this.root = root;
    places = Places.in(root);
    logDirectory = places.logDirectory();
    spool = places.spool();
  }

  /** Starts a process on this field. */
  Life start(String life) throws Exception {
    Life started = Life.start(this, life);
    lives.add(started);
    started.awaitUp();
    return started;
  }

  void killAll() {
    for (Life life : lives) {
      life.close();
    }
  }

  /** All processes so far. */
  List<Life> lives() {
    return lives;
  }

  Scenario scenario() {
    return scenario;
  }

  Path root() {
    return root;
  }

  Path logDirectory() {
    return logDirectory;
  }

  /** The log of the life that is attacked. */
  Path log() {
    return roll().log(logDirectory, Trial.ATTACKED);
  }

  Path spool() {
    return spool;
  }

  void spool(Path other) {
    spool = other;
  }

  /** A spool directory on a tmpfs of its own. */
  Mounted memory(String options) throws IOException, InterruptedException {
    Mounted memory = Mounted.memory(places, options + ",mode=1777");
    mounted.push(memory);
    spool = memory.at();
    return memory;
  }

  /** A log on a disk that can be frozen. */
  Mounted disk() throws IOException, InterruptedException {
    Mounted disk = Mounted.disk(places, "512m");
    mounted.push(disk);
    logDisk = disk;
    logDirectory = Files.createDirectory(disk.at().resolve("log"));
    return disk;
  }

  void option(String option) {
    options.add(option);
  }

  void heapMb(int megabytes) {
    heapMb = megabytes;
  }

  private boolean has(Message.Size size) {
    return scenario.sources().stream().anyMatch(source -> source.size() == size);
  }

  List<String> options() {
    List<String> all = new ArrayList<>(options);
    all.add("-Xmx" + (heapMb + (has(Message.Size.HUGE) ? 256 : 0)) + "m");
    return all;
  }

  void ringMb(int megabytes) {
    ring = "<ringBufferBytes>" + megabytes + "MB</ringBufferBytes>";
  }

  Roll roll() {
    return scenario.roll();
  }

  Set<Path> strangers() {
    return strangers;
  }

  /** The disk of the log, where an attack wanted one. */
  Mounted logDisk() {
    return Objects.requireNonNull(logDisk);
  }

  /** Configuration behind the appender. */
  void alsoConfigure(String xml) {
    more += xml;
  }

  /** Whether no attack aims at that. */
  boolean isUntouched(Attack.Target target) {
    return scenario.attacks().stream().noneMatch(attack -> attack.target() == target);
  }

  void stranger(Path file) {
    strangers.add(file);
  }

  boolean isOurs(Path file) {
    return !strangers.contains(file);
  }

  /** Documented: some lines may be missing, or stand there twice. */
  void allow(String fault) {
    allowed.add(fault);
  }

  boolean allows(String fault) {
    return allowed.contains(fault);
  }

  /** Logback's configuration of a life. */
  String xml(String life) {
    Path log = roll().log(logDirectory, life);
    boolean large = has(Message.Size.LARGE) || has(Message.Size.HUGE);
    String file = "<file>" + log + "</file>";
    String appender =
        """
        <appender name="LOG" class="dev.forebay.tiered.TieredAppender">
          %s<spoolDirectory>%s</spoolDirectory>%s%s%s
        </appender>
        """
            .formatted(
                file,
                spool,
                scenario.settings() + ring,
                roll().xml(logDirectory, large),
                Message.PATTERN);
    String second = life.equals(Trial.ATTACKED) ? more : "";
    return "<configuration>"
        + appender
        + "<logger name=\"victim\" level=\"TRACE\" additivity=\"false\">"
        + "<appender-ref ref=\"LOG\"/></logger>"
        + second
        + "</configuration>";
  }

  @Override
  public void close() throws IOException {
    killAll();
    while (!mounted.isEmpty()) {
      mounted.pop().close();
    }
    FileTree.delete(places.spool());
  }
}
