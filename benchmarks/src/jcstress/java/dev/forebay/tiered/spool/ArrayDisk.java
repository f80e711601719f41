package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Files of one size in plain arrays. Their content passes between threads without any ordering of
 * its own, so that a reader sees only what the code under test makes visible; a kernel is kinder.
 */
final class ArrayDisk implements Disk {

  private final int fileBytes;
  private final ConcurrentHashMap<Path, byte[]> files = new ConcurrentHashMap<>();

  ArrayDisk(int fileBytes) {
    this.fileBytes = fileBytes;
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws NoSuchFileException {
    byte[] content =
        mode == Mode.CREATE_PRIVATE
            ? files.computeIfAbsent(file, name -> new byte[fileBytes])
            : files.get(file);
    if (content == null) {
      throw new NoSuchFileException(file.toString());
    }
    return new ArrayFile(content);
  }

  @Override
  public void createDirectory(Path directory) {}

  @Override
  public List<Path> list(Path directory) {
    return List.copyOf(files.keySet());
  }

  @Override
  public @Nullable FileInfo stat(Path path) {
    if (path.getNameCount() == 1) {
      return new FileInfo(FileInfo.Kind.DIRECTORY, 0, path.toString(), userId(), 0700, 2, 0);
    }
    return files.containsKey(path)
        ? new FileInfo(FileInfo.Kind.FILE, fileBytes, path.toString(), userId(), 0600, 1, 0)
        : null;
  }

  @Override
  public void move(Path from, Path to) throws NoSuchFileException {
    byte[] content = files.remove(from);
    if (content == null) {
      throw new NoSuchFileException(from.toString());
    }
    files.put(to, content);
  }

  @Override
  public void link(Path name, Path existing) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isRemoved(Path path) {
    return true;
  }

  @Override
  public boolean isInMemory(Path path) {
    return true;
  }

  @Override
  public void delete(Path path) {
    files.remove(path);
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public long usableBytes(Path path) {
    return Long.MAX_VALUE;
  }

  @Override
  public Path realPath(Path path) {
    return path;
  }

  @Override
  public int userId() {
    return 0;
  }

  private static final class ArrayFile implements DiskFile {
    private final byte[] content;

    ArrayFile(byte[] content) {
      this.content = content;
    }

    @Override
    public int write(ByteBuffer source, long position) {
      int length = source.remaining();
      source.get(content, (int) position, length);
      return length;
    }

    @Override
    public int read(ByteBuffer target, long position) {
      int length = Math.min(target.remaining(), content.length - (int) position);
      if (length <= 0) {
        return -1;
      }
      target.put(content, (int) position, length);
      return length;
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public void truncate(long size) {}

    @Override
    public void force() {}

    @Override
    public boolean tryLock() {
      return true;
    }

    @Override
    public void close() {}
  }
}
