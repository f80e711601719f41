package dev.forebay.tiered.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A disk that fails when a test says so: the n-th call of an operation, or of any, throws; writes
 * are short; space runs out. Calls are counted from the moment a fault is set. Safe for any thread.
 */
public final class FaultyDisk implements Disk {
  private final Disk disk;
  private final Map<Op, Integer> calls = new EnumMap<>(Op.class);
  private final List<Fault> faults = new ArrayList<>();
  private Predicate<Path> affected = path -> true;
  private int maxWriteBytes = Integer.MAX_VALUE;
  private long spaceBytes = Long.MAX_VALUE;
  private volatile @Nullable LongSupplier free;
  private BiFunction<Path, FileInfo, FileInfo> shown = (path, info) -> info;
  private boolean forces = true;

  /** What is not forced, also where forcing is left out. */
  private final Set<Path> dirty = ConcurrentHashMap.newKeySet();

  private volatile Path log = Path.of("");
  private BiPredicate<Path, ByteBuffer> vouchesForLog = (file, bytes) -> false;

  public FaultyDisk(Disk disk) {
    this.disk = disk;
  }

  /** The operations that can fail, those of files included. */
  public enum Op {
    OPEN,
    CREATE_DIRECTORY,
    LIST,
    STAT,
    MOVE,
    LINK,
    DELETE,
    FORCE_DIRECTORY,
    USABLE_BYTES,
    REAL_PATH,
    WRITE,
    READ,
    SIZE,
    TRUNCATE,
    FORCE,
    LOCK,
    CLOSE,
    PERMIT,
    /** After a write took effect, not one of the operations of "any". */
    WRITTEN,
    /** Which throws no exception: only for an Error, and not one of the operations of "any". */
    IS_IN_MEMORY
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  /** What happens instead of a call or before it. */
  public interface Event {
    void happen() throws IOException;
  }

  private synchronized FaultyDisk add(Op op, int nth, Event event, boolean isLasting) {
    faults.add(new Fault(op, new AtomicInteger(nth - 1), event, isLasting));
    return this;
  }

  /** The {@code nth} call (1 is the next) of an operation, or of any, fails before it acts. */
  public FaultyDisk failOnce(Op op, int nth, IOException failure) {
    return before(op, nth, throwing(() -> failure));
  }

  public FaultyDisk before(Op op, int nth, Event event) {
    return add(op, nth, event, false);
  }

  /**
   * The {@code nth} call of an operation and all later ones fail, each with an exception of its
   * own: one that is thrown twice cannot be suppressed by itself, which no real disk asks for.
   */
  public FaultyDisk failFrom(Op op, int nth, Supplier<IOException> failure) {
    return add(op, nth, throwing(failure), true);
  }

  /** Something happens right before the {@code nth} call of whatever operation, and each later. */
  public FaultyDisk from(int nth, Event event) {
    return add(null, nth, event, true);
  }

  /** Only calls for these paths are counted and fail. */
  public synchronized FaultyDisk affecting(Predicate<Path> paths) {
    affected = paths;
    return this;
  }

  public synchronized FaultyDisk limitWrites(int maxBytes) {
    maxWriteBytes = maxBytes;
    return this;
  }

  /** Files can grow by this many bytes together; then writes are short, then fail. */
  public synchronized FaultyDisk limitSpace(long bytes) {
    spaceBytes = bytes;
    return this;
  }

  /** What this process has claimed through other disks does not count, as in another process. */
  public FaultyDisk ofOtherProcess() {
    return showing(
        (path, info) ->
            info.kind() == FileInfo.Kind.DIRECTORY
                ? new FileInfo(
                    info.kind(),
                    info.sizeBytes(),
                    info.key() + " elsewhere",
                    info.ownerId(),
                    info.mode(),
                    info.links(),
                    info.modifiedMs())
                : info);
  }

  public FaultyDisk showing(BiFunction<Path, FileInfo, FileInfo> instead) {
    shown = instead;
    return this;
  }

  /** Without the waiting, for tests that do not cut the power. */
  public FaultyDisk unforced() {
    forces = false;
    return this;
  }

  /** No such write may come while the log is not forced, which a power cut could take back. */
  public FaultyDisk requireForcedLog(BiPredicate<Path, ByteBuffer> before) {
    vouchesForLog = before;
    return this;
  }

  /** Says that this much is free, and does not see to it. */
  public FaultyDisk claimFree(LongSupplier bytes) {
    free = bytes;
    return this;
  }

  public synchronized void heal() {
    faults.clear();
    affected = path -> true;
    maxWriteBytes = Integer.MAX_VALUE;
    spaceBytes = Long.MAX_VALUE;
  }

  public synchronized boolean hasFaultsAhead() {
    return faults.stream().anyMatch(fault -> fault.callsBefore().get() >= 0);
  }

