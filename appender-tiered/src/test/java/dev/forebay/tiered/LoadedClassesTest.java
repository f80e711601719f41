package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start loads until its first line is in the log, with nothing but a file configured. */
@Tag("once")
class LoadedClassesTest {

  /** What the default configuration does not use. */
  private static final List<String> UNUSED =
      List.of(
          "dev.forebay.Limit",
          "dev.forebay.observe.AppenderMXBean",
          "dev.forebay.observe.ControlMXBean",
          "dev.forebay.observe.LoggerCounts",
          "dev.forebay.pipeline.CallDurability",
          "dev.forebay.pipeline.Duplicates",
          "dev.forebay.pipeline.JmxRegistration",
          "dev.forebay.pipeline.Limit",
          "dev.forebay.pipeline.PipelineBean",
          "dev.forebay.pipeline.RateLimit",
          "dev.forebay.Redact",
          "dev.forebay.redact.",
          "dev.forebay.tiered.FlightHost",
          "dev.forebay.tiered.JvmSink",
          "dev.forebay.tiered.overflow.Overflow",
          "dev.forebay.tiered.TieredControl",
          "dev.forebay.tiered.control.",
          "dev.forebay.tiered.encode.Redacted",
          "dev.forebay.tiered.disk.Heap",
          "dev.forebay.tiered.stream.",
          "dev.forebay.tiered.flight.",
          "dev.forebay.tiered.inspect.",
          "dev.forebay.tiered.jvm.",
          "dev.forebay.tiered.ship.OrphanOrder",
          "dev.forebay.tiered.overflow.MovableSpool",
          "dev.forebay.tiered.overflow.SpoolCopy",
          "dev.forebay.tiered.ship.Slots",
          "com.sun.jmx.",
          "com.sun.management.",
          "java.lang.management.",
          "java.net.UnixDomain",
          "java.nio.channels.Selector",
          "java.nio.channels.ServerSocketChannel",
          "java.util.logging.",
          "javax.management.",
          "jdk.net.",
          "sun.management.");

  /** Types of fields and of parameters, which reflection and the verifier resolve. */
  private static final List<String> NAMED =
      List.of(
          "dev.forebay.LimitOptions",
          "dev.forebay.RedactOptions",
          "dev.forebay.tiered.jvm.JvmOptions");

  /** About what it needs at present, lambdas included. */
  private static final int OWN = 181;

  /** About what it needs beyond Logback's own appender at present, on JDK 17. */
  private static final int OF_JDK = 126;

  private static final Pattern LOADING =
      Pattern.compile("\\[(?<ns>\\d+)ns] *(?<name>\\S+) source:");

  @TempDir Path directory;

  @Test
  void loadsNothingThatIsNotConfiguredAndNoMoreThanItDid() throws Exception {
    Set<String> loaded = loaded("dev.forebay.tiered.TieredAppender");
    assertThat(loaded).contains("dev.forebay.tiered.TieredAppender");
    assertThat(loaded)
        .filteredOn(name -> UNUSED.stream().anyMatch(name::startsWith))
        .isSubsetOf(NAMED);

    Set<String> own = new TreeSet<>(loaded);
    own.removeIf(name -> !name.startsWith("dev.forebay.") || name.startsWith("dev.forebay.host."));
    Set<String> ofJdk = new TreeSet<>(loaded);
    ofJdk.removeIf(name -> !name.matches("(java|javax|jdk|sun|com\\.sun)\\.[^/]*"));
    ofJdk.removeAll(loaded("ch.qos.logback.core.rolling.RollingFileAppender"));
    System.out.printf("loaded: %d own, %d of the JDK%n", own.size(), ofJdk.size());

    assertThat(own).hasSizeLessThan(OWN);
    assertThat(ofJdk).hasSizeLessThan(OF_JDK);
  }

  /** A name that nothing has any more would always be found unused. */
  @Test
  void whatMustNotBeLoadedExists() throws Exception {
    Set<String> all = new TreeSet<>();
    addClasses(all, FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules"), 1);
    for (Class<?> own : List.of(NonBlockingAppender.class, TieredAppender.class)) {
      Path place = Path.of(own.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        addClasses(all, place, 0);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
          addClasses(all, jar.getPath("/"), 0);
        }
      }
    }
    assertThat(UNUSED).allMatch(name -> all.stream().anyMatch(known -> known.startsWith(name)));
    assertThat(all).containsAll(NAMED);
  }

  /** With {@code above} names before that of the package. */
  private static void addClasses(Set<String> names, Path root, int above) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files
          .map(root::relativize)
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> file.subpath(above, file.getNameCount()).toString())
          .forEach(name -> names.add(name.replaceFirst("\\.class$", "").replace('/', '.')));
    }
  }

  /**
   * Those loaded until the first line is in the log of such an appender, or for a second: then what
   * steers an appender is loaded.
   */
  private Set<String> loaded(String appender) throws Exception {
    Path place = Files.createDirectory(directory.resolve(appender));
    Path list = place.resolve("classes");
    ChildJvm.run(
        List.of("-Xlog:class+load:file=" + list + ":uptimenanos:filecount=0"),
        FirstLine.class,
        appender,
        place.resolve("app.log").toString());
    Set<String> names = new TreeSet<>();
    long endNs = Long.MAX_VALUE;
    for (String line : Files.readAllLines(list)) {
      Matcher loading = LOADING.matcher(line);
      assertThat(loading.find()).as(line).isTrue();
      long atNs = Long.parseLong(loading.group("ns"));
      String name = loading.group("name");
      if (atNs >= endNs || name.equals(FirstLineWritten.class.getName())) {
        return names;
      }
      if (name.equals("dev.forebay.pipeline.Reporter")) {
        endNs = atNs + TimeUnit.SECONDS.toNanos(1);
      }
      names.add(name);
    }
    throw new AssertionError("no end in " + list);
  }

  private static final class FirstLineWritten {
    private FirstLineWritten() {}
  }

  static final class FirstLine {

    private FirstLine() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      Path log = Path.of(args[1]);
      Joran.configure(
          context,
          """
          <configuration>
            <appender name="A" class="%1$s">
              <file>%2$s</file>
              <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
                <fileNamePattern>%2$s.%%d</fileNamePattern>
              </rollingPolicy>
              <encoder><pattern>%%msg%%n</pattern></encoder>
            </appender>
            <root><appender-ref ref="A"/></root>
          </configuration>
          """
              .formatted(args[0], log));
      context.getLogger(Logger.ROOT_LOGGER_NAME).info("line");
      Await.until("in the log", () -> Files.exists(log) && Files.size(log) > 0);
      Class<?> unused = Class.forName(FirstLineWritten.class.getName());
      context.stop();
    }
  }
}
