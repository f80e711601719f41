package dev.forebay.it.container;

import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.LoggingChild;
import dev.forebay.it.support.OtherUser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * An image made from nothing: empty directories. Over it every container sees a small copy of the
 * running JDK, the shared libraries it is linked to, and the class path of {@link LoggingChild},
 * which are mounted, because an engine takes long to pack and unpack them. The copy of the JDK
 * stays in {@code target} for the next run.
 */
final class ContainerImage {

  /** Where the java command is in it. */
  static final String JAVA = "/jre/bin/java";

  /** Its class path. */
  static final String CLASS_PATH = "/app/*:/app/classes";

  private static final List<String> MODULES =
      List.of(
          "java.logging",
          "java.management",
          "java.naming",
          "java.xml",
          "jdk.net",
          "jdk.unsupported");

  /** Directories for everybody: a new volume takes its mode from the directory it is mounted on. */
  private static final List<String> SHARED = List.of("tmp", "log", "spool");

  private static final ImageFromDockerfile IMAGE = new ImageFromDockerfile();

  /** What containers see of this machine, by where they see it; empty until it is made. */
  private static final Map<Path, Path> MOUNTED = new HashMap<>();

  private ContainerImage() {}

  /** The image, which Testcontainers builds when a container first needs it. */
  static synchronized ImageFromDockerfile image() throws Exception {
    if (MOUNTED.isEmpty()) {
      Path target = Path.of("target").toAbsolutePath();
      Path own = target.resolve("container-own-" + ProcessHandle.current().pid());
      Path app = own.resolve("app");
      copyClassPath(app);
      for (String shared : SHARED) {
        OtherUser.share(own.resolve("empty").resolve(shared));
      }
      IMAGE
          .withFileFromPath("empty", own.resolve("empty"))
          .withFileFromString("Dockerfile", "FROM scratch\nADD empty/ /\n");
      try (Stream<Path> jdk =
          Files.list(rootFileSystem(target.resolve("container-" + Runtime.version())))) {
        jdk.forEach(path -> MOUNTED.put(Path.of("/").resolve(path.getFileName()), path));
      }
      MOUNTED.put(Path.of("/app"), app);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(own)));
    }
    return IMAGE;
  }

  /** What a container of the image has to see, read only. */
  static synchronized Map<Path, Path> mounted() {
    return Map.copyOf(MOUNTED);
  }

  /** When no container needs it any more: JUnit's own end comes with each class of a forked JVM. */
  private static void remove(Path own) {
    if (IMAGE.isDone()) {
      DockerClientFactory.instance().client().removeImageCmd(IMAGE.getDockerImageName()).exec();
    }
    try {
      FileTree.delete(own);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One for all test runs; the first process that needs it makes it. */
  private static Path rootFileSystem(Path root) throws Exception {
    try (FileChannel file =
            FileChannel.open(
                root.resolveSibling("container.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      return lock.isValid() && Files.exists(root) ? root : newRootFileSystem(root);
    }
  }

  private static Path newRootFileSystem(Path root) throws Exception {
    Path unfinished = root.resolveSibling(root.getFileName() + ".new");
    FileTree.delete(unfinished);
    Files.createDirectories(unfinished);
    link(unfinished.resolve("jre"));
    copyLibraries(unfinished);
    return Files.move(unfinished, root, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void link(Path jre) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int code =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new AssertionError("no jlink in " + System.getProperty("java.home")))
            .run(
                out,
                out,
                "--add-modules=" + String.join(",", MODULES),
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--output=" + jre);
    if (code != 0) {
      throw new AssertionError("jlink: " + said);
    }
  }

  /** What the java command and its libraries load, at the same paths. */
  private static void copyLibraries(Path root) throws IOException, InterruptedException {
    Set<Path> needed = new LinkedHashSet<>();
    try (Stream<Path> files = Files.walk(root.resolve("jre"))) {
      for (Path file : files.filter(ContainerImage::isLinked).toList()) {
        for (String line : Command.run("ldd", file.toString()).lines().toList()) {
          Stream.of(line.strip().split("\\s+"))
              .filter(word -> word.startsWith("/"))
              .map(Path::of)
              .filter(library -> !library.startsWith(root))
              .forEach(needed::add);
        }
      }
    }
    for (Path library : needed) {
      Path copy = root.resolve(library.toString().substring(1));
      Files.createDirectories(copy.resolveSibling(""));
      Files.copy(library.toRealPath(), copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private static boolean isLinked(Path file) {
    return file.toString().endsWith(".so") || file.endsWith("bin/java");
  }

  private static void copyClassPath(Path app) throws Exception {
    FileTree.delete(app);
    Files.createDirectories(app.resolve("classes"));
    for (URI source : OtherUser.sources()) {
      Path path = Path.of(source);
      if (Files.isDirectory(path)) {
        Command.run("cp", "-r", path + "/.", app.resolve("classes").toString());
      } else {
        Command.run("cp", path.toString(), app.toString());
      }
    }
    Command.run("chmod", "-R", "a+rX", app.toString());
  }
}
