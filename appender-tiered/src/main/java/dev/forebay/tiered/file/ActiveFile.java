package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.UnreadableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The log file being written: its path, its identity, and the position of its next byte. */
final class ActiveFile {
  private static final int CHUNK_BYTES = 64 * 1024;

  /** This many bytes of UTF-16 text cannot all be ASCII. */
  private static final int ASCII_BYTES = 64;

  /** The first byte of a color sequence. */
  private static final byte ESCAPE = 0x1B;

  private final Disk disk;
  private final DiskFile file;

  /** The file's name as the policy gave it. */
  final String name;

  final Path path;
  final String key;

  /** Whether the opening emptied it. */
  final boolean wasEmptied;

  // Shipper's thread only.
  private long position;

  /** Whether the file was empty when it was opened, and still is. */
  private boolean isUntouched;

  /** Whether bytes after the position must be cut off before the next write. */
  private boolean tornEnd;

  /** Whether a power cut cannot take the name of this file: its creator may not have forced it. */
  private boolean isNameForced;

  /**
   * Opens the file for appending, or empties it, and creates its directory. A start waits for this,
   * so it forces no more than directories that it creates.
   */
  ActiveFile(Disk disk, String name, boolean empties) throws IOException {
    LogPath.createDirectories(disk, name);
    this.disk = disk;
    this.name = name;
    this.wasEmptied = empties;
    this.path = LogPath.resolve(disk, name);
    this.file = disk.open(path, Disk.Mode.LOG);
    try {
      FileInfo info = disk.stat(path);
      if (info == null || info.kind() != FileInfo.Kind.FILE) {
        throw new IOException("the log file " + path + " was replaced while it was being opened");
      }
      LogPath.requireUnplanted(disk, path, info);
      this.key = info.key();
      if (empties) {
        file.truncate(0);
      }
      this.position = file.size();
      this.isUntouched = position == 0 && !empties;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  long position() {
    return position;
  }

  boolean isUntouched() {
    return isUntouched;
  }

  /** Appends as much as the file system takes; returns how much that was. */
  int write(ByteBuffer bytes) throws IOException {
    if (tornEnd) {
      truncate(position);
    }
    isUntouched = false;
    int written = file.write(bytes, position);
    position += written;
    return written;
  }

  /** Writes, and perhaps forces, everything or, if the file system allows it, nothing. */
  void writeWhole(ByteBuffer bytes, boolean durable) throws IOException {
    long start = position;
    try {
      while (bytes.hasRemaining()) {
        if (write(bytes) <= 0) {
          throw new IOException(
              "none of " + bytes.remaining() + " bytes could be written to " + path);
        }
      }
      if (durable) {
        force();
      }
    } catch (IOException e) {
      // The next attempt starts at the same position; if truncating fails, it truncates first.
      position = start;
      tornEnd = true;
      try {
        truncate(start);
      } catch (IOException cut) {
        e.addSuppressed(cut);
      }
      throw e;
    }
  }

  /** Makes the content durable, and the name too. */
  void force() throws IOException {
    file.force();
    if (!isNameForced) {
      try {
        disk.forceDirectory(path.resolveSibling(""));
      } catch (NoSuchFileException | AccessDeniedException e) {
        // Moved, and the file with it; or only its files can be opened.
      }
      isNameForced = true;
    }
  }

  void truncate(long offset) throws IOException {
    file.truncate(offset);
    position = offset;
    tornEnd = false;
  }

  /** Other processes have appended up to this length. */
  void continueAt(long length) {
    isUntouched &= length == 0;
    position = length;
    tornEnd = false;
  }

  /** The length of this file; -1 if the name no longer leads to it. */
  long length() throws IOException {
    try {
      if (!LogPath.resolve(disk, name).equals(path)) {
        return -1; // a link may lead elsewhere by now
      }
    } catch (NoSuchFileException e) {
      return -1;
    }
    FileInfo info = disk.stat(path);
    if (info == null || info.kind() != FileInfo.Kind.FILE || !info.key().equals(key)) {
      return -1;
    }
    return info.sizeBytes();
  }

  /** Whether the given bytes are the last ones before an offset. */
  boolean endsWith(long end, ByteBuffer bytes) throws IOException {
    ByteBuffer tail = ByteBuffer.allocate(bytes.remaining());
    if (end < tail.capacity()) {
      return false;
    }
    readFully(tail, end - tail.capacity());
    return tail.flip().equals(bytes);
  }

  /**
   * Whether a line of ASCII ends before an offset, in a file of whatever character set: two bytes
   * alone may be one character.
   */
  boolean endsInAscii(long end) throws IOException {
    ByteBuffer tail = ByteBuffer.allocate((int) Math.min(ASCII_BYTES, end));
    readFully(tail, end - tail.capacity());
    for (byte one : tail.array()) {
      if (one < '\t' || (one > '\r' && one < ' ' && one != ESCAPE)) {
        return false;
      }
    }
    return tail.get(tail.capacity() - 1) == '\n';
  }

  /** The position after the last non-zero byte. */
  long endOfContent() throws IOException {
    for (long end = position; end > 0; ) {
      ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, end));
      end -= chunk.capacity();
      readFully(chunk, end);
      for (int i = chunk.capacity() - 1; i >= 0; i--) {
        if (chunk.get(i) != 0) {
          return end + i + 1;
        }
      }
    }
    return 0;
  }

  private void readFully(ByteBuffer into, long from) throws IOException {
    if (!UnreadableException.readFully(file, into, from)) {
      throw new UnreadableException(
          new IOException(path + " is shorter than the " + position + " bytes it had"));
    }
  }

  /** Closes the file. A failure has no consequences: what had to be durable was forced. */
  void close() {
    DiskFile.closeQuietly(file);
  }
}
