package dev.forebay.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running JVM as {@code /proc} shows it to its own user; nothing is attached to it. */
final class Jvm {

  private static final Pattern PERF_DATA = Pattern.compile("\\S+\\s+.*?(/\\S*/hsperfdata_[^\n]*)");
  private static final List<String> OPTION_VARIABLES =
      List.of("JAVA_TOOL_OPTIONS=", "JDK_JAVA_OPTIONS=", "_JAVA_OPTIONS=");
  private static final int FIRST_ORDINARY_USER = 1000;
  private static final List<Path> LOGIND =
      List.of(
          Path.of("/usr/lib/systemd/logind.conf.d"),
          Path.of("/etc/systemd/logind.conf"),
          Path.of("/etc/systemd/logind.conf.d"));

  private final Path proc;
  private final List<String> commandLine;

  private Jvm(Path proc, List<String> commandLine) {
    this.proc = proc;
    this.commandLine = commandLine;
  }

  /** The JVM of this process id. */
  static Jvm of(String pid) throws IOException {
    long number = Running.require(pid);
    Path proc = Path.of("/proc", pid);
    boolean isJvm;
    try {
      isJvm = text(proc.resolve("maps")).contains("/libjvm.so"); // its user only may read that
    } catch (AccessDeniedException e) {
      throw ToolException.refused(
          "process %s belongs to user %s; run this as that user"
              .formatted(pid, Files.getAttribute(proc, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
    }
    List<String> commandLine = Running.commandLine(number);
    if (!isJvm) {
      throw ToolException.notFound(
          "process %s is no JVM but %s; name a JVM's process id or a logback.xml"
              .formatted(pid, commandLine.isEmpty() ? "a kernel thread" : commandLine.get(0)));
    }
    return new Jvm(proc, commandLine);
  }

  List<String> commandLine() {
    return commandLine;
  }

  /** A path of the process as we can open it, whatever its root directory is. */
  Path here(String path) throws IOException {
    Path directory = Files.readSymbolicLink(proc.resolve("cwd"));
    Path absolute = directory.resolve(path).normalize();
    return proc.resolve("root").resolve(Path.of("/").relativize(absolute));
  }

  JvmFacts facts() throws IOException {
    Path memory = here("/dev/shm");
    return new JvmFacts(
        options(commandLine, text(proc.resolve("environ"))),
        Files.readSymbolicLink(proc.resolve("cwd")),
        perfData(text(proc.resolve("maps"))),
        MountPoints.parse(text(proc.resolve("mounts"))),
        Files.isDirectory(memory) ? Files.getFileStore(memory).getTotalSpace() : 0,
        text(Path.of("/proc/swaps")).lines().count() > 1,
        removesIpc());
  }

  /** Options before the main class, and those in the variables that a JVM reads. */
  static List<String> options(List<String> commandLine, String environment) {
    List<String> options = new ArrayList<>();
    for (String variable : environment.split("\0", -1)) {
      for (String name : OPTION_VARIABLES) {
        if (variable.startsWith(name)) {
          options.addAll(List.of(variable.substring(name.length()).trim().split("\\s+", -1)));
        }
      }
    }
    commandLine.stream().filter(word -> word.startsWith("-")).forEach(options::add);
    return options;
  }

  static String perfData(String maps) {
    for (String line : maps.split("\n", -1)) {
      Matcher matcher = PERF_DATA.matcher(line);
      if (matcher.matches()) {
        return matcher.group(1);
      }
    }
    return "";
  }

  private boolean removesIpc() throws IOException {
    int user = (Integer) Files.getAttribute(proc, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (user < FIRST_ORDINARY_USER || !Files.isDirectory(Path.of("/run/systemd/system"))) {
      return false;
    }
    StringBuilder all = new StringBuilder();
    for (Path place : LOGIND) {
      all.append(settings(place));
    }
    return removesIpc(all.toString());
  }

  /** The last setting counts; systemd's default is to remove. */
  static boolean removesIpc(String settings) {
    boolean removes = true;
    for (String line : settings.split("\n", -1)) {
      String setting = line.replace(" ", "");
      if (setting.startsWith("RemoveIPC=")) {
        removes =
            List.of("yes", "true", "on", "1").contains(setting.substring("RemoveIPC=".length()));
      }
    }
    return removes;
  }

  private static String settings(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      return Files.isReadable(place) ? text(place) + "\n" : "";
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(place, "*.conf")) {
      listed.forEach(files::add);
    }
    files.sort(null);
    StringBuilder all = new StringBuilder();
    for (Path file : files) {
      all.append(text(file)).append('\n');
    }
    return all.toString();
  }

  /** Paths are bytes; this keeps them apart. */
  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
