package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The JDKs of this machine. */
final class Jdks {

  private static final Path ALL = Path.of("/usr/lib/jvm");

  private Jdks() {}

  /** Homes by version, 17 for one: that of this JVM and those in the usual place. */
  static Map<Integer, Path> found() throws IOException {
    Map<Integer, Path> homes = new TreeMap<>();
    if (Files.isDirectory(ALL)) {
      try (Stream<Path> entries = Files.list(ALL)) {
        for (Path home : entries.sorted().toList()) {
          if (Files.isExecutable(home.resolve("bin").resolve("java"))
              && Files.isReadable(home.resolve("release"))) {
            homes.put(version(home.resolve("release")), home);
          }
        }
      }
    }
    homes.put(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    return homes;
  }

  private static int version(Path release) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(release)) {
      lines.load(reader);
    }
    String version = lines.getProperty("JAVA_VERSION", "0").replace("\"", "");
    return Integer.parseInt(version.split("[.+-]", -1)[0]);
  }
}
