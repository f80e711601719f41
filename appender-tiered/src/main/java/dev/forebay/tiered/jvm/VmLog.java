package dev.forebay.tiered.jvm;

import java.nio.file.Path;
import java.util.List;

/**
 * Steers the JVM's log by its diagnostic command {@code VM.log}: what {@code jcmd} does, without
 * flags or attaching. May wait for a disk if the JVM writes another log there asynchronously.
 */
public final class VmLog {

  static final String FILE = "file=";

  /**
   * What is never selected, from the first JDK that has it on (JDK-8330198). HotSpot counts the
   * classes it links if this is on, but makes the counters only if the command line says so: once
   * it is switched on later, as part of {@code all} for example, the next class ends the JVM.
   */
  private static final String COUNTED = ",perf+class+link=off";

  private static final int COUNTED_SINCE = 23;

  private final Command command;

  /** Steers the log of this JVM. */
  public VmLog() {
    this(command());
  }

  VmLog(Command command) {
    this.command = command;
  }

  /** The diagnostic command. */
  @FunctionalInterface
  interface Command {
    /** Returns what it prints: nothing, the list, or an error. */
    String invoke(String... arguments) throws VmLogException;
  }

  private static Command command() {
    Command direct = DirectCommand.find();
    return direct == null ? new BeanCommand() : direct;
  }

  /**
   * Opens an output.
   *
   * @param file where to; must be the file of no other output, whose options would stay
   * @return what is wrong, in the JVM's words; "" if nothing is
   */
  String add(Path file, JvmSettings settings) throws VmLogException {
    Rotation rotation = settings.rotation();
    return command.invoke(
        output(file),
        "output_options=filecount=" + rotation.fileCount() + ",filesize=" + rotation.fileBytes(),
        "what=" + selection(settings.what(), Runtime.version().feature()),
        "decorators=" + settings.decorators());
  }

  /** Whether it cannot be named to the JVM. */
  static boolean isUnspeakable(Path file) {
    return file.toString().contains("\"");
  }

  /** In quotes, since a path may contain blanks. */
  private static String output(Path file) {
    return "output=\"" + FILE + file + '"';
  }

  /** The last word of a selection holds. */
  static String selection(String what, int jdk) {
    return jdk < COUNTED_SINCE ? what : what + COUNTED;
  }

  /** Closes an output; does nothing if there is none: the JVM would create its file. */
  void remove(Path file) throws VmLogException {
    for (VmLogOutput output : outputs()) {
      if (output.isFile(file)) {
        String unused = command.invoke(output(file), "what=all=off");
      }
    }
  }

  /** The outputs there are, if any is a file. */
  List<VmLogOutput> outputs() throws VmLogException {
    String listed = list();
    return listed.contains(FILE) ? VmLogOutput.parse(listed) : List.of();
  }

  /** What the JVM says they are. */
  String list() throws VmLogException {
    return command.invoke("list");
  }
}
