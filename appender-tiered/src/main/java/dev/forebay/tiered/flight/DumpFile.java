package dev.forebay.tiered.flight;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.DirectBuffers;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** One dump, with mode 0600; has another name until it is complete. For the shipper's thread. */
final class DumpFile implements Closeable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Disk disk;
  private final Path dump;
  private final Path unfinished;
  private final DiskFile file;
  private final ByteBuffer buffer;
  private long position;

  private DumpFile(Disk disk, Path dump, Path unfinished, DiskFile file, ByteBuffer buffer) {
    this.disk = disk;
    this.dump = dump;
    this.unfinished = unfinished;
    this.file = file;
    this.buffer = buffer;
  }

  /** Creates the file for a dump of this name. */
  static DumpFile create(Disk disk, Path dump) throws IOException {
    ByteBuffer buffer = DirectBuffers.allocate(BUFFER_BYTES);
    Path unfinished = Dumps.unfinished(dump);
    return new DumpFile(
        disk, dump, unfinished, disk.open(unfinished, Disk.Mode.CREATE_PRIVATE), buffer);
  }

  /** Adds a line of our own, which begins with a number sign. */
  void addRemark(String text) throws IOException {
    add(ByteBuffer.wrap(("# " + Printable.text(text) + "\n").getBytes(StandardCharsets.UTF_8)));
  }

  /** Adds bytes of events. */
  void add(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (!buffer.hasRemaining()) {
        write();
      }
      int count = Math.min(bytes.remaining(), buffer.remaining());
      buffer.put(bytes.duplicate().limit(bytes.position() + count));
      bytes.position(bytes.position() + count);
    }
  }

  private void write() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      int count = file.write(buffer, position);
      if (count <= 0) {
        throw new IOException("no progress writing " + buffer.remaining() + " bytes");
      }
      position += count;
    }
    buffer.clear();
  }

  /**
   * Completes the dump and gives it its name.
   *
   * @param forces whether file and name are forced to the disk
   * @return this name
   */
  Path complete(boolean forces) throws IOException {
    write();
    if (forces) {
      file.force();
    }
    file.close();
    disk.move(unfinished, dump);
    if (forces) {
      disk.forceDirectory(dump.resolveSibling(""));
    }
    return dump;
  }

  /** Removes what is not complete. */
  void abandon() {
    close();
    try {
      disk.delete(unfinished);
    } catch (IOException e) {
      // The next dump tries again.
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      // It is abandoned, or closed already.
    }
  }
}
