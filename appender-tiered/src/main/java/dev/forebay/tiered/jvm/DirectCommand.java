package dev.forebay.tiered.jvm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The diagnostic command without an MBean server, for a JVM that has opened its implementation to
 * us, as the agent does. A program's first MBean server fixes the log manager of {@code
 * java.util.logging} and the builder of MBean servers, and an agent runs before the program can
 * choose them.
 */
final class DirectCommand implements VmLog.Command {

  private static final String MODULE = "jdk.management";
  private static final String PACKAGE = "com.sun.management.internal";
  private static final String COMMAND = "VM.log ";

  private final Object commands;
  private final Method execute;

  private DirectCommand(Object commands, Method execute) {
    this.commands = commands;
    this.execute = execute;
  }

  /** The command; null if it is not open to us, or this JVM has another implementation. */
  static @Nullable DirectCommand find() {
    Module module = ModuleLayer.boot().findModule(MODULE).orElse(null);
    boolean isOpen =
        module != null
            && module.getPackages().contains(PACKAGE)
            && module.isOpen(PACKAGE, DirectCommand.class.getModule());
    try {
      return isOpen ? open() : null;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  private static @Nullable DirectCommand open() throws ReflectiveOperationException {
    Class.forName(PACKAGE + ".PlatformMBeanProviderImpl"); // it loads the native library
    Class<?> type = Class.forName(PACKAGE + ".DiagnosticCommandImpl");
    Method all = type.getDeclaredMethod("getDiagnosticCommandMBean");
    Method execute = type.getDeclaredMethod("executeDiagnosticCommand", String.class);
    all.setAccessible(true);
    execute.setAccessible(true);
    Object commands = all.invoke(null);
    return commands == null ? null : new DirectCommand(commands, execute);
  }

  @Override
  public String invoke(String... arguments) throws VmLogException {
    try {
      return String.valueOf(execute.invoke(commands, COMMAND + String.join(" ", arguments))).trim();
    } catch (InvocationTargetException e) {
      throw new VmLogException("VM.log fails: " + e.getCause(), e);
    } catch (IllegalAccessException e) {
      throw new VmLogException("VM.log is not accessible: " + e.getMessage(), e);
    }
  }
}
