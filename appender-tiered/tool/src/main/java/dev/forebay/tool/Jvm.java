package dev.forebay.tool;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running JVM as {@code /proc} shows it to its own user. Nothing is attached to it, and no file
 * that it names is opened.
 *
 * @param options the JVM's options, from its command line and environment
 * @param unseen what it was told in places that are not looked at
 * @param directory its working directory
 * @param perfData the file of its performance counters; "" if it has none
 * @param mounts the file systems it sees, as in {@code /proc/PID/mounts}
 * @param memoryBytes size of its {@code /dev/shm}; 0 if that is not known
 * @param removesIpc whether systemd removes what the user has in {@code /dev/shm} at logout
 */
record Jvm(
    List<String> options,
    List<String> unseen,
    Path directory,
    String perfData,
    String mounts,
    long memoryBytes,
    boolean removesIpc) {

  private static final Pattern PERF_DATA = Pattern.compile("\\S+\\s+.*?(/\\S*/hsperfdata_[^\n]*)");
  private static final int POINT = 1;
  private static final int TYPE = 2;
  private static final int FIRST_ORDINARY_USER = 1000;
  private static final List<Path> LOGIND =
      List.of(
          Path.of("/usr/lib/systemd/logind.conf.d"),
          Path.of("/etc/systemd/logind.conf"),
          Path.of("/etc/systemd/logind.conf.d"));

  /**
   * Reads what there is of a process.
   *
   * @param proc its directory in {@code /proc}
   * @param userId whose JVMs are looked at: not even root looks at those of others
   */
  static Jvm of(Path proc, int userId) throws IOException {
    int owner = (Integer) Files.getAttribute(proc, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != userId) {
      throw ToolException.refused(
          "process %s was not looked at: it belongs to user %d; run this as that user"
              .formatted(proc.getFileName(), owner));
    }
    try {
      String maps = Running.text(proc.resolve("maps"));
      List<String> commandLine = Running.words(proc);
      if (!maps.contains("/libjvm.so")) {
        throw ToolException.notFound(
            "process %s is no JVM but %s; name a JVM's process id"
                .formatted(
                    proc.getFileName(),
                    commandLine.get(0).isEmpty() ? "a kernel thread" : commandLine.get(0)));
      }
      JvmCommand command = JvmCommand.of(commandLine, Running.text(proc.resolve("environ")));
      return new Jvm(
          command.options(),
          command.unseen(),
          Files.readSymbolicLink(proc.resolve("cwd")),
          perfData(maps),
          Running.text(proc.resolve("mounts")),
          proc.resolve("root/dev/shm").toFile().getTotalSpace(),
          removesIpc(owner));
    } catch (AccessDeniedException e) {
      throw ToolException.refused(
          "process %s was not looked at: the kernel does not show user %d its %s"
              .formatted(proc.getFileName(), userId, e.getFile()));
    }
  }

  /** Whether files below this path are in memory. */
  boolean isInMemory(Path path) {
    return List.of("tmpfs", "ramfs").contains(mount(path).get(TYPE));
  }

  /** The fields of the innermost mount; of several at one point, the last. */
  private List<String> mount(Path path) {
    List<String> best = List.of("", "/", "");
    for (String line : mounts.split("\n", -1)) {
      List<String> fields = List.of(line.split(" ", -1));
      if (fields.size() > TYPE
          && path.startsWith(point(fields))
          && point(fields).getNameCount() >= point(best).getNameCount()) {
        best = fields;
      }
    }
    return best;
  }

  private static Path point(List<String> mount) {
    return Path.of(mount.get(POINT).replace("\\040", " "));
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

  private static boolean removesIpc(int user) throws IOException {
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
      return Files.isReadable(place) ? Running.text(place) + "\n" : "";
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(place, "*.conf")) {
      listed.forEach(files::add);
    }
    files.sort(null);
    StringBuilder all = new StringBuilder();
    for (Path file : files) {
      all.append(Running.text(file)).append('\n');
    }
    return all.toString();
  }
}
