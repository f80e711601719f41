package dev.forebay.tool;

import dev.forebay.tiered.disk.MountTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A running JVM as {@code /proc} shows it to its own user. Nothing is attached to it, and no file
 * that it names is opened.
 *
 * @param perfData the file of its performance counters; "" if it has none
 * @param memoryBytes size of its {@code /dev/shm}; 0 if that is not known
 * @param removesIpc whether systemd removes what the user has in {@code /dev/shm} at logout
 */
record Jvm(
    Command command,
    Path directory,
    String perfData,
    MountTable mounts,
    long memoryBytes,
    boolean removesIpc) {

  private static final Path PROC = Path.of("/proc");
  private static final int MAX_BYTES = 16 << 20;
  private static final Pattern PERF_DATA =
      Pattern.compile("(?m)^\\S+\\s+.*?(/\\S*/hsperfdata_.*)$");
  private static final Pattern REMOVE_IPC = Pattern.compile("(?m)^ *RemoveIPC *= *(\\S*) *$");
  private static final Pattern LOCK =
      Pattern.compile("(/.*/((?:spool|lines)-[0-9a-f]{16}-[0-9a-f]{32}))/lock");
  private static final Set<String> YES = Set.of("yes", "true", "on", "1");
  private static final int FIRST_ORDINARY_USER = 1000;
  private static final List<Path> LOGIND =
      List.of(
          Path.of("/usr/lib/systemd/logind.conf.d"),
          Path.of("/etc/systemd/logind.conf"),
          Path.of("/etc/systemd/logind.conf.d"));

  /**
   * Reads what the system shows of a process.
   *
   * @param userId whose JVMs are looked at: not even root looks at those of other users
   */
  static Jvm of(Path proc, int userId) throws IOException {
    int owner = (Integer) Files.getAttribute(proc, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != userId) {
      throw ToolException.foreign("process " + proc.getFileName(), proc);
    }
    try {
      String maps = text(proc.resolve("maps"));
      List<String> commandLine = words(proc);
      if (!maps.contains("/libjvm.so")) {
        throw ToolException.notFound(
            "process %s is no JVM but %s; name a JVM's process id"
                .formatted(
                    proc.getFileName(),
                    commandLine.get(0).isEmpty() ? "a kernel thread" : commandLine.get(0)));
      }
      return new Jvm(
          Command.of(commandLine, text(proc.resolve("environ"))),
          Files.readSymbolicLink(proc.resolve("cwd")),
          perfData(maps),
          new MountTable(text(proc.resolve("mountinfo"))),
          proc.resolve("root/dev/shm").toFile().getTotalSpace(),
          removesIpc(owner));
    } catch (AccessDeniedException e) {
      throw ToolException.refused(
          "process %s was not looked at: the kernel does not show user %d its %s"
              .formatted(proc.getFileName(), userId, e.getFile()));
    }
  }

  static String perfData(String maps) {
    Matcher mapped = PERF_DATA.matcher(maps);
    return mapped.find() ? mapped.group(1) : "";
  }

  private static boolean removesIpc(int user) throws IOException {
    if (user < FIRST_ORDINARY_USER || !Files.isDirectory(Path.of("/run/systemd/system"))) {
      return false;
    }
    StringBuilder all = new StringBuilder();
    for (Path place : LOGIND) {
      for (Path file : files(place)) {
        all.append(text(file)).append('\n');
      }
    }
    return removesIpc(all.toString());
  }

  /** A file, or those in a directory, in the order in which systemd reads them. */
  private static List<Path> files(Path place) throws IOException {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(place, 1, FileVisitOption.FOLLOW_LINKS)) {
      return files.filter(file -> file.toString().endsWith(".conf")).sorted().toList();
    }
  }

  /** The last setting counts; systemd's default is to remove. */
  static boolean removesIpc(String settings) {
    boolean removes = true;
    Matcher setting = REMOVE_IPC.matcher(settings);
    while (setting.find()) {
      removes = YES.contains(setting.group(1));
    }
    return removes;
  }

  /** The directory of the process of this number, which must exist. */
  static Path require(String digits) {
    Path directory = PROC.resolve(digits);
    if (!Files.isDirectory(directory)) {
      throw ToolException.notFound(
          "no process " + digits + "; \"forebay ls\" lists the processes that have spools");
    }
    return directory;
  }

  /** The spools whose locks a process has open, where it sees them, by their unique names. */
  static Map<String, Path> spools(Path proc) throws IOException {
    Map<String, Path> spools = new TreeMap<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(proc.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        try {
          Matcher lock = LOCK.matcher(Files.readSymbolicLink(descriptor).toString());
          if (lock.matches()) {
            spools.put(lock.group(2), Path.of(lock.group(1)));
          }
        } catch (NoSuchFileException e) {
          // closed meanwhile
        }
      }
    } catch (NoSuchFileException | DirectoryIteratorException e) {
      // The process has ended.
    }
    return spools;
  }

  /** What a process runs: its main class or jar; "" if that may not be read. */
  static String program(long pid) {
    try {
      return Command.of(words(PROC.resolve(Long.toString(pid))), "").program();
    } catch (IOException e) {
      return "";
    }
  }

  /** The command line of a process: at least one word. */
  static List<String> words(Path proc) throws IOException {
    return List.of(text(proc.resolve("cmdline")).split("\0", -1));
  }

  /**
   * A file of the system's; "" if there is none. Paths are bytes, which this keeps apart.
   *
   * @throws IOException also if it is longer than {@link #MAX_BYTES}
   */
  static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES);
      if (bytes.length == MAX_BYTES) {
        throw new IOException(file + " is too long: read " + Text.bytes(MAX_BYTES) + " of it");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  /**
   * What the command line and the environment set for a JVM.
   *
   * @param options those of the JVM, not the arguments of its program, in the order in which it
   *     applies them
   * @param unseen other sources of options, which are not read
   * @param program its main class or jar; "" if unknown
   */
  record Command(List<String> options, List<String> unseen, String program) {

    private static final Pattern TAKES_THE_NEXT_WORD =
        Pattern.compile(
            "-cp|-p|-classpath|--(class|module|upgrade-module)-path|--(add|limit)-modules"
                + "|--add-(exports|opens|reads)|--patch-module|--enable-native-access|--source");
    private static final Set<String> ARE_FOLLOWED_BY_THE_PROGRAM = Set.of("-jar", "-m", "--module");
    private static final Pattern FILE_OF_OPTIONS =
        Pattern.compile("(?:@|-XX:(?:Flags|VMOptionsFile)=)(.+)");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");

    /**
     * Reads both, as {@code /proc} has them.
     *
     * @param environment variables that end with a NUL each
     */
    static Command of(List<String> commandLine, String environment) {
      List<String> told = variable(environment, "JAVA_TOOL_OPTIONS=");
      told.addAll(variable(environment, "JDK_JAVA_OPTIONS="));
      List<String> unseen = new ArrayList<>();
      String program = "";
      if (commandLine.get(0).matches("(.*/)?java")) {
        int main = programIn(commandLine, told);
        program = main < commandLine.size() ? commandLine.get(main) : "";
      } else {
        unseen.add("the JVM's options, since it was started by " + commandLine.get(0));
      }
      told.addAll(variable(environment, "_JAVA_OPTIONS="));
      List<String> options = new ArrayList<>();
      for (String option : told) {
        Matcher elsewhere = FILE_OF_OPTIONS.matcher(option);
        if (elsewhere.matches()) {
          unseen.add("the JVM's options in the file " + elsewhere.group(1));
        } else {
          options.add(option);
        }
      }
      return new Command(options, unseen, program.substring(program.lastIndexOf('/') + 1));
    }

    private static List<String> variable(String environment, String name) {
      List<String> values = new ArrayList<>();
      for (String variable : environment.split("\0", -1)) {
        if (variable.startsWith(name)) {
          Matcher words = WORD.matcher(variable.substring(name.length()));
          while (words.find()) {
            values.add(words.group().replaceAll("[\"']", ""));
          }
        }
      }
      return values;
    }

    /** Where the program's name stands; the options before it are added to a list. */
    private static int programIn(List<String> words, List<String> options) {
      int at = 1;
      while (at < words.size() && words.get(at).matches("(?s)[-@].*")) {
        String option = words.get(at++);
        if (ARE_FOLLOWED_BY_THE_PROGRAM.contains(option)) {
          return at;
        }
        options.add(option);
        at += TAKES_THE_NEXT_WORD.matcher(option).matches() ? 1 : 0;
      }
      return at;
    }
  }
}
