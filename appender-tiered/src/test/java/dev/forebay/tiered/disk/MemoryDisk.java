package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Files and directories that are nothing but memory, for tests that make millions of them. */
public final class MemoryDisk implements Disk {
  private static final int OWNER = 1000;

  /** A directory is another at each look: whoever is killed in a test has claimed nothing. */
  private static final AtomicLong LOOKS = new AtomicLong();

  private final NavigableMap<Path, Node> nodes = new TreeMap<>();
  private int created;

  /** A file, or a directory where {@code bytes} is null. */
  private static final class Node {
    final String key;
    byte @Nullable [] bytes;

    Node(String key, byte @Nullable [] bytes) {
      this.key = key;
      this.bytes = bytes;
    }
  }

  public void put(Path file, byte[] content) {
    nodes.put(file, new Node("" + ++created, content));
  }

  public byte[] get(Path file) throws IOException {
    return bytesOf(existing(file)).clone();
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    Node found = nodes.get(file);
    if (found != null && mode == Mode.CREATE_PRIVATE) {
      throw new FileAlreadyExistsException(file.toString());
    }
    if (found == null) {
      if (mode != Mode.CREATE_PRIVATE && mode != Mode.LOG) {
        throw new NoSuchFileException(file.toString());
      }
      if (mode == Mode.CREATE_PRIVATE) { // logs may lie anywhere
        Node unused = existing(file.resolveSibling(""));
      }
      found = new Node("" + ++created, new byte[0]);
      nodes.put(file, found);
    }
    bytesOf(found);
    return new MemoryFile(found);
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    if (nodes.putIfAbsent(directory, new Node("" + ++created, null)) != null) {
      throw new FileAlreadyExistsException(directory.toString());
    }
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    existing(directory);
    return nodes.keySet().stream().filter(path -> directory.equals(path.getParent())).toList();
  }

  @Override
  public @Nullable FileInfo stat(Path path) {
    Node node = nodes.get(path);
    if (node == null) {
      return null;
    }
    byte[] bytes = node.bytes;
    return bytes == null
        ? new FileInfo(
            FileInfo.Kind.DIRECTORY, 0, "look " + LOOKS.incrementAndGet(), OWNER, 0700, 2, 0)
        : new FileInfo(FileInfo.Kind.FILE, bytes.length, node.key, OWNER, 0600, 1, 0);
  }

  @Override
  public boolean isInMemory(Path path) {
    return false;
  }

  @Override
  public boolean isRemoved(Path path) {
    return true;
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    existing(from);
    for (Path path : List.copyOf(nodes.tailMap(from).keySet())) {
      if (path.startsWith(from)) {
        nodes.put(to.resolve(from.relativize(path)), existing(path));
        nodes.remove(path);
      }
    }
  }

  @Override
  public void link(Path name, Path existing) throws IOException {
    if (nodes.putIfAbsent(name, existing(existing)) != null) {
      throw new FileAlreadyExistsException(name.toString());
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    Node node = nodes.get(path);
    if (node != null && node.bytes == null && !list(path).isEmpty()) {
      throw new DirectoryNotEmptyException(path.toString());
    }
    nodes.remove(path);
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public long usableBytes(Path path) {
    return Long.MAX_VALUE;
  }

  @Override
  public Path realPath(Path path) throws IOException {
    existing(path);
    return path;
  }

  @Override
  public int userId() {
    return OWNER;
  }

  private Node existing(Path path) throws IOException {
    Node node = nodes.get(path);
    if (node == null) {
      throw new NoSuchFileException(path.toString());
    }
    return node;
  }

  private static byte[] bytesOf(Node node) throws IOException {
    byte[] bytes = node.bytes;
    if (bytes == null) {
      throw new IOException("is a directory");
    }
    return bytes;
  }

  private record MemoryFile(Node node) implements DiskFile {
    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      int count = source.remaining();
      byte[] bytes = bytesOf(node);
      int end = Math.toIntExact(position) + count;
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, end);
        node.bytes = bytes;
      }
      source.get(bytes, end - count, count);
      return count;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      if (position < 0) {
        throw new IllegalArgumentException("position " + position);
      }
      byte[] bytes = bytesOf(node);
      if (!target.hasRemaining()) {
        return 0;
      }
      if (position >= bytes.length) {
        return -1;
      }
      int count = Math.min(target.remaining(), bytes.length - (int) position);
      target.put(bytes, (int) position, count);
      return count;
    }

    @Override
    public long size() throws IOException {
      return bytesOf(node).length;
    }

    @Override
    public void truncate(long size) throws IOException {
      byte[] bytes = bytesOf(node);
      if (size < bytes.length) {
        node.bytes = Arrays.copyOf(bytes, (int) size);
      }
    }

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
