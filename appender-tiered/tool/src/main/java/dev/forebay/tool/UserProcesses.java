package dev.forebay.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Starts this program again as another user. {@code setpriv} gives up all of root's rights before
 * it executes: a fault in our own code cannot keep any.
 */
final class UserProcesses implements NodeShipping.Starter {

  /** What a JVM and names of files depend on; the rest of root's environment is root's. */
  private static final Set<String> ENVIRONMENT =
      Set.of("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

  private static final Path SELF = Path.of("/proc/self");

  private final List<String> program;
  private final List<String> arguments;

  private UserProcesses(List<String> program, List<String> arguments) {
    this.program = program;
    this.arguments = arguments;
  }

  /**
   * Children that run in a JVM with the options of this one.
   *
   * @param own arguments of this program, which end its command line
   */
  static UserProcesses like(List<String> own, List<Path> bases, String grace) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("ship", Ship.SUPERVISED, "--grace", grace));
    for (Path base : bases) {
      arguments.add("--spool-directory");
      arguments.add(base.toAbsolutePath().toString());
    }
    return new UserProcesses(program(Jvm.words(SELF), own.size()), arguments);
  }

  /** The command line without its arguments, and with the path of the executable. */
  static List<String> program(List<String> commandLine, int arguments) {
    List<String> program = new ArrayList<>();
    for (String word : commandLine) {
      program.add(new String(word.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }
    if (program.get(program.size() - 1).isEmpty()) { // after the last zero byte
      program.remove(program.size() - 1);
    }
    program.subList(Math.max(1, program.size() - arguments), program.size()).clear();
    program.set(0, ProcessHandle.current().info().command().orElse(program.get(0)));
    return program;
  }

  @Override
  public Process start(SpoolUsers.User user) throws IOException {
    List<String> command = new ArrayList<>(rights(user));
    command.addAll(program);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(ENVIRONMENT);
    return builder.start();
  }

  /** A group that the user could have got by making the directory elsewhere is never root's. */
  static List<String> rights(SpoolUsers.User user) {
    int group = user.group() == 0 ? user.id() : user.group();
    return List.of(
        "setpriv",
        "--reuid=" + user.id(),
        "--regid=" + group,
        user.isKnown() ? "--init-groups" : "--clear-groups",
        "--inh-caps=-all",
        "--no-new-privs",
        "--");
  }
}
