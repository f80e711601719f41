package dev.forebay.it.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import dev.forebay.it.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Without /dev/shm and /proc, as under macOS, whose name the JVM gives there. */
class NoProcIT {

  private static final String MAC = "-Dos.name=Mac OS X";

  /** Hides both in a mount namespace. A JVM finds its libraries through /proc. */
  private static final String HIDE =
      """
      set -e
      mount -t tmpfs none "$1"
      for device in null zero random urandom; do
        touch "$1/$device"
        mount --bind "/dev/$device" "$1/$device"
      done
      mount --move "$1" /dev
      mount -t tmpfs -o ro none /proc
      export LD_LIBRARY_PATH="$2/lib:$2/lib/server"
      shift 2
      exec "$@"
      """;

  @AutoClose private final Places places = Places.create();
  private final Oracle oracle = new Oracle();
  private final String inner =
      "<file>%s</file>".formatted(places.log())
          + "<appendTimeout>30 seconds</appendTimeout>"
          + Xml.FAST
          + Xml.MESSAGES;

  @BeforeEach
  void assumePossible() throws Exception {
    Needs.root("mount namespaces");
    assumeTrue(
        Command.exitCode("unshare", "-m", "true") == 0,
        "no unshare: install util-linux, and allow namespaces");
  }

  private Path temp() {
    return places.root().resolve("temp");
  }

  private List<String> hidden(String name) throws IOException {
    return List.of(
        "unshare",
        "-m",
        "sh",
        "-c",
        HIDE,
        "sh",
        places.directory("dev-" + name).toString(),
        System.getProperty("java.home"));
  }

  private Child start(String name, long count, String end, String system) throws IOException {
    Files.createDirectories(temp());
    return Child.startWith(
        List.of("-Djava.io.tmpdir=" + temp(), system),
        new Child.Task(name, 1, count, 500, 5, end),
        Xml.configuration(inner),
        places.directory(name),
        hidden(name).toArray(new String[0]));
  }

  @Test
  void aSpoolInTheTemporaryDirectorySurvivesAKillAndIsNoReasonForAWarning() throws Exception {
    try (Child child = start("first", Long.MAX_VALUE, "exit", MAC)) {
      child.awaitOffered(0, 1_000);
      child.kill();
      child.tell(oracle);
    }
    try (Stream<Path> spools = Files.list(temp())) {
      assertThat(spools).anyMatch(path -> path.getFileName().toString().startsWith("forebay-"));
    }
    assertThat(list().lines())
        .anyMatch(line -> line.contains("dead") && line.contains(places.log().toString()));
    stop("second", MAC, "");
    assertThat(oracle.requireSound(places.lines()).lines()).containsEntry("second-0", 1_000L);
    try (Stream<Path> left = Files.list(temp())) {
      assertThat(left.filter(path -> !path.endsWith("hsperfdata_root"))).isEmpty();
    }
  }

  private Tool.Run list() throws Exception {
    List<String> around = new ArrayList<>(hidden("tool"));
    String options = "JAVA_TOOL_OPTIONS=\"%s\" -Djava.io.tmpdir=%s".formatted(MAC, temp());
    around.addAll(List.of("env", options));
    return Tool.run(around, Tool.jar(), "ls");
  }

  @Test
  void aLogThatOthersRenameHasEachLineOnce() throws Exception {
    Path renamed = places.logDirectory().resolve("renamed.log");
    try (Child child = start("only", 2_000, "stop", MAC)) {
      Await.until("written", () -> Files.exists(places.log()) && Files.size(places.log()) > 10_000);
      Files.move(places.log(), renamed);
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      child.tell(oracle);
    }
    List<String> lines = new ArrayList<>(Files.readAllLines(renamed));
    lines.addAll(Files.readAllLines(places.log()));
    oracle.complete(0).requireSound(lines);
  }

  @Tag("nightly")
  @Test
  void aLinuxWithoutThemSpoolsInTheHeapAndSaysSo() throws Exception {
    stop("only", "-Dforebay.it=linux", "<spoolDirectory> /dev/shm cannot be used");
    oracle.complete(0).requireSound(places.lines());
  }

  private void stop(String name, String system, String warning) throws Exception {
    try (Child child = start(name, 1_000, "stop", system)) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      child.tell(oracle);
      assertThat(child.status().lines().toList())
          .hasSize(warning.isEmpty() ? 0 : 1)
          .allMatch(line -> line.contains(warning));
    }
  }
}
