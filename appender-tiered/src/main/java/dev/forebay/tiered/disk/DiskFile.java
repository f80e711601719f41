package dev.forebay.tiered.disk;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One open file. Owned by one thread at a time. No other thread may close it: closing a file with a
 * stalled write blocks until the disk returns.
 */
public interface DiskFile extends Closeable {

  /**
   * Writes from {@code source}'s position to its limit at a byte position of the file.
   *
   * @return bytes written, at least 1 unless nothing remained; fewer than requested is normal when
   *     space runs out
   */
  int write(ByteBuffer source, long position) throws IOException;

  /** As {@link #write}, but all of it; throws if that is not possible. */
  default void writeFully(ByteBuffer source, long position) throws IOException {
    long start = position - source.position();
    while (source.hasRemaining()) {
      if (write(source, start + source.position()) <= 0) {
        throw new IOException("no progress writing " + source.remaining() + " bytes");
      }
    }
  }

  /** Reads into {@code target}; returns the count, or -1 at the end of the file. */
  int read(ByteBuffer target, long position) throws IOException;

  /** As {@link #read}, until {@code target} is full; false if the file ends earlier. */
  default boolean readFully(ByteBuffer target, long position) throws IOException {
    long start = position - target.position();
    while (target.hasRemaining()) {
      if (read(target, start + target.position()) <= 0) {
        return false;
      }
    }
    return true;
  }

  /** The content from the begin of the file, which is closed with it. */
  default InputStream input() {
    return new InputStream() {
      private long position;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = DiskFile.this.read(ByteBuffer.wrap(bytes, offset, length), position);
        position += Math.max(0, count);
        return count;
      }

      @Override
      public void close() throws IOException {
        DiskFile.this.close();
      }
    };
  }

  /** Writes from the begin of the file, which stays open when this is closed. */
  default OutputStream output() {
    return new OutputStream() {
      private long position;

      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        writeFully(ByteBuffer.wrap(bytes, offset, length), position);
        position += length;
      }
    };
  }

  /** Closes a file, if there is one, and ignores a failure: each caller says why. */
  static void closeQuietly(@Nullable DiskFile file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // Ignored: the Javadoc says why.
    }
  }

  long size() throws IOException;

  /** Cuts the file to {@code size} bytes; never extends it. */
  void truncate(long size) throws IOException;

  /** Makes the content durable ({@code fdatasync}). A failure is final for the affected pages. */
  void force() throws IOException;

  /**
   * Tries to take an exclusive advisory lock on the file. It is held until this file, or any other
   * file of this process on the same inode, is closed. False while another process holds it, or
   * another file of this process, even in another class loader.
   */
  boolean tryLock() throws IOException;
}
