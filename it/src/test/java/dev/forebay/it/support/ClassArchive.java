package dev.forebay.it.support;

import dev.forebay.host.Command;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes that a {@link LoggingChild} loads, as the JVM has them in memory: a child maps them
 * in place of reading, checking and linking each, which is a third of what its start costs. The
 * first process of a build that needs the archive makes it, for its own JDK.
 *
 * <p>An archive has classes from jars only, and fits a class path that begins with these jars. A
 * JVM that cannot use it starts without.
 */
final class ClassArchive {

  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path ARCHIVE = TARGET.resolve("children-" + Runtime.version() + ".jsa");
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private ClassArchive() {}

  /** Options of a JVM with this class path, which has directories after its jars. */
  static synchronized List<String> options(String classPath) throws IOException {
    List<String> jars =
        Stream.of(classPath.split(File.pathSeparator, -1))
            .takeWhile(entry -> entry.endsWith(".jar"))
            .toList();
    if (jars.isEmpty() || !Files.isDirectory(TARGET)) {
      return List.of(); // in an IDE
    }
    if (!fits(jars)) {
      try (FileChannel file =
              FileChannel.open(
                  TARGET.resolve("children.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = file.lock()) {
        if (lock.isValid() && !fits(jars)) {
          make(classPath, String.join(File.pathSeparator, jars));
        }
      }
    }
    return List.of("-XX:SharedArchiveFile=" + ARCHIVE);
  }

  /** Whether it is there and no jar was built after it. */
  private static boolean fits(List<String> jars) throws IOException {
    if (!Files.exists(ARCHIVE)) {
      return false;
    }
    FileTime made = Files.getLastModifiedTime(ARCHIVE);
    for (String jar : jars) {
      if (Files.getLastModifiedTime(Path.of(jar)).compareTo(made) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Lists what one child loads, and archives what of it is in jars. */
  private static void make(String classPath, String jars) throws IOException {
    try (Places places = Places.create()) {
      Path list = places.root().resolve("classes");
      Child.Task task = new Child.Task("listed", 2, 100, 50, 0, "stop");
      ChildReports child =
          ChildReports.in(
              places.directory("child"),
              task,
              Xml.configuration(places.xml() + Xml.FAST + Xml.MESSAGES));
      List<String> command = new ArrayList<>(List.of(JAVA.toString()));
      command.addAll(Program.QUICK);
      command.addAll(List.of("-XX:DumpLoadedClassList=" + list, "-cp", classPath));
      command.addAll(child.mainAndArguments(places.root().resolve("child")));
      Command.run(command.toArray(new String[0]));
      Path unfinished = ARCHIVE.resolveSibling(ARCHIVE.getFileName() + ".new");
      Command.run(
          JAVA.toString(),
          "-Xshare:dump",
          "-XX:SharedClassListFile=" + list,
          "-XX:SharedArchiveFile=" + unfinished,
          "-cp",
          jars);
      Files.move(unfinished, ARCHIVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
