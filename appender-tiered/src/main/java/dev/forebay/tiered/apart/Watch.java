package dev.forebay.tiered.apart;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Once;
import dev.forebay.agent.Voice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices changes in directories, by inotify on Linux, and besides has everything looked at now and
 * then. Where the system watches no more directories, only the second is done, and said once.
 */
final class Watch implements Closeable, Runnable {

  private static final String WATCH = "watch";

  private final Runnable look;
  private final BiConsumer<Path, Set<String>> changed;
  private final Once once;
  private final NanoClock clock;
  private final Map<Path, WatchKey> watched = new HashMap<>();
  private final Thread thread = new Thread(this, "forebay-ship-watch");
  private @Nullable WatchService service;
  private long lookMs;
  private volatile boolean isClosed;

  /**
   * @param look what looks at everything; on the thread of this, like the next
   * @param changed gets a directory and the names of entries that have changed; none if unknown
   */
  Watch(Runnable look, BiConsumer<Path, Set<String>> changed, Voice voice, NanoClock clock) {
    this.clock = clock;
    this.look = look;
    this.changed = changed;
    this.once = new Once(voice);
    thread.setDaemon(true);
  }

  void start(long everyMs) {
    lookMs = everyMs;
    try {
      service = FileSystems.getDefault().newWatchService();
    } catch (IOException e) {
      cannot(e);
    }
    thread.start();
  }

  private void cannot(IOException e) {
    once.warn(
        WATCH,
        "Cannot watch directories: %s; new records are noticed within %d s: raise fs.inotify.max_user_instances or max_user_watches"
            .formatted(e.getMessage(), lookMs / 1000));
  }

  /** Watches a directory too, unless it is watched or gone. */
  synchronized void add(Path directory) {
    WatchService by = service;
    WatchKey known = watched.get(directory);
    if (by == null || isClosed || (known != null && known.isValid())) {
      return;
    }
    try {
      watched.put(directory, directory.register(by, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY));
    } catch (IOException e) {
      if (directory.toFile().isDirectory()) {
        cannot(e);
      }
    } catch (ClosedWatchServiceException e) {
      return; // ends
    }
  }

  @Override
  public void run() {
    long lookedNs = clock.nanoTime();
    look.run();
    while (!isClosed) {
      try {
        long leftMs = lookMs - TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - lookedNs);
        WatchKey key = leftMs > 0 ? next(leftMs) : null;
        if (key != null) {
          tell(key);
        } else if (leftMs <= 0) {
          look.run();
          lookedNs = clock.nanoTime();
        }
      } catch (InterruptedException | ClosedWatchServiceException e) {
        return; // it is closed
      }
    }
  }

  private @Nullable WatchKey next(long timeoutMs) throws InterruptedException {
    WatchService by = service;
    if (by == null) {
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(timeoutMs));
      return null;
    }
    return by.poll(timeoutMs, TimeUnit.MILLISECONDS);
  }

  private void tell(WatchKey key) {
    Path directory = (Path) key.watchable();
    Set<String> names = new HashSet<>();
    boolean isComplete = true;
    for (WatchEvent<?> event : key.pollEvents()) {
      isComplete &= event.context() != null; // else events were lost
      names.add(String.valueOf(event.context()));
    }
    if (!key.reset()) {
      remove(directory);
    }
    changed.accept(directory, isComplete ? names : Set.of());
  }

  /** Whether changes are noticed, and not only what is there at a look. */
  boolean isWatching() {
    return service != null && once.isOver(WATCH);
  }

  /** Watches a directory no longer. */
  synchronized void remove(Path directory) {
    WatchKey known = watched.remove(directory);
    if (known != null) {
      known.cancel();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
    try {
      WatchService by = service;
      if (by != null) {
        by.close();
      }
    } catch (IOException e) {
      // It is not used any more.
    }
  }
}
