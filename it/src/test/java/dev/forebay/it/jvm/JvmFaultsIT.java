package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Places that fail under a JVM that writes its log. That each command is answered while they do
 * shows that the JVM does not wait for them.
 */
@Tag("jdk-nightly")
class JvmFaultsIT {

  /** Of one collection there are more. */
  private static final int LINES = 10;

  /** Those of the JVM's log, the one it writes included. */
  private static final int FILES = 8;

  /** Of a line: no two have the same. */
  private static final Pattern START = Pattern.compile("\\[\\d+ns\\]\\[\\d+\\]\\[");

  /** Where there is room again after its first line that it could not write. */
  private static final Pattern JVM_SAYS_SO =
      Pattern.compile("\nERROR: Could not flush log \\(\\d+\\)\n");

  @AutoClose private final Places places = Places.create();

  /** One whose JVM writes, with some lines in the log. */
  private Served served(Path log, Path spoolDirectory) throws IOException {
    return Served.start(places, log, spoolDirectory).tell("open").tell("collect 5");
  }

  private static Path log(Mounted disk) {
    return disk.at().resolve("gc.log");
  }

  @Test
  void aFrozenDiskStopsNeitherTheJvmNorAnyLine() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        Served served = served(log(disk), places.spool())) {
      disk.freeze();
      served.tell("collect 50");
      disk.thaw();
      served.tell("collect 5");
      assertThat(served.end()).contains("lost 0").doesNotContain("problem");
      served.requireAll();
      assertThat(served.log()).hasSizeGreaterThan(60 * LINES);
    }
  }

  @Test
  void aFullDiskTearsAndLosesNoLine() throws Exception {
    try (Mounted disk = Mounted.disk(places, "2m", "defaults", "-m", "0", "-O", "^has_journal")) {
      Path filler = disk.at().resolve("filler");
      try (Served served = served(log(disk), places.spool())) {
        fill(filler);
        served.tell("collect 50").tell("warned cannot write " + log(disk));
        served.tell("collect 5");
        Files.delete(filler);
        served.tell("collect 5");
        assertThat(served.end()).contains("lost 0").containsOnlyOnce("problem ");
        served.requireAll();
        assertThat(served.log()).hasSizeGreaterThan(65 * LINES);
      }
    }
  }

  private static void fill(Path filler) throws IOException {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(filler, StandardOpenOption.CREATE)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  @Test
  void aDiskThatTheKernelMadeReadOnlyLosesNoLine() throws Exception {
    try (Mounted disk = Mounted.disk(places, "48m", "errors=remount-ro");
        Served served = served(log(disk), places.spool())) {
      disk.findError();
      served.tell("collect 50").tell("warned cannot write " + log(disk));
      disk.mountAnew();
      served.tell("collect 5");
      assertThat(served.end()).contains("lost 0").containsOnlyOnce("problem ");
      served.requireAll();
      assertThat(served.log()).hasSizeGreaterThan(60 * LINES);
    }
  }

  /**
   * The JVM itself cuts the line for which there is no room, leaves out those that follow, and adds
   * the next one for which there is room to the cut one. What it has written gets into the log.
   */
  @Test
  void aFullTmpfsLosesOnlyWhatTheJvmCannotWriteThere() throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=4m")) {
      Path filler = memory.at().resolve("filler");
      try (Served served = served(places.logDirectory().resolve("gc.log"), memory.at())) {
        int full = served.truth().size();
        fill(filler);
        served.tell("collect 50");
        Files.delete(filler);
        served.tell("collect 1");
        int room = served.truth().size();
        served.tell("collect 50");
        String written = written(memory.at());
        assertThat(served.end()).contains("lost 0").containsOnlyOnce("Could not flush log: ");
        assertThat(served.text()).startsWith(written);
        requireWhole(served.text(), served.truth(), full, room);
      }
    }
  }

  /** The JVM's files one after the other: it has not rotated through all of them. */
  private static String written(Path memory) throws IOException {
    List<Path> files =
        new ArrayList<>(
            FileTree.files(memory).stream()
                .filter(file -> file.getFileName().toString().matches("jvm\\.log(\\.\\d)?"))
                .sorted()
                .toList());
    assertThat(files).hasSizeBetween(1, FILES - 1);
    Collections.rotate(files, -1); // the first one has no number, and is the newest
    StringBuilder all = new StringBuilder();
    for (Path file : files) {
      all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    return all.toString();
  }

  /**
   * The log has one line after the other. Of those that were written without room, it may have the
   * beginning only, or nothing.
   *
   * @param full the first line of those
   * @param room the first line after them
   */
  private static void requireWhole(String log, List<String> truth, int full, int room) {
    String text = JvmLives.unpadded(JVM_SAYS_SO.matcher(log).replaceFirst(""));
    Matcher start = START.matcher(text);
    int at = 0;
    int lost = 0;
    for (int i = truth.indexOf(text.lines().findFirst().orElseThrow()); at < text.length(); i++) {
      String line = truth.get(i) + "\n";
      if (text.startsWith(line, at)) {
        at += line.length();
        continue;
      }
      String part = text.substring(at, start.find(at + 1) ? start.start() : text.length());
      assertThat(i).as("%s instead of %s", part, line).isBetween(full, room - 1);
      lost++;
      if (line.startsWith(part.replaceFirst(" +$", ""))) { // cut in its padding, perhaps
        at += part.length();
      }
    }
    assertThat(lost).isPositive();
  }

  /** Stands for JVMs that have no such command at all. */
  @Test
  void aJvmWithoutDiagnosticCommandsSaysSoOnce() throws Exception {
    Path log = places.logDirectory().resolve("gc.log");
    String[] limited = {"--limit-modules", "java.se"};
    try (Served served = Served.start(places, log, places.spool(), limited)) {
      served.tell("warned cannot have the JVM write its log").tell("collect 5");
      assertThat(served.endAnyhow())
          .containsOnlyOnce("problem ")
          .contains("This needs HotSpot with the module jdk.management");
    }
    assertThat(log).doesNotExist();
    try (var left = Files.list(places.spool())) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }
}