  public synchronized int calls(Op op) {
    return calls.getOrDefault(op, 0);
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    DiskFile opened = on(file, Op.OPEN, () -> new FaultyFile(disk.open(file, mode), file));
    if (mode == Mode.LOG) {
      log = file;
    }
    return opened;
  }

  @Override
  public boolean setPermissions(Path file, Set<PosixFilePermission> permissions)
      throws IOException {
    return on(file, Op.PERMIT, () -> disk.setPermissions(file, permissions));
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    check(Op.CREATE_DIRECTORY, directory);
    disk.createDirectory(directory);
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    return on(directory, Op.LIST, () -> disk.list(directory));
  }

  @Override
  public FileInfo stat(Path path) throws IOException {
    FileInfo found = on(path, Op.STAT, () -> disk.stat(path));
    return found == null ? null : shown.apply(path, found);
  }

  @Override
  public boolean isRemoved(Path path) {
    return disk.isRemoved(path);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    check(Op.MOVE, from);
    disk.move(from, to);
    if (dirty.remove(from)) {
      dirty.add(to);
    }
  }

  @Override
  public void link(Path name, Path existing) throws IOException {
    check(Op.LINK, name);
    disk.link(name, existing);
  }

  @Override
  public void delete(Path path) throws IOException {
    check(Op.DELETE, path);
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    check(Op.FORCE_DIRECTORY, directory);
    if (forces) {
      disk.forceDirectory(directory);
    }
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    check(Op.USABLE_BYTES, path);
    LongSupplier claimed = free;
    return claimed == null ? disk.usableBytes(path) : claimed.getAsLong();
  }

  @Override
  public boolean isInMemory(Path path) {
    try {
      check(Op.IS_IN_MEMORY, path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return disk.isInMemory(path);
  }

  @Override
  public Path realPath(Path path) throws IOException {
    return on(path, Op.REAL_PATH, () -> disk.realPath(path));
  }

  @Override
  public int userId() {
    return disk.userId();
  }

  private void noteWrite(Path file, ByteBuffer bytes) {
    if (vouchesForLog.test(file, bytes) && dirty.contains(log)) {
      throw new AssertionError("a checkpoint leads " + log);
    }
    dirty.add(file);
  }

  private <T> T on(Path path, Op op, Work<T> work) throws IOException {
    check(op, path);
    return work.run();
  }

  private static Event throwing(Supplier<IOException> failure) {
    return () -> {
      throw failure.get();
    };
  }

  /** The event itself may use this disk, and may last, so it is not part of the count. */
  private void check(Op op, Path path) throws IOException {
    count(op, path).happen();
  }

  private synchronized Event count(Op op, Path path) {
    if (!affected.test(path)) {
      return () -> {};
    }
    calls.merge(op, 1, Integer::sum);
    Event event = () -> {};
    for (Fault fault : faults) {
      event = fault.hits(op) ? fault.event() : event;
    }
    return event;
  }

  /** How many of the bytes may be written now; takes them from the space left. */
  private synchronized int admit(DiskFile file, Path path, int bytes, long position)
      throws IOException {
    if (!affected.test(path)) {
      return bytes;
    }
    int admitted = Math.min(bytes, maxWriteBytes);
    long free = Math.max(0, file.size() - position);
    if (admitted > free && admitted - free > spaceBytes) {
      admitted = (int) (free + spaceBytes);
      if (admitted == 0) {
        throw new IOException("No space left on device");
      }
    }
    if (spaceBytes != Long.MAX_VALUE) {
      spaceBytes -= Math.max(0, admitted - free);
    }
    return admitted;
  }

  private final class FaultyFile implements DiskFile {
    private final DiskFile file;
    private final Path path;

    FaultyFile(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      check(Op.WRITE, path);
      int limit = source.limit();
      if (source.hasRemaining()) {
        int admitted = admit(file, path, source.remaining(), position);
        source.limit(source.position() + admitted);
      }
      try {
        noteWrite(path, source);
        int count = file.write(source, position);
        check(Op.WRITTEN, path);
        return count;
      } finally {
        source.limit(limit);
      }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return on(path, Op.READ, () -> file.read(target, position));
    }

    @Override
    public long size() throws IOException {
      return on(path, Op.SIZE, file::size);
    }

    @Override
    public void truncate(long size) throws IOException {
      check(Op.TRUNCATE, path);
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      check(Op.FORCE, path);
      dirty.remove(path);
      if (forces) {
        file.force();
      }
    }

    @Override
    public boolean tryLock() throws IOException {
      return on(path, Op.LOCK, file::tryLock);
    }

    @Override
    public void close() throws IOException {
      file.close(); // in any case, as the operating system does
      check(Op.CLOSE, path);
    }
  }
}
