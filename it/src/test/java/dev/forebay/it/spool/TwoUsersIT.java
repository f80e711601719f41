package dev.forebay.it.spool;

import static dev.forebay.it.support.OtherUser.STRANGER;
import static dev.forebay.it.support.OtherUser.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.OtherUser;
import dev.forebay.it.support.Places;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
          STRANGER.says(
              ATTACKS, places.spool(), own, log, spool, segment, canaries, child.javaPid());

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

  /** What a stranger can put at a name, by shell command; PATH is the name. */
  private static final Map<String, String> PLANTS =
      new TreeMap<>(
          Map.of(
              "link", "ln -s CANARIES PATH",
              "dangling", "ln -s CANARIES/new PATH",
              "hard", "ln CANARIES/canary PATH",
              "pipe", "mkfifo -m 666 PATH",
              "file", "touch PATH; chmod 666 PATH",
              "open", "mkdir PATH; chmod 777 PATH",
              "closed", "mkdir -m 700 PATH"));

  private String plant(String kind, Path path) {
    return PLANTS
        .get(kind)
        .replace("CANARIES", canaries.toString())
        .replace("PATH", path.toString());
  }

  private Path configuration(String kind, Path log, Path base) throws IOException {
    String inner =
        Xml.places(log, base) + "<maxFlushTime>500</maxFlushTime>" + Xml.FAST + Xml.MESSAGES;
    return Files.writeString(places.root().resolve(kind), Xml.configuration(inner));
  }

  /** Runs {@link SpoolStarts} as the victim; what it prints. */
  private String starts(Object... arguments) throws Exception {
    Process process = process(VICTIM, SpoolStarts.class, arguments);
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private Process process(OtherUser user, Class<?> main, Object... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.addAll(List.of("-Xmx64m", "-cp", classPath, main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ProcessBuilder(user.command(command.toArray(new String[0])))
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void whateverStandsAtOurNameIsAvoidedAndNamedOnce() throws Exception {
    plantCanary(places.spool()); // there are no hard links between file systems
    List<Object> arguments = new ArrayList<>(List.of("appenders", 50));
    for (String kind : PLANTS.keySet()) {
      Path base = OtherUser.share(places.spool().resolve(kind));
      STRANGER.says(plant(kind, base.resolve(OURS)));
      assertThat(base.resolve(OURS).getParent()).isNotEmptyDirectory();
      Path log = places.logDirectory().resolve(kind + "/app.log");
      arguments.add(configuration(kind, log, base));
    }

    String said = starts(arguments.toArray());

    for (String kind : PLANTS.keySet()) {
      Path planted = places.spool().resolve(kind + "/" + OURS);
      assertThat(said.lines().filter(line -> line.startsWith(kind + " warning")))
          .as(said)
          .singleElement()
          .asString()
          .containsPattern("refused " + planted + ": .*; using " + planted + "-[0-9a-f]{16}$");
      assertThat(said).doesNotContain(kind + " error");
      Path log = places.logDirectory().resolve(kind + "/app.log");
      new Oracle().producer("p", 50, 50).complete(0).requireSound(LogFiles.of(log).lines());
    }
    requireCanary();
  }

  @Test
  void whateverStandsAtTheNameOfTheLogIsNotWrittenTo() throws Exception {
    List<Object> arguments = new ArrayList<>(List.of("appenders", 50));
    Path shared = OtherUser.share(places.root().resolve("shared"));
    List<String> kinds = List.of("link", "dangling", "hard", "pipe", "file", "closed");
    for (String kind : kinds) {
      Path log = OtherUser.share(shared.resolve(kind)).resolve("app.log");
      STRANGER.says(plant(kind, log));
      arguments.add(configuration(kind, log, places.spool()));
    }

    String first = starts(arguments.toArray());

    requireCanary();
    for (String kind : kinds) {
      Path log = shared.resolve(kind + "/app.log");
      assertThat(first.lines().filter(line -> line.startsWith(kind + " error")))
          .as(first)
          .anyMatch(line -> line.contains("cannot write " + log));
      assertThat(first).contains(kind + " account offered 50 = delivered 0 + dropped 0");
      assertThat(Files.isRegularFile(log) ? Files.size(log) : 0).isIn(0L, (long) PRECIOUS.length());
      Command.run("rm", "-rf", log.toString()); // a hard link is not the stranger's to remove
    }
    arguments.set(1, 0);
    String second = starts(arguments.toArray());

    for (String kind : kinds) {
      Path log = shared.resolve(kind + "/app.log");
      assertThat(log).as(second).exists();
      new Oracle().producer("p", 50, 50).complete(0).requireSound(LogFiles.of(log).lines());
    }
    requireCanary();
  }

  @Test
  void aStrangerWhoSwapsOurNameDuringStartsChangesNothingOfOurs() throws Exception {
    int starts = Integer.getInteger("forebay.swapped.starts", 400);
    Path base = places.spool();
    Process swapper = process(STRANGER, NameSwapper.class, base.resolve(OURS), canaries);
    String said;
    String swapped;
    try {
      assertThat(swapper.inputReader().readLine()).isEqualTo("ready");
      said = starts("spools", starts, base);
      swapper.getOutputStream().write('\n');
      swapper.getOutputStream().close();
      swapped = String.join("\n", swapper.inputReader().lines().toList());
      assertThat(swapper.waitFor()).as(swapped).isZero();
    } finally {
      swapper.destroyForcibly();
    }

    requireCanary();
    assertThat(count(swapped, "links (\\d+)")).isGreaterThan(starts);
    assertThat(count(swapped, "directories (\\d+)")).isPositive();
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

  private static long count(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Long.parseLong(matcher.group(1));
  }
}
