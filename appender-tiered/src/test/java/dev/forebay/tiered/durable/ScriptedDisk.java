package dev.forebay.tiered.durable;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** The real file system, with faults that the test switches on. */
final class ScriptedDisk implements Disk {
  private final Disk disk = new NioDisk();

  /** Bytes that may still be written before the disk is full. */
  long spaceBytes = Long.MAX_VALUE;

  /** How many of the next calls of each kind fail. */
  int failingOpens;

  int failingForces;
  int failingDirectoryForces;
  int failingTruncates;

  /** What {@link #stat} makes of the truth. */
  UnaryOperator<FileInfo> seenAs = info -> info;

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.LOG && failingOpens-- > 0) {
      throw new IOException("scripted: cannot open " + file);
    }
    return new ScriptedFile(disk.open(file, mode));
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
  public FileInfo stat(Path path) throws IOException {
    FileInfo info = disk.stat(path);
    return info == null ? null : seenAs.apply(info);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    disk.move(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    if (failingDirectoryForces-- > 0) {
      throw new IOException("scripted: cannot force " + directory);
    }
    disk.forceDirectory(directory);
  }

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

  private final class ScriptedFile implements DiskFile {
    private final DiskFile file;

    ScriptedFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      if (source.hasRemaining() && spaceBytes == 0) {
        throw new IOException("scripted: no space left on device");
      }
      int all = source.limit();
      source.limit(source.position() + (int) Math.min(source.remaining(), spaceBytes));
      try {
        int written = file.write(source, position);
        spaceBytes -= written;
        return written;
      } finally {
        source.limit(all);
      }
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
      if (failingTruncates-- > 0) {
        throw new IOException("scripted: cannot truncate");
      }
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      if (failingForces-- > 0) {
        throw new IOException("scripted: input/output error");
      }
      file.force();
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
