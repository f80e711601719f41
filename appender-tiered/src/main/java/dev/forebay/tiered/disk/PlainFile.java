package dev.forebay.tiered.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file without a channel. A thread that is interrupted while it writes closes its channel; here
 * the interrupt changes nothing. Cannot be locked.
 */
final class PlainFile implements DiskFile {

  /** Most bytes of one write. */
  private static final int MAX_BYTES = 64 * 1024;

  /** Room for a few records; grows for batches. */
  private static final int FIRST_BYTES = 4 * 1024;

  private static final long UNKNOWN = -1;

  private final RandomAccessFile file;
  private byte[] copy = new byte[FIRST_BYTES];

  /** Where the file's own position is, so that most writes need no other system call. */
  private long at = UNKNOWN;

  PlainFile(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "rw");
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    int count = Math.min(source.remaining(), MAX_BYTES);
    try {
      if (count > copy.length) {
        copy = new byte[MAX_BYTES];
      }
      source.get(source.position(), copy, 0, count);
      seek(position);
      int written = writeCopy(count, position);
      source.position(source.position() + written);
      return written;
    } catch (OutOfMemoryError e) { // a large write needs native memory
      throw new IOException("no memory to write " + source.remaining() + " bytes", e);
    }
  }

  /** Unlike a channel, {@code RandomAccessFile} throws after a part is written. */
  private int writeCopy(int count, long position) throws IOException {
    at = UNKNOWN; // whatever is thrown
    try {
      file.write(copy, 0, count);
    } catch (IOException e) {
      int written = (int) (file.getFilePointer() - position);
      if (written <= 0) {
        throw e;
      }
      return written;
    }
    at = position + count;
    return count;
  }

  private void seek(long position) throws IOException {
    if (at != position) {
      file.seek(position);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    byte[] bytes = new byte[Math.min(target.remaining(), MAX_BYTES)];
    at = UNKNOWN;
    file.seek(position);
    int count = file.read(bytes);
    if (count > 0) {
      target.put(bytes, 0, count);
    }
    return count;
  }

  @Override
  public long size() throws IOException {
    return file.length();
  }

  @Override
  public void truncate(long size) throws IOException {
    at = UNKNOWN;
    if (size < file.length()) {
      file.setLength(size);
    }
  }

  @Override
  public void force() throws IOException {
    file.getFD().sync();
  }

  @Override
  public boolean tryLock() {
    return false;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
