package dev.forebay.benchmarks.lab.host;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Command lines of JVMs like this one. */
final class JavaCommand {

  /**
   * Options of all measured JVMs. A heap that is touched beforehand has no page faults later; a
   * young generation of this size lasts a paced run, or else a collection would fall into some runs
   * and not into others.
   */
  static final List<String> OPTIONS =
      List.of("-Xms1g", "-Xmx1g", "-Xmn640m", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC");

  /** Passed on to the child. */
  static final List<String> PROPERTIES =
      List.of("lab.warmUpSeconds", "lab.seconds", "lab.events", "lab.encoder");

  private JavaCommand() {}

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Absolute, since a child may have another working directory. */
  static String ownClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A measured JVM, up to the name of its main class, with the peer's libraries first. */
  static List<String> measured(List<Path> libraries, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(OPTIONS);
    command.addAll(options);
    for (String property : PROPERTIES) {
      String value = System.getProperty(property);
      if (value != null) {
        command.add("-D" + property + "=" + value);
      }
    }
    // That a provider of SLF4J is loaded is nothing to keep a file for.
    command.add("-Dslf4j.internal.verbosity=WARN");
    command.add("-cp");
    command.add(
        Stream.concat(libraries.stream().map(Path::toString), Stream.of(ownClassPath()))
            .collect(Collectors.joining(File.pathSeparator)));
    return command;
  }
}
