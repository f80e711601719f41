package dev.forebay.tiered.file;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever others put beside the log and its archives costs a warning at most. */
@Tag("once")
class JunkNamesTest {

  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  private static final String ARCHIVE = "app.2024-03-01.0.log.gz";

  private final LoggerContext context = new LoggerContext();
  private final LogUnderTest build = new LogUnderTest(context);
  private Path dir = Path.of("");

  /** How the log is rolled. */
  enum Policy {
    NONE,
    DAILY,
    SIZE_AND_TIME,
    DATED_DIRECTORIES,
    FIXED_WINDOW
  }

  /** What stands at a name. */
  enum Kind {
    FILE,
    DIRECTORY,
    FULL_DIRECTORY,
    PIPE,
    DANGLING_LINK,
    LINK_TO_LOG
  }

  /** One thing in the way. */
  record Junk(String name, Kind kind) {}

  @BeforeEach
  void create() throws IOException {
    dir = Files.createTempDirectory("junk");
  }

  @AfterEach
  void delete() throws IOException {
    context.stop();
    try (Stream<Path> all = Files.walk(dir)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private RollingLog log(Policy policy) {
    String file = dir.resolve("app.log").toString();
    FileAppender<byte[]> parent = build.parent(file);
    return switch (policy) {
      case NONE -> build.plain(dir.resolve("app.log"), true);
      case DAILY ->
          build.rolling(
              file, build.byTime(parent, dir + "/app.%d{yyyy-MM-dd}.log.zip", NOW_MS), "", "");
      case SIZE_AND_TIME ->
          build.rolling(
              file,
              build.bySizeAndTime(parent, dir + "/app.%d{yyyy-MM-dd}.%i.log.gz", "100", NOW_MS),
              "",
              "");
      case DATED_DIRECTORIES ->
          build.rolling(
              file,
              build.bySizeAndTime(
                  parent, dir + "/%d{yyyy/MM,aux}/app.%d{yyyy-MM-dd}.%i.log.gz", "100", NOW_MS),
              "",
              "");
      case FIXED_WINDOW ->
          build.rolling(
              file, build.fixedWindow(parent, dir + "/app.%i.log.gz"), build.bySize("100"), "", "");
    };
  }

  private void plant(Junk junk) throws IOException {
    Path path;
    try {
      path = dir.resolve(junk.name());
    } catch (InvalidPathException e) {
      return; // this system has no such name
    }
    try {
      Files.createDirectories(path.resolveSibling(""));
      switch (junk.kind()) {
        // A pipe of that name would block whoever opens it for writing.
        case FILE -> Files.writeString(path, "junk", CREATE_NEW, WRITE);
        case DIRECTORY -> Files.createDirectory(path);
        case FULL_DIRECTORY -> Files.createFile(Files.createDirectory(path).resolve("x"));
        case PIPE -> LogUnderTest.makePipe(path);
        case DANGLING_LINK -> Files.createSymbolicLink(path, Path.of("nowhere"));
        case LINK_TO_LOG -> Files.createSymbolicLink(path, dir.resolve("app.log"));
      }
    } catch (IOException e) {
      // Too long a name, or one that is taken.
    }
  }

  private void requireThatItLogs(Policy policy) throws IOException {
    requireThatItLogs(log(policy));
  }

  private void requireThatItLogs(RollingLog log) throws IOException {
    log.open();
    log.begin();
    LogUnderTest.append(log, "a line\n");
    log.force();
    assertThat(Files.readString(dir.resolve("app.log"))).endsWith("a line\n");
    LogUnderTest.stop(log);
    assertThat(build.warnings).hasSizeLessThan(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {".kept", "..kept", ".kept.kept", ".x.kept", ".kept.in", ".gz.kept"})
  void aNameThatOnlyLooksLikeALinkOfOursIsLeftAlone(String name) throws IOException {
    plant(new Junk(name, Kind.FILE));
    for (Policy policy : Policy.values()) {
      requireThatItLogs(policy);
      assertThat(dir.resolve(name)).hasContent("junk");
    }
    assertThat(build.warnings).isEmpty();
  }

  /** Opened for reading it would wait for whoever writes to it. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPipeInTheArchivesPlaceIsNotOpened() throws IOException {
    plant(new Junk(ARCHIVE, Kind.PIPE));
    Path kept = LogUnderTest.leaveKept(dir, ARCHIVE, "content\n");
    requireThatItLogs(Policy.SIZE_AND_TIME);
    assertThat(build.warnings).singleElement().asString().contains(ARCHIVE);
    assertThat(kept).doesNotExist();
  }

  /** Bytes that are no text in any encoding, which a name must not lose on its way. */
  @Test
  void namesOfAnyBytesAreLeftAlone() throws Exception {
    String script =
        "cd \"$1\" && : > \"$(printf '.app.\\377\\376.log.gz.1.kept')\" && : > \"$(printf"
            + " '\\200')\"";
    assertThat(new ProcessBuilder("sh", "-c", script, "sh", dir.toString()).start().waitFor())
        .isZero();
    for (Policy policy : Policy.values()) {
      requireThatItLogs(policy);
    }
    assertThat(build.warnings).isEmpty();
  }

  /**
   * Logback's policies start before the log is opened, and throw at a number that is too large:
   * what comes later meets ours.
   */
  @Property(tries = 100)
  void openingSurvivesAnyNames(@ForAll Policy policy, @ForAll("junk") List<Junk> junk)
      throws IOException {
    create();
    try {
      RollingLog log = log(policy);
      for (Junk one : junk) {
        plant(one);
      }
      requireThatItLogs(log);
    } finally {
      delete();
    }
  }

  @Provide
  Arbitrary<List<Junk>> junk() {
    Arbitrary<String> stems =
        Arbitraries.of(
            "",
            ".",
            "app",
            "app.2024-03-01",
            "app.2024-03-01.0",
            "app.2024-03-01.7",
            "app.1",
            "app.2",
            "app.2024-03-01.99999999999999999999",
            "app.99999999999",
            "app.-1",
            "2024",
            "2024/03",
            "2024/03/app.2024-03-01.0",
            "2024/03/app.2024-03-01.123456789012",
            "\n",
            "ä\u202e",
            "x".repeat(240));
    Arbitrary<String> endings =
        Arbitraries.of(
            "",
            ".log",
            ".log.gz",
            ".log.zip",
            ".gz",
            ".kept",
            ".in",
            ".out",
            ".tmp",
            ".log.gz.kept",
            ".log.gz.1.kept",
            ".log.zip.kept",
            ".log.gz.kept.in",
            ".log.gz.kept.out.gz",
            ".log1234.tmp",
            ".log.gz.tmp");
    Arbitrary<String> random =
        Arbitraries.strings().ofMinLength(1).ofMaxLength(30).map(s -> s.replace('/', '.'));
    Arbitrary<String> composed =
        Combinators.combine(Arbitraries.of(true, false), stems, endings)
            .as((hidden, stem, ending) -> hidden(hidden, stem) + ending)
            .filter(name -> !List.of("", ".", "..", "app.log").contains(name));
    Arbitrary<String> names = Arbitraries.frequencyOf(Tuple.of(5, composed), Tuple.of(1, random));
    return Combinators.combine(names, Arbitraries.of(Kind.class)).as(Junk::new).list().ofMaxSize(6);
  }

  private static String hidden(boolean hidden, String stem) {
    int name = stem.lastIndexOf('/') + 1;
    return hidden ? stem.substring(0, name) + "." + stem.substring(name) : stem;
  }

  @Test
  void aLinkBehindThousandsOfNamesIsFound() throws IOException {
    Path kept = LogUnderTest.leaveKept(dir, ARCHIVE, "content\n");
    List<Path> many = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      many.add(dir.resolve("other" + i));
    }
    Disk real = new NioDisk();
    Disk crowded =
        (Disk)
            Proxy.newProxyInstance(
                Disk.class.getClassLoader(),
                new Class<?>[] {Disk.class},
                (proxy, method, arguments) -> {
                  try {
                    Object truth = method.invoke(real, arguments);
                    if (method.getName().equals("list")) {
                      List<Path> entries = new ArrayList<>(many);
                      ((List<?>) truth).forEach(entry -> entries.add((Path) entry));
                      return entries;
                    }
                    return truth;
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    String file = dir.resolve("app.log").toString();
    var policy =
        build.bySizeAndTime(
            build.parent(file), dir + "/app.%d{yyyy-MM-dd}.%i.log.gz", "100", NOW_MS);
    RollingLog log =
        new RollingLog(
            new LogSettings(
                crowded,
                file,
                true,
                policy,
                policy,
                ByteBuffer.allocate(0),
                ByteBuffer.allocate(0),
                true,
                build.warnings::add,
                new ShippingListener() {}),
            false);
    log.open();
    log.archive();
    assertThat(kept).doesNotExist();
    assertThat(dir.resolve(ARCHIVE)).exists();
    log.close();
  }
}
