package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded disk in the heap, for a spool without a better place. Its content is lost with the
 * process. A file takes memory in small chunks as it grows and frees it when it is deleted or
 * truncated.
 */
public final class HeapDisk implements Disk {

  public static final Path ROOT = Path.of("/heap").toAbsolutePath();

  private static final int CHUNK_BYTES = 16 * 1024;

  private final long limitBytes;

  /** Guarded by this; chunks of a file are guarded by the file. */
  private final NavigableMap<Path, Node> nodes = new TreeMap<>();

  private final AtomicLong usedBytes = new AtomicLong();

  /** Names its files apart from those of other heap disks, also of other class loaders. */
  private final String name = "heap " + HeapDisk.class.hashCode() + "." + hashCode();

  private long created;

  /**
   * @param limitBytes most memory that the content of all files together may take
   */
  public HeapDisk(long limitBytes) {
    this.limitBytes = limitBytes;
    nodes.put(ROOT, new Node(true));
  }

  @Override
  public boolean isInMemory(Path path) {
    return true;
  }

  @Override
  public boolean outlivesProcess() {
    return false;
  }

  @Override
  public synchronized DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.CREATE_PRIVATE) {
      create(file, false);
    }
    Node found = existing(file);
    if (found.isDirectory) {
      throw new IOException(file + " is a directory");
    }
    return found;
  }

  @Override
  public synchronized void createDirectory(Path directory) throws IOException {
    create(directory, true);
  }

  private void create(Path path, boolean isDirectory) throws IOException {
    if (nodes.containsKey(path)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    requireDirectory(path.getParent());
    nodes.put(path, new Node(isDirectory));
  }

  @Override
  public synchronized List<Path> list(Path directory) throws IOException {
    requireDirectory(directory);
    return nodes.keySet().stream().filter(path -> directory.equals(path.getParent())).toList();
  }

  @Override
  public synchronized @Nullable FileInfo stat(Path path) {
    Node node = nodes.get(path);
    if (node == null) {
      return null;
    }
    FileInfo.Kind kind = node.isDirectory ? FileInfo.Kind.DIRECTORY : FileInfo.Kind.FILE;
    return new FileInfo(kind, node.size(), node.key, -1, -1, -1, 0);
  }

  @Override
  public boolean isRemoved(Path path) {
    return stat(path) == null;
  }

  @Override
  public synchronized void move(Path from, Path to) throws IOException {
    existing(from);
    requireDirectory(to.getParent());
    Node replaced = nodes.get(to);
    for (Path path : List.copyOf(nodes.tailMap(from).keySet())) {
      if (path.startsWith(from)) {
        nodes.put(to.resolve(from.relativize(path)), existing(path));
        nodes.remove(path);
      }
    }
    if (replaced != null) {
      replaced.truncate(0);
    }
  }

  @Override
  public void link(Path name, Path existing) {
    throw new UnsupportedOperationException("the heap disk has no links");
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    Node node = nodes.get(path);
    if (node == null) {
      return;
    }
    if (node.isDirectory && !list(path).isEmpty()) {
      throw new DirectoryNotEmptyException(path.toString());
    }
    nodes.remove(path);
    node.truncate(0);
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public long usableBytes(Path path) {
    return limitBytes - usedBytes.get();
  }

  @Override
  public Path realPath(Path path) {
    return path; // there are no links
  }

  /** Unknown, so that owners and modes are not checked. */
  @Override
  public int userId() {
    return -1;
  }

  private void requireDirectory(@Nullable Path directory) throws IOException {
    if (directory == null || !existing(directory).isDirectory) {
      throw new IOException(directory + " is not a directory");
    }
  }

  private Node existing(Path path) throws IOException {
    Node node = nodes.get(path);
    if (node == null) {
      throw new NoSuchFileException(path.toString());
    }
    return node;
  }

  /** A file, or a directory, which has no content. Its monitor guards size and chunks. */
  private final class Node implements DiskFile {
    final String key = name + "." + ++created;
    final boolean isDirectory;
    private final List<byte[]> chunks = new ArrayList<>();
    private long size;

    Node(boolean isDirectory) {
      this.isDirectory = isDirectory;
    }

    @Override
    public synchronized long size() {
      return size;
    }

    /** Writes as many bytes as there is memory for. */
    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
      int start = source.position();
      long at = position;
      while (source.hasRemaining() && hasChunk((int) (at / CHUNK_BYTES))) {
        int from = (int) (at % CHUNK_BYTES);
        int count = Math.min(source.remaining(), CHUNK_BYTES - from);
        source.get(chunks.get((int) (at / CHUNK_BYTES)), from, count);
        at += count;
      }
      if (source.hasRemaining() && source.position() == start) {
        throw new IOException("no room in the heap, limit " + limitBytes + " bytes");
      }
      size = Math.max(size, at);
      return source.position() - start;
    }

    /** Creates chunks up to this one; false if memory or the limit does not allow it. */
    private boolean hasChunk(int index) {
      while (chunks.size() <= index) {
        boolean isAdded = false;
        try {
          isAdded =
              usedBytes.addAndGet(CHUNK_BYTES) <= limitBytes && chunks.add(new byte[CHUNK_BYTES]);
        } catch (OutOfMemoryError e) {
          // The application uses the memory: the events wait.
        }
        if (!isAdded) {
          usedBytes.addAndGet(-CHUNK_BYTES);
          return false;
        }
      }
      return true;
    }

    @Override
    public synchronized int read(ByteBuffer target, long position) {
      if (!target.hasRemaining()) {
        return 0;
      }
      if (position >= size) {
        return -1;
      }
      int start = target.position();
      long at = position;
      while (target.hasRemaining() && at < size) {
        int from = (int) (at % CHUNK_BYTES);
        int count = (int) Math.min(Math.min(target.remaining(), CHUNK_BYTES - from), size - at);
        target.put(chunks.get((int) (at / CHUNK_BYTES)), from, count);
        at += count;
      }
      return target.position() - start;
    }

    @Override
    public synchronized void truncate(long length) {
      int needed = (int) ((length + CHUNK_BYTES - 1) / CHUNK_BYTES);
      while (chunks.size() > needed) {
        chunks.remove(chunks.size() - 1);
        usedBytes.addAndGet(-CHUNK_BYTES);
      }
      size = Math.min(size, length);
    }

    @Override
    public void force() {}

    /** Always true: no other process sees the file, and a claim guards it within this one. */
    @Override
    public boolean tryLock() {
      return true;
    }

    @Override
    public void close() {}
  }
}
