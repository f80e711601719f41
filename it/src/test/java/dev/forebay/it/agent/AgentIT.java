package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Servers;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One flag, and the application notices nothing but that its JVM's log is there. */
@Tag("jdk")
class AgentIT {

  /** Between two garbage collections: a log has to grow, not to overflow. */
  private static final Duration PACE = Duration.ofMillis(50);

  @AutoClose private final Places places = Places.create();

  private final Path log = places.logDirectory().resolve("gc.log");
  private int lives;

  /** Only the tests' own classes: no library is among them. */
  private static String bare() {
    return Path.of("target", "test-classes").toAbsolutePath().toString();
  }

  private Truth truth(int life) {
    return new Truth(places.spool().resolve("truth-" + life));
  }

  private Program start(String classPath, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xmx64m"));
    all.add(truth(++lives).option());
    all.addAll(List.of(options));
    Path directory = places.directory("life-" + lives);
    Program program = Program.start(directory, all, classPath, Neighbour.class.getName());
    program.awaitSaid("manager ");
    return program;
  }

  private Program startWithAgent() throws IOException {
    return start(bare(), AgentJar.option(AgentJar.arguments(log, places)));
  }

  private List<String> lines() throws IOException {
    return Truth.ofJvm(LogFiles.of(log).lines());
  }

  /** Has it collect garbage until the log tells of it, after all that lives before it left. */
  private void awaitCarried(Program program) throws IOException {
    awaitCarried(log, program);
  }

  /** Leaves the agent time to run: collections one behind the other stop all threads for good. */
  private static void collect(Program program) throws IOException {
    long before = collected(program);
    program.tell("gc");
    Await.until("it has collected", () -> collected(program) > before);
    Await.pass(PACE);
  }

  private static long collected(Program program) {
    return program.output().lines().filter(line -> line.startsWith("collected ")).count();
  }

  private void awaitCarried(Path log, Program program) throws IOException {
    Truth own = truth(lives);
    Await.until(
        "a line of the JVM: " + program.output(),
        () -> {
          collect(program);
          List<String> lines = LogFiles.of(log).lines();
          return !lines.isEmpty() && own.lines().contains(lines.get(lines.size() - 1));
        });
  }

  @Test
  void theJarShowsTwoClassesToTheApplication() throws Exception {
    try (JarFile jar = new JarFile(AgentJar.path().toFile())) {
      assertThat(jar.stream().map(Object::toString))
          .filteredOn(name -> !name.endsWith("/") && !name.startsWith("forebay/"))
          .containsExactlyInAnyOrder(
              "META-INF/MANIFEST.MF",
              "META-INF/LICENSE",
              "META-INF/NOTICE",
              "META-INF/licenses/EPL-2.0.txt",
              "META-INF/licenses/SLF4J-MIT.txt",
              "dev/forebay/javaagent/Agent.class",
              "dev/forebay/javaagent/HiddenClasses.class");
    }
  }

  @Test
  void anApplicationWithoutLibrariesSeesNoneOfTheAgentsWhereverTheJarLies() throws Exception {
    Path jar = Files.copy(AgentJar.path(), places.directory("odd %21!").resolve("agent.jar"));
    String agent = "-javaagent:%s=%s".formatted(jar, AgentJar.arguments(log, places));
    try (Program program = start(bare(), agent)) {
      awaitCarried(program);
      program.tell("look");
      program.awaitSaid("looked");
      assertThat(program.end()).isZero();
      assertThat(program.output()).contains("manager Manager").doesNotContain("found");
      assertThat(program.output().lines().filter(line -> line.contains(" files ")))
          .isNotEmpty()
          .allMatch(line -> line.endsWith(" 0"));
    }
  }

  @Test
  void theLogBeginsBeforeTheMainMethodWhichStillChoosesWhatItCan() throws Exception {
    try (Program program = startWithAgent()) {
      assertThat(program.output())
          .contains("manager Manager")
          .as("no MBean server before the application's")
          .doesNotContain("builder ");
      assertThat(program.end()).isZero();
    }
    try (Program program = startWithAgent()) {
      Await.until(
          "a bean: " + program.output(),
          () -> {
            program.tell("beans");
            return program.output().contains("dev.forebay:type=Appender,context=forebay-agent");
          });
      assertThat(program.output()).contains("builder Builder");
      awaitCarried(program);
      Await.until( // before all of the agent has started, the answer may be the system's
          "the zone that main has named: " + program.output(),
          () -> {
            program.tell("zone");
            return program.output().contains("zone Pacific/Kiritimati");
          });
      assertThat(program.end()).isZero();
    }
    Truth.requireInOrder(lines(), truth(1), truth(2));
    assertThat(lines())
        .containsOnlyOnce(
            truth(1).lines().stream()
                .filter(line -> line.contains("Pause ")) // main's first; GCLocker may rename it
                .findFirst()
                .orElseThrow());
  }

  /** The option for an agent of the tests. */
  private String other(Class<?> agent) throws IOException {
    Path jar = places.directory("other").resolve("agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", agent.getName());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return "-javaagent:" + jar;
  }

