package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The real file system without the waiting: these tests do not cut the power. */
final class UnforcedDisk implements Disk {

  private final Disk disk = new NioDisk();

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    return new UnforcedFile(disk.open(file, mode));
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
  public void move(Path from, Path to) throws IOException {
    disk.move(from, to);
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

  private record UnforcedFile(DiskFile file) implements DiskFile {

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
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
    public void force() {}

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
