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
 */
final class Jvm {

  private static final Pattern PERF_DATA = Pattern.compile("\\S+\\s+.*?(/\\S*/hsperfdata_[^\n]*)");
  private static final int FIRST_ORDINARY_USER = 1000;
  private static final List<Path> LOGIND =
      List.of(
          Path.of("/usr/lib/systemd/logind.conf.d"),
          Path.of("/etc/systemd/logind.conf"),
          Path.of("/etc/systemd/logind.conf.d"));

  private final Path proc;
  private final String maps;
  private final JvmCommand command;

  private Jvm(Path proc, String maps, JvmCommand command) {
    this.proc = proc;
    this.maps = maps;
    this.command = command;
  }

  /**
   * The JVM of a process.
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
      String environment = Running.text(proc.resolve("environ"));
      return new Jvm(proc, maps, JvmCommand.of(commandLine, environment));
    } catch (AccessDeniedException e) {
      throw ToolException.refused(
          "process %s was not looked at: the kernel does not show user %d its %s"
              .formatted(proc.getFileName(), userId, e.getFile()));
    }
  }

  /** What it was told in places that are not looked at. */
  List<String> unseen() {
    return command.unseen();
  }

  JvmFacts facts() throws IOException {
    return new JvmFacts(
        command.options(),
        Files.readSymbolicLink(proc.resolve("cwd")),
        perfData(maps),
        MountPoints.parse(Running.text(proc.resolve("mounts"))),
        proc.resolve("root/dev/shm").toFile().getTotalSpace(),
        Running.text(Path.of("/proc/swaps")).lines().count() > 1,
        removesIpc());
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
