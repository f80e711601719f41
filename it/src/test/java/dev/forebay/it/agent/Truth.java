package dev.forebay.it.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a JVM wrote to its log in one life: a second output on tmpfs, which nothing of ours touches.
 *
 * <p>The JVM's threads write to one output after the other, so two lines of different threads may
 * stand in different order there: lines are compared, not files.
 */
final class Truth {

  static final String WHAT = "gc*=info,safepoint=info";

  /**
   * A time that no two messages share, and nothing that is padded: how wide depends on what an
   * output wrote before.
   */
  static final String DECORATORS = "uptimenanos";

  private static final Pattern SAFEPOINT =
      Pattern.compile("Safepoint \"[^\"]*\".* Total: +(\\d+) ns");

  private final Path file;

  Truth(Path file) {
    this.file = file;
  }

  /** The JVM's option. */
  String option() {
    return "-Xlog:" + WHAT + ":file=" + file + ":" + DECORATORS + ":filecount=0";
  }

  String text() throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** Whole lines. */
  List<String> lines() throws IOException {
    String text = text();
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** How long each of its safepoints was, from the request on. */
  List<Long> safepointsNs() throws IOException {
    return SAFEPOINT
        .matcher(text())
        .results()
        .map(safepoint -> Long.parseLong(safepoint.group(1)))
        .toList();
  }

  /**
   * Requires that a log has all lines of these lives, each from its first one in the log on, and no
   * other line. Of the last life, those of its last moment may be missing.
   */
  static void requireCarried(List<String> log, Truth... lives) throws IOException {
    Map<String, Integer> left = new HashMap<>();
    log.forEach(line -> left.merge(line, 1, Integer::sum));
    for (int life = 0; life < lives.length; life++) {
      List<String> truth = lives[life].lines();
      Map<String, Integer> known = new HashMap<>();
      truth.forEach(line -> known.merge(line, 1, Integer::sum));
      String first =
          log.stream()
              .filter(known::containsKey)
              .findFirst()
              .orElseThrow(() -> new AssertionError("nothing of " + truth));
      boolean isOver = false;
      for (String line : truth.subList(truth.indexOf(first), truth.size())) {
        boolean isThere = take(left, line);
        isOver |= !isThere;
        if (isThere == isOver || (isOver && life < lives.length - 1)) {
          throw new AssertionError("missing in life " + life + " of the log, or before: " + line);
        }
      }
      truth.subList(0, truth.indexOf(first)).forEach(line -> take(left, line));
    }
    if (!left.isEmpty()) {
      throw new AssertionError("not the JVM's, or twice: " + left);
    }
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
