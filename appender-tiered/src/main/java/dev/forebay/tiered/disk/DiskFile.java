package dev.forebay.tiered.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open file. Owned by one thread at a time: nobody else may close it, since closing a file
 * whose write is stalled blocks the closer until the disk returns.
 */
public interface DiskFile extends Closeable {

  /**
   * Writes from {@code source}'s position to its limit at a byte position of the file.
   *
   * @return bytes written, at least 1 unless nothing remained; fewer than asked is normal when
   *     space runs out
   */
  int write(ByteBuffer source, long position) throws IOException;

  /** Reads into {@code target}; returns the count, or -1 at the end of the file. */
  int read(ByteBuffer target, long position) throws IOException;

  /** Length of the file in bytes, as the file system says now. */
  long size() throws IOException;

  /** Cuts the file to {@code size} bytes; a longer size leaves it as it is. */
  void truncate(long size) throws IOException;

  /**
   * Makes the content durable ({@code fdatasync}). A failure is final for the pages it concerned.
   */
  void force() throws IOException;

  /**
   * Tries to take an exclusive advisory lock on the file, held until this file is closed, or until
   * any other file of this process on the same inode is. False while another process has it, or
   * another file of this one, also of another class loader.
   */
  boolean tryLock() throws IOException;
}
