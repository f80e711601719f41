package dev.forebay.tiered;

import dev.forebay.tiered.jvm.JvmSettings;
import dev.forebay.tiered.jvm.LinePlace;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.LineSpool;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The directory for the JVM's lines. For the flusher's thread, unless a comment says otherwise. */
final class JvmPlace implements LinePlace, Supplier<@Nullable OwnSpool> {

  private final StartContext start;
  private final LogLocator locator;
  private final SpoolQueue queue;
  private final ShippingMetrics account;
  private final Runnable wakeShipper;

  private @Nullable LogIdentity log;
  private @Nullable SpoolDirectory directory;

  private boolean isTried;
  private boolean isTold;

  /** Read by any thread. */
  private volatile @Nullable LineSpool current;

  JvmPlace(
      StartContext start,
      LogLocator locator,
      SpoolQueue queue,
      ShippingMetrics account,
      Runnable wakeShipper) {
    this.start = start;
    this.locator = locator;
    this.queue = queue;
    this.account = account;
    this.wakeShipper = wakeShipper;
  }

  @Override
  public boolean look() throws IOException {
    LogIdentity named = log;
    LogIdentity found =
        named == null || locator.isOther(named) ? locator.find(start.clock().nanoTime()) : null;
    if (found == null) {
      return directory != null;
    }
    isTried = true;
    queue.addDirectory(open(found));
    log = found;
    addUsual(found);
    return true;
  }

  /** After a turn: tells, once, what has come of the first attempt. */
  void tell() {
    if (isTried && !isTold) {
      isTold = true;
      account.spoolTried(current != null);
    }
  }

  private SpoolDirectory open(LogIdentity of) throws IOException {
    SpoolDirectory opened =
        SpoolDirectory.open(start.disk(), start.settings().spoolDirectory(), of);
    directory = opened;
    return opened;
  }

  /** Perhaps used earlier. */
  private void addUsual(LogIdentity found) throws IOException {
    Path usual = Path.of(TieredOptions.DEFAULT_SPOOL_DIRECTORY);
    if (!start.settings().spoolDirectory().equals(usual)) {
      SpoolDirectory other = SpoolDirectory.openExisting(start.disk(), usual, found);
      if (other != null) {
        queue.addDirectory(other);
      }
    }
  }

  JvmSettings jvm() {
    return Objects.requireNonNull(start.settings().jvm());
  }

  @Override
  public LineSpool create() throws IOException {
    SpoolDirectory there = Objects.requireNonNull(directory, "looked before");
    boolean isGone = start.disk().stat(there.path()) == null; // removed by others
    SpoolDirectory open = isGone ? open(Objects.requireNonNull(log)) : there;
    return open.createLines(jvm().memoryBytes());
  }

  @Override
  public boolean holds(LineSpool spool) {
    SpoolDirectory there = directory;
    return there != null && spool.path().startsWith(there.path());
  }

  @Override
  public void add(LineSpool spool) {
    current = spool;
    queue.add(Objects.requireNonNull(directory, "looked before"), spool);
    wakeShipper.run();
  }

  @Override
  public void retire(LineSpool spool) {
    current = null;
    queue.retire(Objects.requireNonNull(directory, "looked before"), spool);
    wakeShipper.run();
  }

  @Override
  public @Nullable LineSpool get() {
    return current;
  }
}
