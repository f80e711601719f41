package dev.forebay.it.spool;

import static dev.forebay.it.support.OtherUser.STRANGER;
import static dev.forebay.it.support.OtherUser.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application of one user, and another user of the same machine who means it no good. Both are
 * real users without rights; whether the kernel protects links is not relied upon.
 */
class TwoUsersIT {

  private static final String OURS = "forebay-" + VICTIM.uid();
  private static final String PRECIOUS = "precious";

  // Kinds of files in the bits above a mode.
  private static final int DIRECTORY = 0040000;
  private static final int FILE = 0100000;
  private static final int SOCKET = 0140000;

  @AutoClose private final Places places = Places.create();
  private String classPath;

  /** What the victim would not like to see changed, and a directory with it. */
  private Path canaries;

  private Path canary;

  @BeforeEach
  void create() throws Exception {
    OtherUser.assumePossible();
    Command.run("chmod", "755", places.root().toString());
    OtherUser.share(places.spool());
    VICTIM.own(places.logDirectory());
    classPath = OtherUser.classPath(places.directory("classes"));
    plantCanary(places.root());
  }

  private void plantCanary(Path in) throws Exception {
    canaries = Files.createDirectory(in.resolve("canaries"));
    canary = Files.writeString(canaries.resolve("canary"), PRECIOUS);
    VICTIM.own(canaries);
    // As open as can be, so that a kernel that protects hard links lets one be made.
    Files.setAttribute(canary, "unix:mode", 0666);
  }

  private void requireCanary() throws IOException {
    assertThat(canary).hasContent(PRECIOUS);
    assertThat(canaries).isDirectoryContaining(canary::equals);
    try (Stream<Path> entries = Files.list(canaries)) {
      assertThat(entries).hasSize(1);
    }
  }

  private Child.Task task(long count) {
    return new Child.Task("v", 1, count, 0, 100, "wait");
  }

  private String xml() {
    return Xml.configuration(places.xml() + Xml.FAST + Xml.MESSAGES);
  }

  /** Each attack prints its name when it succeeds. */
  private static final String ATTACKS =
      """
      base=$1 own=$2 log=$3 spool=$4 segment=$5 canaries=$6 pid=$7
      try() { name=$1; shift; if timeout 5 "$@"; then echo "$name"; fi; }
      try list-user ls "$own"
      try list-log ls "$log"
      try list-spool ls "$spool"
      try enter sh -c 'cd "$1"' sh "$own"
      try read cat "$segment"
      try append sh -c 'echo x >> "$1"' sh "$segment"
      try truncate truncate -s 0 "$segment"
      try create touch "$own/x" "$log/x" "$spool/x"
      try lock flock -n "$log/ship.lock" true
      try open-up chmod 0777 "$own"
      try chown chown -h 65534 "$own"
      try rename mv -T "$own" "$base/stolen"
      ln -s "$canaries" "$base/link"
      try rename-over mv -T "$base/link" "$own"
      try link-over ln -sfT "$canaries" "$own"
      try hard-link ln "$segment" "$base/hard"
      try remove rmdir "$own"
      try remove-all sh -c 'rm -rf "$1"; test ! -e "$1"' sh "$own"
      try mount mount -t tmpfs x "$own"
      try descriptors sh -c 'cat /proc/"$1"/fd/*' sh "$pid"
      try memory head -c 1 "/proc/$pid/mem"
      try kill kill -9 "$pid"
      """;

  @Test
  void aStrangerCanNeitherReadNorAlterNorRedirectASpool() throws Exception {
    Command.run(
        "chown", "0:0", places.logDirectory().toString()); // so the events stay in the spool
    try (Child child =
        Child.startAs(VICTIM, classPath, task(500), xml(), places.directory("reports"))) {
      child.awaitOffered(0, 500);
      Await.until(
          "spooled: " + child.output(),
          () -> child.status().contains("cannot write") || !child.isAlive());
      Path segment = segmentWithEvents();
      Path spool = segment.getParent();
      Path log = spool.getParent();
      Path own = log.getParent();
      assertThat(own).isEqualTo(places.spool().resolve(OURS));

      String done =
          STRANGER.says(ATTACKS, places.spool(), own, log, spool, segment, canaries, child.pid());

      assertThat(done).as("what a stranger can do").isEmpty();
      VICTIM.own(places.logDirectory());
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
    }
    new Oracle().producer("v-0", 500, 500).complete(0).requireSound(places.lines());
    requireCanary();
  }

