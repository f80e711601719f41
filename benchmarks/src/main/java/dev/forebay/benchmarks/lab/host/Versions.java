package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names and versions of libraries. */
final class Versions {

  /** Group and name of what matters on the class path of the benchmarks. */
  private static final List<String> OWN =
      List.of(
          "ch.qos.logback/logback-classic",
          "org.slf4j/slf4j-api",
          "net.logstash.logback/logstash-logback-encoder",
          "com.lmax/disruptor");

  private static final String JAR = ".jar";

  private Versions() {}

  /** Of the libraries of the benchmarks, from the notes that Maven leaves in jars. */
  static String own() {
    return OWN.stream().map(Versions::noted).flatMap(Optional::stream).collect(joining());
  }

  /** Of jars, from what Maven or the manifest notes in them. */
  static String of(List<Path> jars) throws IOException {
    List<String> versions = new ArrayList<>();
    for (Path jar : jars) {
      String file = jar.getFileName().toString();
      String name = file.endsWith(JAR) ? file.substring(0, file.length() - JAR.length()) : file;
      try (JarFile content = new JarFile(jar.toFile())) {
        versions.add(name + versionIn(content).map(version -> " " + version).orElse(""));
      }
    }
    return String.join(", ", versions);
  }

  private static Optional<String> versionIn(JarFile jar) throws IOException {
    List<JarEntry> notes =
        jar.stream()
            .filter(entry -> entry.getName().matches("META-INF/maven/[^/]+/[^/]+/pom.properties"))
            .toList();
    if (notes.size() == 1) { // more than one: other libraries are packed into it
      try (InputStream note = jar.getInputStream(notes.get(0))) {
        Properties properties = new Properties();
        properties.load(note);
        return Optional.ofNullable(properties.getProperty("version"));
      }
    }
    Manifest manifest = jar.getManifest();
    if (manifest == null) {
      return Optional.empty();
    }
    Attributes main = manifest.getMainAttributes();
    return Stream.of("Implementation-Version", "Bundle-Version")
        .map(main::getValue)
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(", ");
  }

  private static Optional<String> noted(String artifact) {
    String resource = "/META-INF/maven/" + artifact + "/pom.properties";
    try (InputStream notes = Versions.class.getResourceAsStream(resource)) {
      if (notes == null) {
        return Optional.empty();
      }
      Properties properties = new Properties();
      properties.load(notes);
      return Optional.of(
          artifact.substring(artifact.indexOf('/') + 1)
              + " "
              + properties.getProperty("version", "?"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
