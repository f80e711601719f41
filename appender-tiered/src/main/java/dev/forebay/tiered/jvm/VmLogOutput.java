package dev.forebay.tiered.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One output of the JVM's log, as {@code VM.log list} shows it.
 *
 * @param name {@code stdout}, {@code stderr} or {@code file=} and a path
 * @param what the selection of messages, {@code all=off} for none
 * @param decorators of each line
 * @param options the rest, such as {@code filecount=5,filesize=20480K,async=false}
 */
record VmLogOutput(String name, String what, String decorators, String options) {

  private static final String FILE = "file=";

  /** A path may contain blanks; the other fields have none. */
  private static final Pattern LINE =
      Pattern.compile(
          " *#\\d+: (stdout|stderr|file=.*?) (\\S+) (\\S+)(?: (\\S+))?(?: \\(reconfigured\\))?");

  private static final Pattern ASYNC = Pattern.compile("(?:^|,)async=true(?:,|$)");
  private static final Pattern FILE_SIZE =
      Pattern.compile("(?:^|,)filesize=(\\d{1,9})([BKMG]?)(?:,|$)");
  private static final String UNITS = "BKMG";
  private static final int BITS_PER_UNIT = 10;
  private static final Pattern FILE_COUNT = Pattern.compile("(?:^|,)filecount=(\\d{1,9})(?:,|$)");

  /** The outputs in the answer to {@code list}; lines of another form are left out. */
  static List<VmLogOutput> parse(String answer) {
    List<VmLogOutput> outputs = new ArrayList<>();
    for (String line : answer.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        String options = matcher.group(4);
        outputs.add(
            new VmLogOutput(
                matcher.group(1),
                matcher.group(2),
                matcher.group(3),
                options == null ? "" : options));
      }
    }
    return outputs;
  }

  /** Whether it writes to a file. */
  boolean isFile() {
    return name.startsWith(FILE);
  }

  /** Whether it writes to this file. */
  boolean isFile(Path file) {
    return isFile() && file().toAbsolutePath().equals(file);
  }

  /** The path as the JVM was given it, with the process in place of {@code %p}; only of a file. */
  Path file() {
    String pid = Long.toString(ProcessHandle.current().pid());
    return Path.of(name.substring(FILE.length()).replace("%p", pid));
  }

  /** Whether a thread of the JVM writes it later, as for all outputs of that JVM. */
  boolean isAsync() {
    return ASYNC.matcher(options).find();
  }

  /** How many older files the JVM keeps; 0 if it writes only one. */
  int fileCount() {
    Matcher matcher = FILE_COUNT.matcher(options);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /** Size at which the JVM begins another file; 0 if it does not say. */
  long fileBytes() {
    Matcher matcher = FILE_SIZE.matcher(options);
    return matcher.find()
        ? Long.parseLong(matcher.group(1))
            << BITS_PER_UNIT * Math.max(0, UNITS.indexOf(matcher.group(2)))
        : 0;
  }

  /** How the JVM rotates it. */
  Rotation rotation() {
    return new Rotation(fileCount(), fileBytes());
  }
}
