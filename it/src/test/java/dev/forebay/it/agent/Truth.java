package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a JVM wrote to its log in one life: a second output on tmpfs, which nothing of ours touches.
 */
final class Truth {

  static final String WHAT = "gc*=info,safepoint=info";

  /**
   * A time that no two messages share, and nothing that is padded: how wide depends on what an
   * output wrote before.
   */
  static final String DECORATORS = "uptimenanos";

  static final String BEGIN = "[forebay] the JVM's log begins here: ";

  private final Path file;

  Truth(Path file) {
    this.file = file;
  }

  /** The JVM's option. */
  String option() {
    return "-Xlog:" + WHAT + ":file=" + file + ":" + DECORATORS + ":filecount=0";
  }

  /** Whole lines. */
  List<String> lines() throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /**
   * Requires that a log has the lines of these lives in their order, each from its first one in the
   * log on, and no other line. Of the last life, those of its last moment may be missing. Only for
   * JVMs with a serial collector, in which one thread at a time writes to the log.
   */
  static void requireInOrder(List<String> all, Truth... lives) throws IOException {
    List<String> log = ofJvm(all);
    int at = 0;
    for (int life = 0; life < lives.length; life++) {
      assertThat(log).as("life %d has lines", life).hasSizeGreaterThan(at);
      List<String> truth = lives[life].lines();
      assertThat(truth).contains(log.get(at));
      List<String> carried = truth.subList(truth.indexOf(log.get(at)), truth.size());
      boolean isLast = life == lives.length - 1;
      int end = isLast ? log.size() : Math.min(log.size(), at + carried.size());
      assertThat(carried)
          .as("life %d", life)
          .startsWith(log.subList(at, end).toArray(String[]::new));
      if (!isLast) {
        assertThat(carried).as("life %d", life).hasSize(end - at);
      }
      at = end;
    }
  }

  /**
   * Requires that a log has all lines from its first one on, but for those of the last moment, and
   * no other. Two threads write to one output after the other, so their lines may stand in
   * different order in another one.
   */
  void requireCarried(List<String> all) throws IOException {
    List<String> log = ofJvm(all);
    Map<String, Integer> left = new HashMap<>();
    log.forEach(line -> left.merge(line, 1, Integer::sum));
    List<String> truth = lines();
    int first = truth.indexOf(log.get(0));
    assertThat(first).as("where the log begins: %s", log.get(0)).isNotNegative();
    List<String> missing = new ArrayList<>();
    for (String line : truth.subList(first, truth.size())) {
      if (!take(left, line)) {
        missing.add(line);
      }
    }
    truth.subList(0, first).forEach(line -> take(left, line));
    assertThat(left).as("not the JVM's, or twice").isEmpty();
    assertThat(missing)
        .as("missing from the log")
        .isEqualTo(truth.subList(truth.size() - missing.size(), truth.size()));
  }

  /** Without the lines that say where a log begins. */
  static List<String> ofJvm(List<String> log) {
    return log.stream().filter(line -> !line.startsWith(BEGIN)).toList();
  }

  private static boolean take(Map<String, Integer> lines, String line) {
    Integer count = lines.get(line);
    if (count == null) {
      return false;
    }
    if (count == 1) {
      lines.remove(line);
    } else {
      lines.put(line, count - 1);
    }
    return true;
  }
}
