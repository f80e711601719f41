package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.DumpFiles;
import dev.forebay.host.FileTree;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a flight recorder makes of the end of a JVM in which nobody stops the appender. */
@Tag("once")
class FlightEndTest {

  @TempDir Path directory;
  private Path shm;

  @BeforeEach
  void create() throws Exception {
    shm = Files.createTempDirectory(Path.of("/dev/shm"), "end-");
  }

  @AfterEach
  void delete() throws Exception {
    FileTree.delete(shm);
  }

  @Test
  void anOrderlyEndIsNoCrashAndLeavesNoLoop() throws Exception {
    run("return");
    assertThat(FileTree.contains(shm, "trace 9\n")).as("a loop").isFalse();
    run("exit");
    run("late");
    run("return");
    assertThat(dumps()).isEmpty();
    assertThat(log()).filteredOn("info"::equals).hasSize(4);
  }

  @Test
  void anEndWithoutHooksIsACrash() throws Exception {
    run("halt");
    assertThat(FileTree.contains(shm, "trace 9\n")).isTrue();
    run("return");
    assertThat(dumps()).singleElement().asString().contains(".crash-");
    assertThat(DumpFiles.events(dumps().get(0))).hasSize(11).startsWith("trace 0");
  }

  @Test
  void anOrderlyEndThatHangsIsACrash() throws Exception {
    run("hang");
    run("return");
    assertThat(dumps()).singleElement().asString().contains(".crash-");
    assertThat(DumpFiles.events(dumps().get(0))).endsWith("late");
  }

  @Test
  void theDumpOfAnErrorBeforeTheEndIsCompletedAndAnnounced() throws Exception {
    run("error");
    assertThat(dumps()).singleElement().asString().contains(".ERROR.");
    assertThat(DumpFiles.events(dumps().get(0))).hasSize(12).endsWith("error");
    assertThat(log()).last().asString().contains("has written " + dumps().get(0));
    run("return");
    assertThat(dumps()).hasSize(1);
  }

  private List<Path> dumps() throws Exception {
    return DumpFiles.of(directory.resolve("app.log"));
  }

  private List<String> log() throws Exception {
    return Files.readAllLines(directory.resolve("app.log"));
  }

  private void run(String end) throws Exception {
    ChildJvm.run(
        List.of("-XX:TieredStopAtLevel=1", "--add-opens=java.base/java.lang=ALL-UNNAMED"),
        Life.class,
        directory.toString(),
        shm.toString(),
        end);
  }

  static final class Life {

    private Life() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      TieredAppender appender =
          Joran.tiered(
              context,
              """
              <file>%s/app.log</file><spoolDirectory>%s</spoolDirectory>
              <segmentSize>64 KB</segmentSize><maxFlushTime>30 seconds</maxFlushTime>
              <flightRecorder><size>1 MB</size><after>1 minute</after></flightRecorder>
              """
                  .formatted(args[0], args[1]));
      Logger logger = context.getLogger("application");
      for (int i = 0; i < 10; i++) {
        logger.trace("trace {}", i);
      }
      logger.info("info");
      appender.flush(Duration.ofSeconds(30));
      awaitDeadDumped(Path.of(args[1]));
      switch (args[2]) {
        case "exit" -> System.exit(0);
        case "halt" -> Runtime.getRuntime().halt(0);
        case "error" -> logger.error("error");
        case "late" -> atTheEnd(() -> logger.trace("late"));
        case "hang" ->
            atTheEnd(
                () -> {
                  logger.trace("late");
                  appender.flush(Duration.ofSeconds(30));
                  Runtime.getRuntime().halt(0); // as a kill would
                });
        default -> {}
      }
    }

    private static void awaitDeadDumped(Path shm) throws IOException {
      Await.until(
          "dumped",
          () ->
              FileTree.entries(shm).stream()
                      .filter(path -> path.getFileName().toString().startsWith("flight-"))
                      .count()
                  == 1);
    }

    /** Runs it as a hook, after that of the appenders has ended. */
    private static void atTheEnd(Runnable last) throws ReflectiveOperationException {
      Thread drain = hookOfAppenders();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    Await.until("drained", () -> drain.getState() == Thread.State.TERMINATED);
                    last.run();
                  }));
    }

    private static Thread hookOfAppenders() throws ReflectiveOperationException {
      Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
      hooks.setAccessible(true);
      return ((Map<?, ?>) hooks.get(null))
          .keySet().stream()
              .map(Thread.class::cast)
              .filter(hook -> hook.getName().equals("forebay-shutdown"))
              .findAny()
              .orElseThrow();
    }
  }
}
