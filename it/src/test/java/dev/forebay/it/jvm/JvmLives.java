package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The lives of {@link JvmChild}ren that share one log. Each writes a second output too, from the
 * start of its JVM on and without rotation: what that JVM really wrote.
 */
final class JvmLives implements AutoCloseable {

  static final String WHAT = "gc*=debug,safepoint=info";

  /** The process number tells lives apart. */
  static final String DECORATORS = "pid,uptimenanos,level,tags";

  /** Threads that may be between their two outputs when the process is killed. */
  private static final int WRITERS = 4;

  /** Lines that a thread may lose its processor for, between its two outputs. */
  private static final int OVERTAKEN = 500;

  /** Each output pads decorations as wide as what it has written so far. */
  private static final Pattern PADDING = Pattern.compile(" +\\](?=\\[| )");

  private final Places places = Places.create();
  private final Map<String, Path> truths = new LinkedHashMap<>();

  Path log() {
    return places.logDirectory().resolve("gc.log");
  }

  /** Waits until the output of one is open. */
  void awaitOpen(String name, Program life) {
    Await.until("open: " + life.output(), () -> told(name, "open") || !life.isAlive());
  }

  private boolean told(String name, String what) {
    return Files.exists(places.root().resolve(name).resolve(what));
  }

  /** Starts one. */
  Program start(
      String name, String memory, int collections, int pauseMs, String end, String... around)
      throws IOException {
    Path reports = places.directory(name);
    Path truth = places.spool().resolve(name + ".truth");
    truths.put(name, truth);
    List<String> command = new ArrayList<>(List.of(around));
    command.add(Program.ofJdk("java"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m"));
    command.addAll(Child.archive());
    command.add("-Xlog:%s:file=%s:%s:filecount=0".formatted(WHAT, truth, DECORATORS));
    command.addAll(List.of("-cp", Child.classPath(), JvmChild.class.getName()));
    command.addAll(
        List.of(
            log().toString(),
            places.spool().toString(),
            reports.toString(),
            memory,
            String.valueOf(collections),
            String.valueOf(pauseMs),
            end));
    return Program.start(reports, command);
  }

  /** A life that ships what all before have left, and stops. */
  void last() throws Exception {
    try (Program last = start("last", "1 MB", 3, 0, "stop")) {
      assertThat(last.awaitEnd()).as(last.output()).isZero();
    }
    assertThat(places.root().resolve("last/status")).isEmptyFile();
    try (Stream<Path> left = Files.list(places.spool())) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }

  /**
   * The log has, life by life, what that JVM wrote from some line on to the end: nothing twice,
   * nothing torn, nothing else. Lines that threads write at the same moment may stand in another
   * order in each output.
   *
   * @return how many lives are in it
   */
  int requireAll() throws IOException {
    List<String> log = lines(log());
    int next = 0;
    int lives = 0;
    for (Map.Entry<String, Path> life : truths.entrySet()) {
      List<String> truth =
          Files.exists(life.getValue()) ? lines(life.getValue()) : List.<String>of();
      int at = next < log.size() ? truth.indexOf(log.get(next)) : -1;
      if (at < 0) {
        continue; // killed before its output was open
      }
      lives++;
      int from = at;
      Set<String> early = new HashSet<>();
      while (next < log.size() && at < truth.size()) {
        if (early.remove(truth.get(at))) {
          at++;
        } else if (log.get(next).equals(truth.get(at))) {
          next++;
          at++;
        } else if (isSoon(log.get(next), truth, at) && early.add(log.get(next))) {
          next++;
        } else {
          break;
        }
      }
      List<String> after =
          truth.subList(at, truth.size()).stream().filter(line -> !early.contains(line)).toList();
      boolean endedWell = told(life.getKey(), "ended"); // and wrote more after that, perhaps
      assertThat(endedWell ? pauses(after) : after.size())
          .as(
              "%s from its line %d: after %s follows %s, and not %s",
              life.getKey(), from, log.get(next - 1), around(log, next), around(after, 0))
          .isLessThanOrEqualTo(endedWell ? 0 : WRITERS);
      while (next < log.size() && isOfKilledWriter(log.get(next), truth)) {
        next++;
      }
    }
    assertThat(next < log.size() ? log.get(next) : "").as("line %d", next).isEmpty();
    return lives;
  }

  /** The lines in the log of one life. */
  List<String> linesOf(String name) throws IOException {
    Set<String> truth = Set.copyOf(truth(name));
    return lines(log()).stream().filter(truth::contains).toList();
  }

  /** The lines of one life that end a collection it asked for, in the log or as it wrote them. */
  static List<String> askedFor(List<String> lines) {
    return lines.stream()
        .filter(line -> line.matches(".*Pause Full \\(System.gc\\(\\)\\) .*ms"))
        .toList();
  }

  /** What a life wrote. */
  List<String> truth(String name) throws IOException {
    return lines(Objects.requireNonNull(truths.get(name)));
  }

  private static boolean isSoon(String line, List<String> truth, int at) {
    return truth.subList(at, Math.min(truth.size(), at + OVERTAKEN)).contains(line);
  }

  private static int pauses(List<String> lines) {
    return (int) lines.stream().filter(line -> line.contains(" Pause ")).count();
  }

  private static List<String> around(List<String> lines, int at) {
    return lines.subList(at, Math.min(lines.size(), at + WRITERS));
  }

  /** The last line may be in one of the two outputs only, and torn in either. */
  private static boolean isOfKilledWriter(String line, List<String> truth) {
    String pid = truth.get(truth.size() - 1);
    int end = pid.indexOf(']');
    return end > 0 && line.startsWith(pid.substring(0, end)) && !truth.contains(line);
  }

  /** Without those that say where the log begins. */
  static List<String> lines(Path file) throws IOException {
    return unpadded(Files.readString(file, StandardCharsets.ISO_8859_1))
        .lines()
        .filter(line -> !line.startsWith("[forebay] the JVM's log begins here: "))
        .toList();
  }

  static String unpadded(String lines) {
    return PADDING.matcher(lines).replaceAll("]");
  }

  @Override
  public void close() throws IOException {
    places.close();
  }
}
