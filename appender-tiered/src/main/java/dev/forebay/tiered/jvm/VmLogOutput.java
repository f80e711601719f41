package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One output of the JVM's log, as {@code VM.log list} shows it.
 *
 * @param name {@code stdout}, {@code stderr} or {@code file=} and a path
 * @param what the selection of messages, {@code all=off} for none
 * @param options the rest, such as {@code filecount=5,filesize=20480K,async=false}
 */
record VmLogOutput(String name, String what, String decorators, String options) {

  /** A path may contain blanks; the other fields have none. */
  private static final Pattern LINE =
      Pattern.compile(
          " *#\\d+: (stdout|stderr|file=.*?) (\\S+) (\\S+)(?: (\\S+))?(?: \\(reconfigured\\))?");

  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([BKMG]?)");
  private static final String UNITS = "BKMG";
  private static final int BITS_PER_UNIT = 10;

  /** The outputs in the answer to {@code list}; lines of another form are left out. */
  static List<VmLogOutput> parse(String answer) {
    List<VmLogOutput> outputs = new ArrayList<>();
    for (String line : answer.lines().toList()) {
      Matcher found = LINE.matcher(line);
      if (found.matches()) {
        String options = found.group(4) == null ? "" : found.group(4);
        outputs.add(new VmLogOutput(found.group(1), found.group(2), found.group(3), options));
      }
    }
    return outputs;
  }

  boolean isFile() {
    return name.startsWith(VmLog.FILE);
  }

  /** The path as the JVM was given it, with the process in place of {@code %p}; only of a file. */
  Path file() {
    String pid = Long.toString(ProcessHandle.current().pid());
    return Path.of(name.substring(VmLog.FILE.length()).replace("%p", pid)).toAbsolutePath();
  }

  /** The directory; the file itself may just be rotated. Only for a file. */
  Path directory() {
    return file().resolveSibling("");
  }

  /** Why it may stall the JVM, for the user; null if it does not, as it is not on a disk. */
  @Nullable String stall(Disk disk) {
    if (!isFile() || disk.isInMemory(directory())) {
      return null;
    }
    return (option("async").equals("true")
            ? "-Xlog:async writes %s on a disk: while that hangs, the JVM drops lines and cannot exit; remove -Xlog:async and that -Xlog, and write its selection \"%s\" into <what>"
            : "the JVM also writes %s on a disk: pauses wait while that hangs; remove that -Xlog, and write its selection \"%s\" into <what>")
        .formatted(file(), what);
  }

  /** How the JVM rotates it. */
  Rotation rotation() {
    return new Rotation((int) number("filecount"), number("filesize"));
  }

  private String option(String wanted) {
    int at = ("," + options).indexOf("," + wanted + "=");
    return at < 0 ? "" : options.substring(at + wanted.length() + 1).split(",", -1)[0];
  }

  /** The number in an option; 0 without it. */
  private long number(String option) {
    Matcher size = SIZE.matcher(option(option));
    return size.matches()
        ? Long.parseLong(size.group(1)) << BITS_PER_UNIT * Math.max(0, UNITS.indexOf(size.group(2)))
        : 0;
  }
}
