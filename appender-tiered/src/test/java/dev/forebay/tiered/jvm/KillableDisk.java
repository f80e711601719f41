package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** The file operations of a process that is killed before one of them: none follows. */
final class KillableDisk {

  /** The process is gone. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private long left;

  /**
   * @param operations after which it is killed
   */
  KillableDisk(long operations) {
    this.left = operations;
  }

  Disk of(Disk disk) {
    return mortal(Disk.class, disk);
  }

  private <T> T mortal(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (left-- <= 0) {
                throw new Killed();
              }
              try {
                Object answer = method.invoke(target, arguments);
                return answer instanceof DiskFile file ? mortal(DiskFile.class, file) : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
