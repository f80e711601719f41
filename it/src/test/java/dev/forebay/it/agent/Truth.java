package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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

  private final Path file;
  private final boolean isCut;

  Truth(Path file) {
    this(file, false);
  }

  private Truth(Path file, boolean isCut) {
    this.file = file;
    this.isCut = isCut;
  }

  /**
   * Of a JVM that was killed, perhaps between its two outputs: it writes to this one first, so the
   * other may lack its last line.
   */
  Truth cut() {
    return new Truth(file, true);
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

  /**
   * Requires that a log has the lines of these lives in their order, each from its first one in the
   * log on, and no other line. Of the last life, those of its last moment may be missing. Only for
   * JVMs with a serial collector, in which one thread at a time writes to the log.
   */
  static void requireInOrder(List<String> log, Truth... lives) throws IOException {
    int at = 0;
    for (int life = 0; life < lives.length; life++) {
      assertThat(log).as("life %d has lines", life).hasSizeGreaterThan(at);
      List<String> truth = lives[life].lines();
      assertThat(truth).contains(log.get(at));
      List<String> carried = truth.subList(truth.indexOf(log.get(at)), truth.size());
      if (lives[life].isCut && !log.contains(carried.get(carried.size() - 1))) {
        carried = carried.subList(0, carried.size() - 1);
      }
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
}