  @ParameterizedTest
  @ValueSource(strings = {"000", "077"})
  void theSpoolIsPrivateWhateverTheUmaskAndTheLogIsAsTheUmaskSays(String umask) throws Exception {
    Path reports = places.directory("reports");
    String[] around = {"sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"};
    try (Child child = Child.startAs(VICTIM, classPath, task(500), xml(), reports, around)) {
      child.awaitOffered(0, 500);
      Await.until("shipped", () -> LogFiles.of(places.log()).fileCount() == 1 || !child.isAlive());
      Map<Path, Integer> modes = new TreeMap<>();
      Await.until(
          "3 directories, 2 locks, checkpoint, segment, socket",
          () -> {
            modes.clear(); // a socket gets its mode before its name
            modes.putAll(modes(places.spool().resolve(OURS)));
            return modes.size() >= 8 && modes.containsValue(SOCKET | 0600);
          });
      assertThat(modes)
          .allSatisfy(
              (path, mode) -> assertThat(mode).isIn(DIRECTORY | 0700, FILE | 0600, SOCKET | 0600));
      assertThat((Integer) Files.getAttribute(places.log(), "unix:mode") & 0777)
          .isEqualTo(0666 & ~Integer.parseInt(umask, 8));
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
    }
    new Oracle().producer("v-0", 500, 500).complete(0).requireSound(places.lines());
  }

  /** The first segment of the victim's spool, once it holds events. */
  private Path segmentWithEvents() throws Exception {
    List<Path> found = new ArrayList<>();
    Await.until(
        "spooled",
        () -> {
          FileTree.files(places.spool()).stream()
              .filter(file -> file.endsWith("0000000000000000.seg"))
              .filter(file -> file.toFile().length() > 1000)
              .forEach(found::add);
          return !found.isEmpty();
        });
    return found.get(0);
  }

  /** Kind and mode of all that is in the directory of a process that may rename there. */
  private static Map<Path, Integer> modes(Path directory) throws IOException {
    Map<Path, Integer> modes = new TreeMap<>();
    for (Path path : FileTree.entries(directory)) {
      try {
        modes.put(path, (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS));
      } catch (NoSuchFileException e) {
        // It was renamed after it was found.
      }
    }
    return modes;
  }

  /** Puts links, a directory that is open to all, and nothing at a name; says how often. */
  private static final String SWAPS =
      """
      use strict; my ($name, $target) = @ARGV; my ($links, $directories) = (0, 0);
      sub swap { symlink($_[0], "$name.x"); $links++ if rename("$name.x", $name); unlink $name; }
      $| = 1; print "ready\n"; my $go = ''; vec($go, 0, 1) = 1;
      until (select(my $ready = $go, undef, undef, 0)) {
        swap($target);
        if (mkdir $name) { chmod 0777, $name; $directories++; rmdir $name; }
        swap("$target/nothing");
      }
      print "$links $directories\n";
      """;

  @Test
  void aStrangerWhoSwapsOurNameDuringStartsChangesNothingOfOurs() throws Exception {
    assumeTrue(Command.exists("perl"), "no perl: install perl (swaps names fast enough)");
    int starts = Integer.getInteger("forebay.swapped.starts", 400);
    Path base = places.spool();
    Process swapper = process(STRANGER, "perl", "-e", SWAPS, base.resolve(OURS), canaries);
    String said;
    String[] swapped;
    try {
      assertThat(swapper.inputReader().readLine()).isEqualTo("ready");
      List<Object> command = new ArrayList<>(List.of(Program.ofJdk("java")));
      command.addAll(Program.QUICK);
      command.addAll(List.of("-Xmx64m", "-cp", classPath, SpoolStarts.class.getName()));
      command.addAll(List.of(starts, base));
      Process starting = process(VICTIM, command.toArray());
      said = new String(starting.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(starting.waitFor()).as(said).isZero();
      swapper.getOutputStream().close();
      swapped = swapper.inputReader().readLine().split(" ");
    } finally {
      swapper.destroyForcibly();
    }

    requireCanary();
    assertThat(Long.parseLong(swapped[0])).as("links").isGreaterThan(starts);
    assertThat(Long.parseLong(swapped[1])).as("directories").isPositive();
    assertThat(said.lines().filter(line -> line.matches("in " + OURS + "-[0-9a-f]{16}")))
        .as("starts that had to avoid the name")
        .isNotEmpty();
    assertThat(said.lines().filter(line -> line.startsWith("in ")))
        .hasSize(starts)
        .allMatch(line -> line.matches("in " + OURS + "(-[0-9a-f]{16})?"));
    long records = 5L * starts;
    new Oracle()
        .producer("s", records, records)
        .complete(0)
        .requireSound(
            said.lines()
                .filter(line -> line.startsWith("line "))
                .map(line -> line.substring("line ".length()))
                .toList());
  }

  private static Process process(OtherUser user, Object... command) throws IOException {
    String[] words = Stream.of(command).map(Object::toString).toArray(String[]::new);
    return new ProcessBuilder(user.command(words)).redirectErrorStream(true).start();
  }
}