  /** When nothing but the JVM itself has written, perhaps; to an output of ours or of its own. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAJvmWroteThatWasKilledBeforeItsMainMethodIsInTheLog(boolean isOfCommandLine)
      throws Exception {
    String own = "file=%s,spoolDirectory=%s".formatted(log, places.spool());
    String[] agent = {
      AgentJar.option(isOfCommandLine ? own : AgentJar.arguments(log, places)),
      isOfCommandLine
          ? "-Xlog:%s:file=%s:%s:filecount=5,filesize=1M"
              .formatted(Truth.WHAT, places.spool().resolve("own.log"), Truth.DECORATORS)
          : "-XX:+UseSerialGC"
    };
    List<String> killed = new ArrayList<>(List.of("-XX:+UseSerialGC", truth(++lives).option()));
    killed.addAll(List.of(agent));
    killed.add(other(KillAgent.class));
    try (Program program =
        Program.start(places.directory("killed"), killed, bare(), Neighbour.class.getName())) {
      assertThat(program.end()).as(program.output()).isEqualTo(KillAgent.EXIT_CODE);
    }
    try (Program program = start(bare(), agent)) {
      awaitCarried(program);
      assertThat(program.end()).isZero();
      assertThat(program.output()).doesNotContain("forebay-agent");
    }
    Truth.requireInOrder(lines(), truth(1), truth(2));
    assertThat(lines().get(0)).as("a line of the killed one").isIn(truth(1).lines());
  }

  /** Ends its JVM after a collection, without any hook. */
  public static final class KillAgent {

    static final int EXIT_CODE = 7;

    private KillAgent() {}

    /** For the JVM, which does not find it otherwise. */
    public static void premain(String arguments) {
      System.gc();
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  @Test
  void anApplicationKeepsItsOwnLogbackAndSlf4j() throws Exception {
    String own = bare() + File.pathSeparator + Servers.libraries("zookeeper");
    try (Program program = start(own, AgentJar.option(AgentJar.arguments(log, places)))) {
      awaitCarried(program);
      program.tell("look");
      program.awaitSaid("looked");
      assertThat(program.end()).isZero();
      assertThat(program.output())
          .contains("ch.qos.logback.classic.Logger files 1", "org.slf4j.LoggerFactory files 1")
          .contains("META-INF/services/org.slf4j.spi.SLF4JServiceProvider files 1")
          .contains("dev.forebay.tiered.TieredAppender files 0")
          .containsPattern("logs through .*/logback-classic-1\\.3\\.15\\.jar")
          .doesNotContain("SLF4J("); // which found another provider
    }
  }

  @Test
  void attachedAtRunTimeItCarriesFromThereOnAndStartsOnce() throws Exception {
    String arguments = AgentJar.arguments(log, places);
    try (Program program = start(bare())) {
      VirtualMachine jvm = VirtualMachine.attach(String.valueOf(program.pid()));
      try {
        jvm.loadAgent(AgentJar.path().toString(), arguments);
        awaitCarried(program);
        jvm.loadAgent(AgentJar.path().toString(), arguments);
      } finally {
        jvm.detach();
      }
      program.awaitSaid("forebay-agent: already in this JVM");
      assertThat(program.end()).isZero();
    }
    assertThat(LogFiles.of(log).lines()).first().asString().startsWith(Truth.BEGIN);
    Truth.requireInOrder(lines(), truth(1));
  }

  @Test
  void anExitDuringAFreezeWaitsForNoDiskAndTheNextLifeCarriesTheRest() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path frozen = disk.at().resolve("gc.log");
      String agent = AgentJar.option(AgentJar.arguments(frozen, places));
      try (Program program = start(bare(), agent)) {
        awaitCarried(frozen, program);
        disk.freeze();
        program.tell("gc");
        long startNs = System.nanoTime();
        program.closeInput();
        Await.until("main thread is gone", () -> Program.isMainThreadGone(program.pid()));
        CallTimes.record("exit with the agent, frozen disk", System.nanoTime() - startNs);
        disk.thaw();
        assertThat(program.end()).isZero();
      }
      try (Program program = start(bare(), agent)) {
        awaitCarried(frozen, program);
        long startNs = System.nanoTime();
        assertThat(program.end()).isZero();
        CallTimes.record("exit with the agent, healthy disk", System.nanoTime() - startNs);
      }
      Truth.requireInOrder(LogFiles.of(frozen).lines(), truth(1), truth(2));
    }
  }

  @Test
  void aWrongArgumentIsNamedAndTheApplicationRuns() throws Exception {
    String wrong = "file=" + log + ",wat=gc*,spoolDirectory=" + places.spool();
    try (Program program = start(bare(), AgentJar.option(wrong))) {
      program.awaitSaid("forebay-agent: ");
      assertThat(program.end()).isZero();
      assertThat(program.output()).contains("ended", "\"wat\" is unknown: must be one of file,");
    }
  }

  /** An application does not wait for a log that cannot be opened in time. */
  @Test
  void anApplicationThatStartsWithoutTheLogIsToldWhatIsMissing() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      disk.freeze();
      String agent = AgentJar.option("file=" + log + ",spoolDirectory=" + disk.at());
      try (Program program = start(bare(), agent)) {
        assertThat(program.output())
            .contains(
                "forebay-agent: the log is not open after 3 s, and the program starts: what the JVM writes until then is missing");
        disk.thaw();
        program.awaitSaid("is not on tmpfs");
        assertThat(program.end()).isZero();
      }
    }
  }
}
