package dev.forebay.tiered.jvm;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Steers the JVM's log by its diagnostic command {@code VM.log}: what {@code jcmd} does, without
 * flags or attaching. May wait for a disk if the JVM writes another log there asynchronously. Where
 * it cannot be steered, methods throw {@code UnsupportedOperationException}.
 */
final class VmLog {

  static final String FILE = "file=";

  /**
   * What is never selected, from the first JDK that has it on (JDK-8330198). HotSpot counts the
   * classes it links if this is on, but makes the counters only if the command line says so: once
   * it is switched on later, as part of {@code all} for example, the next class ends the JVM.
   */
  private static final String COUNTED = ",perf+class+link=off";

  private static final int COUNTED_SINCE = 23;

  private static final String MODULE = "jdk.management";
  private static final String PACKAGE = "com.sun.management.internal";

  /** The implementation of the diagnostic commands, where it is open to us; else null. */
  private final @Nullable Object commands;

  private final @Nullable Method execute;

  /**
   * Steers the log of this JVM, directly where the agent has opened the way. A program's first
   * MBean server fixes the log manager of {@code java.util.logging} and the builder of MBean
   * servers, and an agent runs before the program can choose them.
   */
  VmLog() {
    Object found = null;
    Method method = null;
    Module module = ModuleLayer.boot().findModule(MODULE).orElse(null);
    if (module != null && module.isOpen(PACKAGE, VmLog.class.getModule())) {
      try {
        Class.forName(PACKAGE + ".PlatformMBeanProviderImpl"); // it loads the native library
        Class<?> type = Class.forName(PACKAGE + ".DiagnosticCommandImpl");
        Method all = type.getDeclaredMethod("getDiagnosticCommandMBean");
        method = type.getDeclaredMethod("executeDiagnosticCommand", String.class);
        all.setAccessible(true);
        method.setAccessible(true);
        found = all.invoke(null);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        found = null; // this JVM has another one
      }
    }
    commands = found;
    execute = method;
  }

  /** What the command prints: nothing, the list, or an error. */
  private String invoke(String... arguments) {
    try {
      Object answer =
          commands == null || execute == null
              ? bean(arguments)
              : execute.invoke(commands, "VM.log " + String.join(" ", arguments));
      return String.valueOf(answer).trim();
    } catch (Exception | LinkageError e) { // OpenJ9 has no such operation
      throw new UnsupportedOperationException("this JVM has no diagnostic command VM.log: " + e, e);
    }
  }

  /** As an operation of the platform's MBean server. */
  private static Object bean(String... arguments) throws JMException {
    return ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "vmLog",
            new Object[] {arguments},
            new String[] {String[].class.getName()});
  }

  /**
   * Opens an output.
   *
   * @param file where to; must be the file of no other output, whose options would stay
   * @return what is wrong, in the JVM's words; "" if nothing is
   */
  String add(Path file, JvmSettings settings) {
    Rotation rotation = settings.rotation();
    return invoke(
        output(file),
        "output_options=filecount=" + rotation.fileCount() + ",filesize=" + rotation.fileBytes(),
        "what=" + selection(settings.what(), Runtime.version().feature()),
        "decorators=" + settings.decorators());
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
  void remove(Path file) {
    if (writes(file)) {
      String unused = invoke(output(file), "what=all=off");
    }
  }

  boolean writes(Path file) {
    return outputs().stream().anyMatch(output -> output.isFile() && output.file().equals(file));
  }

  /** The outputs there are, if any is a file. */
  List<VmLogOutput> outputs() {
    String listed = invoke("list");
    return listed.contains(FILE) ? VmLogOutput.parse(listed) : List.of();
  }
}
