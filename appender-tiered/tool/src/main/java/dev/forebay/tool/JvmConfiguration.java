package dev.forebay.tool;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The Logback configuration of a running JVM, found by its command line as Logback and Spring Boot
 * find it.
 *
 * @param sources the first one found; none if it is elsewhere, for example behind a JNDI name
 */
record JvmConfiguration(List<Source> sources, Framework framework) {

  private static final List<String> PROPERTIES =
      List.of("-Dlogback.configurationFile=", "-Dlogging.config=", "-Dlogger.file=");
  private static final List<String> CLASS_PATH = List.of("-cp", "-classpath", "--class-path");
  private static final List<String> NAMES =
      List.of("logback-test.xml", "logback-spring.xml", "logback.xml");
  private static final String IN_BOOT = "BOOT-INF/classes/";
  private static final String FILE_URL = "file:";

  /**
   * One file.
   *
   * @param name its path, for messages
   * @param content its bytes, read once
   */
  record Source(String name, InputStream content) {}

  static JvmConfiguration of(Jvm jvm) throws IOException {
    List<String> entries = classPath(jvm.commandLine());
    List<Source> found = new ArrayList<>();
    Framework framework = Framework.NONE;
    for (String word : jvm.commandLine()) {
      for (String property : PROPERTIES) {
        if (word.startsWith(property)) {
          String value = word.substring(property.length());
          String path = value.startsWith(FILE_URL) ? value.substring(FILE_URL.length()) : value;
          addFile(path, jvm.here(path), found);
        }
      }
    }
    for (String entry : entries) {
      if (entry.contains("spring-boot")) {
        framework = Framework.BOOT;
      } else if (entry.matches(".*[/.]play_\\d.*|.*[/.]play-server_.*")) {
        framework = Framework.PLAY;
      }
      Path here = jvm.here(entry);
      if (Files.isDirectory(here)) {
        for (String name : NAMES) {
          addFile(Path.of(entry, name).toString(), here.resolve(name), found);
        }
      } else if (Files.isRegularFile(here)) {
        framework = addFromJar(entry, here, found) ? Framework.BOOT : framework;
      }
    }
    return new JvmConfiguration(found.stream().limit(1).toList(), framework);
  }

  /** The value of the last class path option, or the jar. */
  static List<String> classPath(List<String> commandLine) {
    List<String> entries = List.of(".");
    for (int i = 0; i + 1 < commandLine.size(); i++) {
      if (CLASS_PATH.contains(commandLine.get(i))) {
        entries = List.of(commandLine.get(i + 1).split(":", -1));
      } else if (commandLine.get(i).equals("-jar")) {
        return List.of(commandLine.get(i + 1));
      }
    }
    return entries;
  }

  private static Source source(String name, byte[] bytes) {
    return new Source(name, new ByteArrayInputStream(bytes));
  }

  private static void addFile(String name, Path here, List<Source> found) throws IOException {
    if (Files.isRegularFile(here)) {
      found.add(source(name, Files.readAllBytes(here)));
    }
  }

  /** Whether it is a fat jar of Spring Boot. */
  private static boolean addFromJar(String entry, Path here, List<Source> found)
      throws IOException {
    try (ZipFile jar = new ZipFile(here.toFile())) {
      for (String name : NAMES) {
        for (String place : List.of(IN_BOOT + name, name)) {
          ZipEntry file = jar.getEntry(place);
          if (file != null) {
            found.add(source(entry + "!" + place, jar.getInputStream(file).readAllBytes()));
          }
        }
      }
      return jar.getEntry(IN_BOOT) != null;
    } catch (ZipException e) {
      return false; // no jar: the JVM ignores it too
    }
  }
}
