package dev.forebay.it.demo.app;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A disk that can hold up all that changes the directory of the logs, where the demo may not freeze
 * a real file system; as with a frozen one, reading goes on. The spool lies elsewhere.
 */
final class StallingDisk {

  private static final Set<String> CHANGES =
      Set.of(
          "createDirectory",
          "move",
          "link",
          "delete",
          "forceDirectory",
          "write",
          "truncate",
          "force");

  /** Who has it may go on. */
  private static final Semaphore GATE = new Semaphore(1);

  private StallingDisk() {}

  /** Lets nobody pass. */
  static void stall() {
    GATE.acquireUninterruptibly();
  }

  static void resume() {
    GATE.release();
  }

  /** Waits while the disk is stalled; like a disk, takes no notice of interrupts. */
  static void pass() {
    GATE.acquireUninterruptibly();
    GATE.release();
  }

  /**
   * The disk.
   *
   * @param real where everything goes in the end
   * @param logs the directory that can be held up
   */
  static Disk before(Disk real, Path logs) {
    Path directory = logs.toAbsolutePath().normalize();
    return proxy(
        Disk.class,
        real,
        (method, arguments) ->
            arguments != null
                && arguments[0] instanceof Path path
                && path.toAbsolutePath().normalize().startsWith(directory)
                && (!method.equals("open") || arguments[1] != Disk.Mode.READ));
  }

  private interface Question {
    /** Whether a call is on what can be held up. */
    boolean isOnLogs(String method, Object @Nullable [] arguments);
  }

  private static <T> T proxy(Class<T> type, T real, Question question) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          boolean isOnLogs = question.isOnLogs(method.getName(), arguments);
          if (isOnLogs && (method.getName().equals("open") || CHANGES.contains(method.getName()))) {
            pass();
          }
          Object result = call(real, method, arguments);
          return isOnLogs && result instanceof DiskFile file
              ? proxy(DiskFile.class, file, (name, of) -> true)
              : result;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object call(Object real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
