package dev.forebay.it.demo.app;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A disk with a {@link StallGate} in front of everything that changes the directory of the logs; as
 * with a frozen file system, reading goes on. The spool lies elsewhere and is not held up.
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

  private StallingDisk() {}

  /**
   * The disk.
   *
   * @param real where everything goes in the end
   * @param stalled the directory of the logs
   * @param gate what holds up changes there
   */
  static Disk before(Disk real, Path stalled, StallGate gate) {
    Path directory = stalled.toAbsolutePath().normalize();
    return proxy(
        Disk.class,
        (proxy, method, arguments) -> {
          boolean isStalled = isBelow(directory, arguments);
          boolean opensToWrite = method.getName().equals("open") && arguments[1] != Disk.Mode.READ;
          if (isStalled && (opensToWrite || CHANGES.contains(method.getName()))) {
            gate.pass();
          }
          Object result = call(real, method, arguments);
          return isStalled && result instanceof DiskFile file ? before(file, gate) : result;
        });
  }

  private static DiskFile before(DiskFile real, StallGate gate) {
    return proxy(
        DiskFile.class,
        (proxy, method, arguments) -> {
          if (CHANGES.contains(method.getName())) {
            gate.pass();
          }
          return call(real, method, arguments);
        });
  }

  private static boolean isBelow(Path directory, Object @Nullable [] arguments) {
    return arguments != null
        && arguments[0] instanceof Path path
        && path.toAbsolutePath().normalize().startsWith(directory);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
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
