package dev.forebay.javaagent;

import java.lang.instrument.Instrumentation;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries the JVM's own log to a disk that the JVM never waits for: {@code
 * -javaagent:forebay-agent.jar=file=/var/log/app/gc.log,what=gc*}, or attached at run time.
 *
 * <p>All of the agent that the application could find. The work is done by classes of a loader of
 * its own. The application starts when the JVM writes the log, so that the log has all that it
 * does; or after {@value #PATIENCE_MS} ms, or at once if something is wrong with the arguments.
 *
 * <p>An MBean server would have the log manager of {@code java.util.logging} chosen, and the
 * builder of MBean servers, before the application's main method can set the system properties for
 * them. So the loader's classes may call the JVM's diagnostic commands without one.
 */
public final class Agent {

  /** Where in the jar the loader's classes lie. */
  private static final String HIDDEN = "!/forebay/";

  private static final String LOG = "dev.forebay.javaagent.log.JvmLog";

  /** The module with the diagnostic commands, and the package of their implementation. */
  private static final String COMMANDS_MODULE = "jdk.management";

  private static final String COMMANDS = "com.sun.management.internal";

  /** The application starts after that, whatever hangs. A machine that is busy needs a second. */
  private static final long PATIENCE_MS = 3_000;

  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private Agent() {}

  /** For the JVM, before the application's main method. */
  public static void premain(@Nullable String arguments, Instrumentation jvm) {
    try {
      TimeZone chosen = TimeZone.getDefault();
      start(arguments, jvm);
      forget(chosen);
    } catch (Throwable t) { // one that left premain would end the JVM
      report(t);
    }
  }

  /**
   * As if nobody had asked for the time zone yet, so that the application can still choose it; an
   * agent before us may have done so, by another way than the system's.
   */
  private static void forget(TimeZone chosen) {
    TimeZone.setDefault(null);
    boolean isUsual = TimeZone.getDefault().equals(chosen);
    TimeZone.setDefault(isUsual ? null : chosen);
  }

  /** For the JVM, when the agent is attached. */
  public static void agentmain(@Nullable String arguments, Instrumentation jvm)
      throws InterruptedException {
    start(arguments, jvm);
  }

  private static void start(@Nullable String arguments, Instrumentation jvm)
      throws InterruptedException {
    if (STARTED.getAndSet(true)) {
      System.err.println("forebay-agent: already in this JVM; the first arguments stay in force");
      return;
    }
    Thread thread = new Thread(() -> run(arguments, jvm), "forebay-agent");
    thread.setDaemon(true);
    thread.start();
    thread.join(PATIENCE_MS);
  }

  private static void run(@Nullable String arguments, Instrumentation jvm) {
    try {
      log(jvm).accept(arguments == null ? "" : arguments);
    } catch (Throwable t) { // the application goes on without this log
      report(t);
    }
  }

  /** The loader is never closed: the log is carried until the JVM ends. */
  private static Consumer<String> log(Instrumentation jvm)
      throws ReflectiveOperationException, MalformedURLException {
    URL jar = Agent.class.getProtectionDomain().getCodeSource().getLocation();
    URL[] hidden = {new URL("jar:" + jar.toString().replace("!", "%21") + HIDDEN)};
    ClassLoader loader =
        new URLClassLoader("forebay-agent", hidden, ClassLoader.getPlatformClassLoader());
    openCommands(jvm, loader.getUnnamedModule());
    Object log = loader.loadClass(LOG).getDeclaredConstructor().newInstance();
    @SuppressWarnings("unchecked") // it is its class that says so
    Consumer<String> consumer = (Consumer<String>) log;
    return consumer;
  }

  /** A JVM that implements them elsewhere is left as it is. */
  private static void openCommands(Instrumentation jvm, Module to) {
    ModuleLayer.boot()
        .findModule(COMMANDS_MODULE)
        .filter(module -> module.getPackages().contains(COMMANDS))
        .ifPresent(
            module ->
                jvm.redefineModule(
                    module, Set.of(), Map.of(), Map.of(COMMANDS, Set.of(to)), Set.of(), Map.of()));
  }

  private static void report(Throwable t) {
    System.err.println("forebay-agent: the JVM's log is not carried: " + t);
  }
}
