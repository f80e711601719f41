package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the module path the limit of Logback's policy by size and time is hidden from us. */
@Tag("once")
class ModulePathTest {

  private static final List<String> MODULES =
      List.of("appender-", "logback-c", "slf4j-api", "jspecify");

  @TempDir Path directory;

  @Test
  void rollingBySizeAndTimeShipsManyRecordsATurn() throws Exception {
    assertThat(child()).isEqualTo("module true committed 20000 turns 2");

    List<Path> archives;
    try (Stream<Path> files = Files.list(directory)) {
      archives = files.filter(file -> file.toString().matches(".*app.*\\.[0-9]+\\.log")).toList();
    }
    assertThat(archives).hasSize(3);
    for (Path archive : archives) { // the policy's limit is not known here: asked once a batch
      assertThat(Files.size(archive)).isBetween(500 * 1024L, 500 * 1024L + 256 * 1024 + 97);
    }
  }

  private String child() throws Exception {
    String classPath = System.getProperty("java.class.path");
    String modules =
        Stream.of(classPath.split(File.pathSeparator))
            .filter(entry -> !entry.contains("test-classes") && !entry.contains("-tests."))
            .filter(entry -> MODULES.stream().anyMatch(entry::contains))
            .collect(Collectors.joining(File.pathSeparator));
    Path tests =
        Path.of(ModulePathTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "--module-path",
                modules,
                "--patch-module",
                "dev.forebay.tiered=" + tests,
                "--module",
                "dev.forebay.tiered/" + ModulePathMain.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8);
    child.waitFor();
    return said.strip();
  }
}
