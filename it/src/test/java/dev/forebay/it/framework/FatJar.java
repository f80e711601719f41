package dev.forebay.it.framework;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The Spring Boot application of {@code it/boot}, packed for one line of Boot. */
public enum FatJar {
  BOOT_3("boot3"),
  BOOT_4("boot4");

  private final String module;

  FatJar(String module) {
    this.module = module;
  }

  /** Those that this run is to try; others run on another JDK. */
  public static List<FatJar> wanted() {
    return Stream.of(System.getProperty("forebay.boot", "BOOT_3,BOOT_4").split(",", -1))
        .map(FatJar::valueOf)
        .toList();
  }

  /** As the build made it: without a Logback configuration. */
  public Path path() {
    Path jar = Path.of("boot", module, "target", "app.jar").toAbsolutePath();
    if (!Files.exists(jar)) {
      throw new AssertionError(jar + " is missing: mvn package -DskipTests -pl '!benchmarks'");
    }
    return jar;
  }

  /** A copy with a file on its class path, as if the application had been built with it. */
  public Path with(String resource, String content, Path directory) throws IOException {
    Path copy = Files.copy(path(), directory.resolve("app.jar"));
    try (FileSystem jar =
        FileSystems.newFileSystem(URI.create("jar:" + copy.toUri()), Map.<String, Object>of())) {
      Files.writeString(jar.getPath("BOOT-INF/classes", resource), content);
    }
    return copy;
  }
}
