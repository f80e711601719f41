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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A bounded disk in the heap, for a spool without a better place. Its content is lost with the
 * process. A file takes memory in small chunks as it grows and frees it when it is deleted or
 * truncated.
 */
public final class HeapDisk implements Disk {

  /** Initially the only directory. */
  public static final Path ROOT = Path.of("/heap").toAbsolutePath();

  private static final int CHUNK_BYTES = 16 * 1024;

  private final long limitBytes;

  /** Guards itself; chunks of a file are guarded by the file. */
  private final NavigableMap<Path, Node> nodes = new TreeMap<>();

  /** Memory of all chunks. */
  private final AtomicLong usedBytes = new AtomicLong();

  private long created;

  /**
   * @param limitBytes most memory that the content of all files together may take
   */
  public HeapDisk(long limitBytes) {
    this.limitBytes = limitBytes;
    nodes.put(ROOT, new Node(key(), true));
  }

  /** Memory taken by the content of all files. For any thread. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Most memory the content of all files may take. */
  public long limitBytes() {
    return limitBytes;
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
  public DiskFile open(Path file, Mode mode) throws IOException {
    synchronized (nodes) {
      Node found = nodes.get(file);
      if (found != null && mode == Mode.CREATE_PRIVATE) {
        throw new FileAlreadyExistsException(file.toString());
      }
      if (found == null) {
        if (mode != Mode.CREATE_PRIVATE && mode != Mode.LOG) {
          throw new NoSuchFileException(file.toString());
        }
        requireDirectory(file.getParent());
        found = new Node(key(), false);
        nodes.put(file, found);
      }
      if (found.isDirectory) {
        throw new IOException(file + " is a directory");
      }
      return new HeapFile(found, mode == Mode.LOG);
    }
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    synchronized (nodes) {
      requireDirectory(directory.getParent());
      if (nodes.containsKey(directory)) {
        throw new FileAlreadyExistsException(directory.toString());
      }
      nodes.put(directory, new Node(key(), true));
    }
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    synchronized (nodes) {
      requireDirectory(directory);
      return nodes.keySet().stream().filter(path -> directory.equals(path.getParent())).toList();
    }
  }

  @Override
  public @Nullable FileInfo stat(Path path) {
    Node node;
    synchronized (nodes) {
      node = nodes.get(path);
    }
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
  public void move(Path from, Path to) throws IOException {
    synchronized (nodes) {
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
  }

  @Override
  public void link(Path name, Path existing) {
    throw new UnsupportedOperationException("the heap disk has no links");
  }

  @Override
  public void delete(Path path) throws IOException {
    synchronized (nodes) {
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
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public long usableBytes(Path path) {
    return limitBytes - usedBytes.get();
  }

  @Override
  public Path realPath(Path path) throws IOException {
    synchronized (nodes) {
      existing(path);
      return path;
    }
  }

  /** Unknown, so that owners and modes are not checked. */
  @Override
  public int userId() {
    return -1;
  }

  private String key() {
    return "heap " + ++created;
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
  private final class Node {
    final String key;
    final boolean isDirectory;
    private final List<byte[]> chunks = new ArrayList<>();
    private long size;

    /** The open file that holds the lock. */
    final AtomicReference<@Nullable HeapFile> holder = new AtomicReference<>();

    Node(String key, boolean isDirectory) {
      this.key = key;
      this.isDirectory = isDirectory;
    }

    synchronized long size() {
      return size;
    }

    /** Writes as many bytes as there is memory for. */
    synchronized int write(ByteBuffer source, long position) throws IOException {
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
        if (usedBytes.addAndGet(CHUNK_BYTES) > limitBytes || !addChunk()) {
          usedBytes.addAndGet(-CHUNK_BYTES);
          return false;
        }
      }
      return true;
    }

    private boolean addChunk() {
      try {
        return chunks.add(new byte[CHUNK_BYTES]);
      } catch (OutOfMemoryError e) { // the application uses the memory: the events wait
        return false;
      }
    }

    synchronized int read(ByteBuffer target, long position) {
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

    synchronized void truncate(long length) {
      int needed = (int) ((length + CHUNK_BYTES - 1) / CHUNK_BYTES);
      while (chunks.size() > needed) {
        chunks.remove(chunks.size() - 1);
        usedBytes.addAndGet(-CHUNK_BYTES);
      }
      size = Math.min(size, length);
    }
  }

  private static final class HeapFile implements DiskFile {
    private final Node node;
    private final boolean appends;

    HeapFile(Node node, boolean appends) {
      this.node = node;
      this.appends = appends;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      return node.write(source, appends ? node.size() : position);
    }

    @Override
    public int read(ByteBuffer target, long position) {
      return node.read(target, position);
    }

    @Override
    public long size() {
      return node.size();
    }

    @Override
    public void truncate(long size) {
      node.truncate(size);
    }

    @Override
    public void force() {}

    @Override
    public boolean tryLock() {
      return node.holder.compareAndSet(null, this);
    }

    @Override
    public void close() {
      node.holder.compareAndSet(this, null);
    }
  }
}
