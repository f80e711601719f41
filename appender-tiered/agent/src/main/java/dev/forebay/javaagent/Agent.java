package dev.forebay.javaagent;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries the JVM's own log to a disk that the JVM never waits for: {@code
 * -javaagent:forebay-agent.jar=file=/var/log/app/gc.log,what=gc*}, or attached at run time.
 *
 * <p>All of the agent that the application could find, with {@link HiddenClasses}. The work is done
 * by classes of that loader. The application starts when the JVM writes the log, which takes few
 * classes; what carries it starts beside the application. If the JVM does not write yet, the
 * application waits for all of that, but for {@value #PATIENCE_MS} ms at most.
 *
 * <p>An MBean server would have the log manager of {@code java.util.logging} chosen, and the
 * builder of MBean servers, before the application's main method can set the system properties for
 * them. So the loader's classes may call the JVM's diagnostic commands without one.
 */
public final class Agent implements Runnable {

  private static final String ZONE = "user.timezone";

  private static final String LOG = "dev.forebay.javaagent.log.JvmLog";

  /** The module with the diagnostic commands, and the package of their implementation. */
  private static final String COMMANDS_MODULE = "jdk.management";

  private static final String COMMANDS = "com.sun.management.internal";

  /** The application starts after that, whatever hangs. A machine that is busy needs a second. */
  private static final long PATIENCE_MS = 3_000;

  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private final String arguments;
  private final Instrumentation jvm;

  /** If the application may still choose another one; written before {@link #zoneKnown}. */
  private @Nullable TimeZone ofSystem;

  /** The property for it when the JVM started. */
  private final @Nullable String named = System.getProperty(ZONE);

  private final CountDownLatch zoneKnown = new CountDownLatch(1);

  /** Counted down when the application may start. */
  private final CountDownLatch ready = new CountDownLatch(1);

  private Agent(@Nullable String arguments, Instrumentation jvm) {
    this.arguments = arguments == null ? "" : arguments;
    this.jvm = jvm;
  }

  /** For the JVM, before the application's main method. */
  public static void premain(@Nullable String arguments, Instrumentation jvm) {
    try {
      start(arguments, jvm, true);
    } catch (Throwable t) { // one that left premain would end the JVM
      report(t);
    }
  }

  /** For the JVM, when the agent is attached. */
  public static void agentmain(@Nullable String arguments, Instrumentation jvm)
      throws InterruptedException {
    start(arguments, jvm, false);
  }

  private static void start(@Nullable String arguments, Instrumentation jvm, boolean isBefore)
      throws InterruptedException {
    if (STARTED.getAndSet(true)) {
      print("already in this JVM; the first arguments stay in force");
      return;
    }
    Agent agent = new Agent(arguments, jvm);
    Thread thread = new Thread(agent, "forebay-agent");
    thread.setDaemon(true);
    thread.start();
    try {
      agent.ofSystem = isBefore ? unchosenZone() : null;
    } finally {
      agent.zoneKnown.countDown();
    }
    if (!agent.ready.await(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
      print(
          "the log is not open after 3 s, and the program starts: what the JVM writes until then is missing, unless the command line has an output that is taken up");
    }
  }

  /** The agent's thread. The loader is never closed: the log is carried until the JVM ends. */
  @Override
  public void run() {
    try {
      ClassLoader loader = new HiddenClasses();
      openCommands(loader.getUnnamedModule());
      Object log = loader.loadClass(LOG).getDeclaredConstructor().newInstance();
      @SuppressWarnings("unchecked") // it is its class that says so
      Predicate<String> opening = (Predicate<String>) log;
      if (opening.test(arguments)) {
        ready.countDown();
      }
      zoneKnown.await();
      try {
        ((Runnable) log).run();
      } finally {
        forget(ofSystem, named);
      }
    } catch (Throwable t) { // the application goes on without this log
      report(t);
    } finally {
      ready.countDown();
    }
  }

  /**
   * The time zone that the JVM would choose; null if an earlier agent has already set one. To be
   * called before the application starts: the JVM's first look takes long, and ends by setting the
   * property that the application may name another one with.
   */
  static @Nullable TimeZone unchosenZone() {
    String named = System.getProperty(ZONE);
    TimeZone known = TimeZone.getDefault();
    TimeZone.setDefault(null);
    boolean isOfSystem = TimeZone.getDefault().equals(known);
    TimeZone.setDefault(isOfSystem ? null : known);
    restore(named);
    return isOfSystem ? known : null;
  }

  /** Logback's policy has asked for it again, but the application can still choose. */
  static void forget(@Nullable TimeZone ofSystem, @Nullable String named) {
    if (ofSystem != null && ofSystem.equals(TimeZone.getDefault())) { // not set meanwhile
      TimeZone.setDefault(null);
      if (ofSystem.getID().equals(System.getProperty(ZONE))) {
        restore(named);
      }
    }
  }

  private static void restore(@Nullable String named) {
    if (named == null) {
      System.clearProperty(ZONE);
    } else {
      System.setProperty(ZONE, named);
    }
  }

  /** A JVM that implements them elsewhere is left as it is. */
  private void openCommands(Module to) {
    Module module = ModuleLayer.boot().findModule(COMMANDS_MODULE).orElse(null);
    if (module != null && module.getPackages().contains(COMMANDS)) {
      jvm.redefineModule(
          module, Set.of(), Map.of(), Map.of(COMMANDS, Set.of(to)), Set.of(), Map.of());
    }
  }

  private static void report(Throwable t) {
    print("the JVM's log is not carried: " + t);
  }

  /** Does not wait: standard error may be a pipe without a reader. */
  private static void print(String text) {
    Thread printer = new Thread(() -> System.err.println("forebay-agent: " + text));
    printer.setDaemon(true);
    printer.start();
  }
}
