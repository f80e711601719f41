package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The real file system without the waiting: these tests do not cut the power. Remembers what was
 * not forced all the same, and where that matters lets no checkpoint say of the log what a power
 * cut could take back.
 */
final class UnforcedDisk implements Disk {

  private static final int STATE_AT = 6;

  private final Disk disk = new NioDisk();
  private final boolean watchesCheckpoints;
  private final Set<Path> dirty = new HashSet<>();

  /** The one opened last. */
  private Path log = Path.of("");

  UnforcedDisk() {
    this(false);
  }

  /** A disk that may watch the order of forces. */
  UnforcedDisk(boolean watchesCheckpoints) {
    this.watchesCheckpoints = watchesCheckpoints;
  }

  private void check(ByteBuffer checkpoint) {
    boolean unforced = checkpoint.get(STATE_AT) == Checkpoint.State.UNFORCED.ordinal();
    if (watchesCheckpoints && !unforced && dirty.contains(log)) {
      throw new AssertionError("a checkpoint leads " + log);
    }
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.LOG) {
      log = file;
    }
    return new UnforcedFile(disk.open(file, mode), file);
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    disk.createDirectory(directory);
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public @Nullable FileInfo stat(Path path) throws IOException {
    return disk.stat(path);
  }

  @Override
  public boolean isRemoved(Path path) {
    return disk.isRemoved(path);
  }

  @Override
  public boolean isInMemory(Path path) {
    return disk.isInMemory(path);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    disk.move(from, to);
    if (dirty.remove(from)) {
      dirty.add(to);
    }
  }

  @Override
  public void link(Path name, Path existing) throws IOException {
    disk.link(name, existing);
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public long usableBytes(Path path) throws IOException {
    return disk.usableBytes(path);
  }

  @Override
  public Path realPath(Path path) throws IOException {
    return disk.realPath(path);
  }

  @Override
  public int userId() {
    return disk.userId();
  }

  private final class UnforcedFile implements DiskFile {
    private final DiskFile file;
    private final Path path;

    UnforcedFile(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      if (path.endsWith("checkpoint") && source.limit() == CheckpointFile.SLOT_BYTES) {
        check(source);
      }
      dirty.add(path);
      return file.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void force() {
      dirty.remove(path);
    }

    @Override
    public boolean tryLock() throws IOException {
      return file.tryLock();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
