package dev.forebay.tiered.spool;

import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The locks this process holds, also those of other class loaders.
 *
 * <p>An operating system's lock belongs to the whole process and is silently lost when any part of
 * it opens and closes the locked file. So whoever wants a lock claims its name here first, and
 * touches the file only then. The system properties are the one map that all class loaders share;
 * only strings are put there, nothing of ours is kept alive by it.
 */
final class LockRegistry {
  private static final String PREFIX = "dev.forebay.lock.";

  private LockRegistry() {}

  /** Claims a name; null when some part of this process has it. */
  static @Nullable Claim claim(String name) {
    String key = PREFIX + name;
    Properties shared = System.getProperties();
    return shared.putIfAbsent(key, "held") == null ? new Claim(shared, key) : null;
  }

  /** The right to touch one lock file. */
  static final class Claim {
    /** Kept, because a test or a container may exchange the properties of the system. */
    private final Properties shared;

    private final String key;
    private final AtomicBoolean released = new AtomicBoolean();

    private Claim(Properties shared, String key) {
      this.shared = shared;
      this.key = key;
    }

    void release() {
      if (released.compareAndSet(false, true)) {
        shared.remove(key);
      }
    }
  }
}
