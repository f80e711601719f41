package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever others put beside the log and its archives costs a warning at most. */
@Tag("once")
class JunkNamesTest extends LogRig {

  enum Policy {
    NONE,
    DAILY,
    SIZE_AND_TIME,
    DATED_DIRECTORIES,
    FIXED_WINDOW
  }

  record Junk(String name, Stranger kind) {}

  private RollingLog log(Policy policy) {
    return switch (policy) {
      case NONE -> plain();
      case DAILY -> rolling(daily(".zip"));
      case SIZE_AND_TIME -> rolling(BY_SIZE + ".gz");
      case DATED_DIRECTORIES -> rolling("%d{yyyy/MM,aux}/" + BY_SIZE + ".gz");
      case FIXED_WINDOW -> window("app.%i.log.gz");
    };
  }

  private boolean plant(Junk junk) {
    try {
      Path path = dir.resolve(junk.name());
      Files.createDirectories(path.resolveSibling(""));
      junk.kind().putAt(path);
      return junk.kind() == Stranger.TEXT;
    } catch (InvalidPathException | IOException e) {
      return false; // too long a name, one that is taken, or one that this system does not have
    }
  }

  private void requireThatItLogs(RollingLog log) throws IOException {
    log.open();
    log.begin();
    append(log, "a line\n");
    log.force();
    assertThat(Files.readString(dir.resolve("app.log"))).endsWith("a line\n");
    stop(log);
    assertThat(warnings).hasSizeLessThan(10);
  }

  /** Bytes that are no text in any encoding, which a name must not lose on its way. */
  @Test
  void namesOfAnyBytesAreLeftAlone() throws IOException {
    String script =
        "cd \"$1\" && : > \"$(printf '.app.\\377\\376.log.gz.1.kept')\" && : > \"$(printf"
            + " '\\200')\"";
    Stranger.run("sh", "-c", script, "sh", dir.toString());
    for (Policy policy : Policy.values()) {
      requireThatItLogs(log(policy));
    }

    assertThat(warnings).isEmpty();
  }

  /**
   * Logback's policies start before the log is opened, and throw at a number that is too large:
   * what comes later meets ours.
   */
  @Property(tries = 100)
  void openingSurvivesAnyNamesAndLeavesTheirFiles(
      @ForAll Policy policy, @ForAll("junk") List<Junk> junk) throws IOException {
    dir = Files.createTempDirectory("junk");
    try {
      RollingLog log = log(policy);
      long planted = junk.stream().filter(this::plant).count();
      requireThatItLogs(log);
      assertThat(junkLeft()).isEqualTo(planted);
    } finally {
      context.stop();
      FileTree.delete(dir);
    }
  }

  private long junkLeft() throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      return all.filter(Files::isRegularFile)
          .filter(path -> path.toFile().length() == "junk\n".length())
          .count();
    }
  }

  @Provide
  Arbitrary<List<Junk>> junk() {
    Arbitrary<String> stems =
        Arbitraries.of(
            ("|.|app|app.2024-03-01|app.2024-03-01.0|app.2024-03-01.7|app.1|app.2"
                    + "|app.2024-03-01.99999999999999999999|app.99999999999|app.-1|2024|2024/03"
                    + "|2024/03/app.2024-03-01.0|2024/03/app.2024-03-01.123456789012|\n|ä\u202e|"
                    + "x".repeat(240))
                .split("\\|"));
    Arbitrary<String> endings =
        Arbitraries.of(
            ("|.log|.log.gz|.log.zip|.gz|.kept|.in|.out|.tmp|.kept.kept|.log.gz.kept"
                    + "|.log.gz.1.kept|.log.zip.kept|.log.gz.kept.in|.log.gz.kept.out.gz"
                    + "|.log1234.tmp|.log.gz.tmp")
                .split("\\|"));
    Arbitrary<String> random =
        Arbitraries.strings().ofMinLength(1).ofMaxLength(30).map(s -> s.replace('/', '.'));
    Arbitrary<String> composed =
        Combinators.combine(Arbitraries.of(true, false), stems, endings)
            .as((hidden, stem, ending) -> hidden(hidden, stem) + ending)
            .filter(name -> !List.of("", ".", "..", "app.log").contains(name));
    Arbitrary<String> names = Arbitraries.frequencyOf(Tuple.of(5, composed), Tuple.of(1, random));
    Arbitrary<Stranger> kinds =
        Arbitraries.of(Stranger.class).filter(kind -> kind != Stranger.FOREIGN_ARCHIVE);
    return Combinators.combine(names, kinds).as(Junk::new).list().ofMaxSize(6);
  }

  private static String hidden(boolean hidden, String stem) {
    int name = stem.lastIndexOf('/') + 1;
    return hidden ? stem.substring(0, name) + "." + stem.substring(name) : stem;
  }
}
