package dev.forebay.javaagent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.ProtectionDomain;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries the JVM's own log to a disk that the JVM never waits for: {@code
 * -javaagent:forebay-agent.jar=file=/var/log/app/gc.log,what=gc*}, or attached at run time.
 *
 * <p>All of the agent that the application could find. The work is done on a thread of its own by
 * classes of a loader of its own, so the application starts without delay, whatever is wrong with
 * the arguments.
 *
 * <p>JMX, which the log needs, initialises {@code java.util.logging}. Some applications choose its
 * log manager or the builder of MBean servers by a system property in their main method. So the
 * agent waits until the application uses that logging, or for {@value #HEAD_START_S} s.
 */
public final class Agent {

  private static final int HEAD_START_S = 3;

  /** Where in the jar the loader's classes lie. */
  private static final String HIDDEN = "!/forebay/";

  private static final String LOG = "dev.forebay.javaagent.log.JvmLog";

  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private Agent() {}

  /** For the JVM, before the application's main method. */
  public static void premain(@Nullable String arguments, Instrumentation jvm) {
    FirstUse firstUse = new FirstUse();
    jvm.addTransformer(firstUse);
    start(
        () -> {
          firstUse.await();
          jvm.removeTransformer(firstUse);
        },
        arguments);
  }

  /** For the JVM, when the agent is attached. */
  public static void agentmain(@Nullable String arguments) {
    start(() -> {}, arguments);
  }

  private static void start(Runnable wait, @Nullable String arguments) {
    try {
      if (STARTED.getAndSet(true)) {
        System.err.println("forebay-agent: already in this JVM; the first arguments stay in force");
        return;
      }
      Thread thread = new Thread(() -> run(wait, arguments), "forebay-agent");
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable t) { // one that left premain would end the JVM
      report(t);
    }
  }

  private static void run(Runnable wait, @Nullable String arguments) {
    try {
      wait.run();
      log().accept(arguments == null ? "" : arguments);
    } catch (Throwable t) { // the application goes on without this log
      report(t);
    }
  }

  /** Sees classes being loaded, and changes none. */
  private static final class FirstUse implements ClassFileTransformer {

    private static final String LOG_MANAGER = "java/util/logging/LogManager";

    private final CountDownLatch seen = new CountDownLatch(1);

    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String name,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      if (LOG_MANAGER.equals(name)) {
        seen.countDown();
      }
      return null;
    }

    void await() {
      try {
        boolean unused = seen.await(HEAD_START_S, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        return; // nobody is to interrupt this thread, and it could as well begin now
      }
    }
  }

  /** The loader is never closed: the log is carried until the JVM ends. */
  private static Consumer<String> log() throws ReflectiveOperationException, MalformedURLException {
    URL jar = Agent.class.getProtectionDomain().getCodeSource().getLocation();
    URL[] hidden = {new URL("jar:" + jar + HIDDEN)};
    ClassLoader loader =
        new URLClassLoader("forebay-agent", hidden, ClassLoader.getPlatformClassLoader());
    Object log = loader.loadClass(LOG).getDeclaredConstructor().newInstance();
    @SuppressWarnings("unchecked") // it is its class that says so
    Consumer<String> consumer = (Consumer<String>) log;
    return consumer;
  }

  private static void report(Throwable t) {
    System.err.println("forebay-agent: the JVM's log is not carried: " + t);
  }
}
