package dev.forebay.tiered.durable;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The log file that is being written: where it is, which it is, where its next byte goes. */
final class ActiveFile {
  /** Enough for a line feed in any encoding of up to four bytes a character. */
  private static final int TAIL_BYTES = 4;

  private static final int CHUNK_BYTES = 64 * 1024;

  /** Begins the colours of a terminal. */
  private static final byte ESCAPE = 0x1B;

  private final Path path;
  private final String key;
  private final DiskFile file;
  // Shipper's thread only.
  private long position;

  /** Whether what stands behind the position is to be cut off before the next byte is written. */
  private boolean tornEnd;

  private ActiveFile(Path path, String key, DiskFile file, long position) {
    this.path = path;
    this.key = key;
    this.file = file;
    this.position = position;
  }

  /**
   * Opens the file for appending, with its directory, and makes a new one's name durable.
   *
   * @param emptied whether it is to be emptied
   */
  static ActiveFile open(Disk disk, String name, boolean emptied) throws IOException {
    LogPath.createDirectories(disk, name);
    Path path = LogPath.resolve(disk, name);
    DiskFile file = disk.open(path, Disk.Mode.LOG);
    try {
      FileInfo info = disk.stat(path);
      if (info == null || info.kind() != FileInfo.Kind.FILE) {
        throw new IOException("the log file " + path + " was replaced while it was being opened");
      }
      LogPath.requireUnplanted(disk, path, info);
      long size = file.size();
      if (size == 0) {
        disk.forceDirectory(path.resolveSibling(""));
      }
      if (emptied) {
        file.truncate(0);
      }
      return new ActiveFile(path, info.key(), file, emptied ? 0 : size);
    } catch (IOException | RuntimeException e) {
      close(file);
      throw e;
    }
  }

  Path path() {
    return path;
  }

  String key() {
    return key;
  }

  long position() {
    return position;
  }

  /** Appends as much as the file system takes; returns how much that was. */
  int write(ByteBuffer bytes) throws IOException {
    if (tornEnd) {
      truncate(position);
    }
    int written = file.write(bytes, position);
    position += written;
    return written;
  }

  /**
   * Writes everything or, as far as the file system lets it, nothing.
   *
   * @param durable whether it must also be forced
   */
  void writeWhole(ByteBuffer bytes, boolean durable) throws IOException {
    long start = position;
    try {
      while (bytes.hasRemaining()) {
        if (write(bytes) <= 0) {
          throw new IOException("no byte of " + bytes.remaining() + " could be written to " + path);
        }
      }
      if (durable) {
        file.force();
      }
    } catch (IOException e) {
      // The next attempt starts at the same place; when the cut fails, it begins with that.
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

  void force() throws IOException {
    file.force();
  }

  void truncate(long offset) throws IOException {
    file.truncate(offset);
    position = offset;
    tornEnd = false;
  }

  /** Whether the name still leads to this file and nobody but us has changed its length. */
  boolean isUndisturbed(Disk disk, String name) throws IOException {
    return lengthAt(disk, name) == position;
  }

  /** Goes on at the end that others gave the file, which is not before the position. */
  void continueAt(long length) {
    position = length;
    tornEnd = false;
  }

  /** The length of this file, -1 where the name does not lead to it any more. */
  long lengthAt(Disk disk, String name) throws IOException {
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

  /**
   * Whether the file is empty up to here or its last character is a line feed. Trailing zero bytes
   * of a little-endian encoding belong to the character.
   */
  boolean endsWithLine(long end) throws IOException {
    ByteBuffer tail = ByteBuffer.allocate((int) Math.min(TAIL_BYTES, end));
    readFully(tail, end - tail.capacity());
    int last = tail.capacity() - 1;
    while (last > 0 && tail.get(last) == 0) {
      last--;
    }
    return last < 0 || tail.get(last) == '\n';
  }

  /**
   * Cuts off zeros at the end, which a power cut leaves where a file had been made longer and the
   * content was not yet on the disk. Those that belong to the last character stay: as many as stand
   * before its last other byte. So do a few behind a text that does not end with a line, where they
   * may be somebody's way to end one.
   *
   * @return how many were cut off
   */
  long cutZeros() throws IOException {
    long end = endOfContent();
    long zeros = position - end;
    ByteBuffer last = ByteBuffer.allocate((int) Math.min(TAIL_BYTES, end));
    readFully(last, end - last.capacity());
    int before = 0;
    int at = last.capacity() - 1;
    while (at - before > 0 && last.get(at - before - 1) == 0) {
      before++;
    }
    boolean isLine = at >= 0 && last.get(at) == '\n';
    if (zeros <= before || !isLine && zeros < TAIL_BYTES) {
      return 0;
    }
    truncate(end + before);
    return zeros - before;
  }

  /**
   * Whether the end of the file, without zeros behind it, has a line feed and no control character
   * that text does not have. Zeros in between may belong to characters of several bytes.
   */
  boolean looksLikeText() throws IOException {
    long end = endOfContent();
    ByteBuffer last = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, end));
    readFully(last, end - last.capacity());
    boolean lines = false;
    for (int i = 0; i < last.capacity(); i++) {
      byte one = last.get(i);
      if (one > 0 && one < ' ' && !isOfText(one)) {
        return false;
      }
      lines |= one == '\n';
    }
    return lines;
  }

  private static boolean isOfText(byte control) {
    return control == '\n'
        || control == '\r'
        || control == '\t'
        || control == '\f'
        || control == ESCAPE;
  }

  /** Behind the last byte that is not zero. */
  private long endOfContent() throws IOException {
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
    while (into.hasRemaining()) {
      if (file.read(into, from + into.position()) < 0) {
        throw new IOException(path + " is shorter than the " + position + " bytes it had");
      }
    }
  }

  /** Closes the file. A failure is of no consequence: what had to be durable was forced. */
  void close() {
    close(file);
  }

  private static void close(DiskFile file) {
    try {
      file.close();
    } catch (IOException e) {
      // Nothing is left to do with a file that cannot even be closed.
    }
  }
}
