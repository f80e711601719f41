package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Names and versions of libraries. */
final class Versions {

  /** Group and name of what matters on the class path of the benchmarks. */
  private static final List<String> OWN =
      List.of(
          "ch.qos.logback/logback-classic",
          "org.slf4j/slf4j-api",
          "net.logstash.logback/logstash-logback-encoder",
          "com.lmax/disruptor",
          "org.jctools/jctools-core");

  private static final String JAR = ".jar";

  private Versions() {}

  /** Of the libraries of the benchmarks, from the notes that Maven leaves in jars. */
  static String own() {
    return OWN.stream().map(Versions::noted).flatMap(Optional::stream).collect(joining());
  }

  /** Of jars, from their names: {@code log4j-core-2.26.1.jar}. */
  static String of(List<Path> jars) {
    return jars.stream().map(jar -> named(jar.getFileName().toString())).collect(joining());
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

  private static String named(String jar) {
    String name = jar.endsWith(JAR) ? jar.substring(0, jar.length() - JAR.length()) : jar;
    return name.replaceFirst("-(?=\\d)", " ");
  }
}
