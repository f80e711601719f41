package dev.forebay.tiered.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An interrupt makes a channel close itself, which would lose the lock or the segment. So the
 * interrupt flag of the calling thread is cleared during each call and restored afterwards.
 */
class NioFile implements DiskFile {
  private final FileChannel channel;

  // Of a log, which can only be appended to.

  private final @Nullable Disk disk;
  private final Path log;
  private final String key;

  NioFile(FileChannel channel) {
    this.channel = channel;
    this.disk = null;
    this.log = Path.of("");
    this.key = "";
  }

  /**
   * A log. Java has no channel that both appends and reads, and little of a log is read: so each
   * read opens it, while it is there.
   */
  NioFile(FileChannel appending, Disk disk, Path log, String key) {
    this.channel = appending;
    this.disk = disk;
    this.log = log;
    this.key = key;
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return channel.write(source, position);
    } catch (OutOfMemoryError e) { // writing from the heap needs as much direct memory
      throw new IOException("no memory to write " + source.remaining() + " bytes", e);
    } finally {
      restore(interrupted);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (disk != null) {
      return readLog(disk, target, position);
    }
    boolean interrupted = Thread.interrupted();
    try {
      return channel.read(target, position);
    } catch (OutOfMemoryError e) {
      throw new IOException("no memory to read " + target.remaining() + " bytes", e);
    } finally {
      restore(interrupted);
    }
  }

  private int readLog(Disk of, ByteBuffer target, long position) throws IOException {
    FileInfo now = of.stat(log);
    if (now == null || !now.key().equals(key)) {
      throw new IOException(log + " was moved or removed");
    }
    try (DiskFile reading = of.open(log, Disk.Mode.READ)) {
      return reading.read(target, position);
    } catch (AccessDeniedException e) { // it can be written, as by Logback, but not read
      throw new IOException("permission denied", e);
    }
  }

  @Override
  public long size() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return channel.size();
    } finally {
      restore(interrupted);
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      channel.truncate(size);
    } finally {
      restore(interrupted);
    }
  }

  @Override
  public void force() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      channel.force(false);
    } finally {
      restore(interrupted);
    }
  }

  @Override
  public boolean tryLock() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return channel.tryLock() != null; // the channel keeps it
    } catch (OverlappingFileLockException e) {
      return false; // held through another channel of this process
    } finally {
      restore(interrupted);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A file that is written without its channel. A thread that is interrupted while it writes closes
   * its channel; here the interrupt changes nothing.
   */
  static final class Plain extends NioFile {
    private static final int MAX_BYTES = 64 * 1024;

    private final RandomAccessFile file;

    /** Where the file's own position is, so that most writes need no other system call; or -1. */
    private long at = -1;

    Plain(RandomAccessFile file) {
      super(file.getChannel());
      this.file = file;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      int count = Math.min(source.remaining(), MAX_BYTES);
      try {
        if (at != position) {
          file.seek(position);
        }
        int start = source.position();
        boolean hasArray = source.hasArray();
        byte[] from = hasArray ? source.array() : copy(source, count);
        int written = write(from, hasArray ? source.arrayOffset() + start : 0, count, position);
        source.position(source.position() + written);
        return written;
      } catch (OutOfMemoryError e) { // a large write needs native memory
        throw new IOException("no memory to write " + source.remaining() + " bytes", e);
      }
    }

    private static byte[] copy(ByteBuffer source, int count) {
      byte[] copy = new byte[count];
      source.get(source.position(), copy, 0, count);
      return copy;
    }

    /** Unlike a channel, {@code RandomAccessFile} throws after a part is written. */
    private int write(byte[] from, int start, int count, long position) throws IOException {
      at = -1; // whatever is thrown
      try {
        file.write(from, start, count);
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
  }
}
