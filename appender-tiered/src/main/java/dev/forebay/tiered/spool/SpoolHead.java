package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How far the owner of a spool has written it, for another process that ships it: a file in the
 * spool, which the owner replaces as a whole with one write. Numbers are little-endian:
 *
 * <pre>
 *  0  u64 sequence after the last record    16  u32 1 once nothing more is added
 *  8  u64 sequence after the last record    20  u32 crc32c of bytes 0 to 19
 *         whose commit somebody waits for
 * </pre>
 *
 * <p>For the owner, thread-safe. Unlike a mapped file it survives that its file system is full or
 * that its file is cut off, and other processes can watch it.
 */
public final class SpoolHead {

  /** Name of the file. */
  public static final String NAME = "head";

  static final int BYTES = 24;

  private static final int CRC_AT = BYTES - Integer.BYTES;

  /** A look that meets a write sees the old and the new one mixed: more than can in a row. */
  private static final int ATTEMPTS = 100;

  private final Disk disk;
  private final Path path;

  /** What is touched after each change; null for nothing. */
  private final @Nullable Path bell;

  private final ByteBuffer buffer = buffer();

  // All guarded by this.
  private @Nullable DiskFile file;
  private View wanted = new View(0, 0, false);

  /** Whether the file says that. */
  private boolean isShown;

  /** Records below this sequence are shown: nobody ships more, lest another finds them foreign. */
  volatile long shown;

  /** What the file says, at a moment. */
  public record View(long published, long awaited, boolean isRetired) {}

  private SpoolHead(Disk disk, Path path, @Nullable Path bell) {
    this.disk = disk;
    this.path = path;
    this.bell = bell;
  }

  /**
   * Of a spool in which others write so often that nobody should watch it: each change touches the
   * spool, which those notice who watch the directory that it is in.
   */
  public static SpoolHead touching(Disk disk, Path spool) {
    return new SpoolHead(disk, spool.resolve(NAME), spool);
  }

  /** Content of the file of an empty spool. */
  public static ByteBuffer initial() {
    ByteBuffer content = buffer();
    encode(content, new View(0, 0, false));
    return content;
  }

  /** Creates the one of a new spool, after the description of its log; null without that. */
  static @Nullable SpoolHead create(Disk disk, Path spool, byte @Nullable [] description)
      throws IOException {
    if (description == null) {
      return null;
    }
    Path text = spool.resolve(SpoolNames.DESCRIPTION);
    try (DiskFile described = disk.open(text, Disk.Mode.CREATE_PRIVATE)) {
      described.writeFully(ByteBuffer.wrap(description), 0);
    }
    SpoolHead head = new SpoolHead(disk, spool.resolve(NAME), null);
    head.file = disk.open(head.path, Disk.Mode.CREATE_PRIVATE);
    head.write();
    return head;
  }

  /** Records below this sequence can be read. */
  public synchronized void publish(long sequence) {
    if (sequence > wanted.published || !isShown) {
      show(new View(sequence, wanted.awaited, wanted.isRetired));
    }
  }

  /** Somebody waits until the records below this sequence are committed. */
  public synchronized void await(long sequence) {
    if (sequence > wanted.awaited || !isShown) {
      show(new View(wanted.published, sequence, wanted.isRetired));
    }
  }

  /** Nothing more is added. */
  public synchronized void retire() {
    if (!wanted.isRetired || !isShown) {
      show(new View(wanted.published, wanted.awaited, true));
    }
  }

  /** Whether the file says what it should; each later call of the others tries again. */
  synchronized boolean isShown() {
    return isShown;
  }

  private void show(View next) {
    wanted = next;
    isShown = false;
    try {
      write();
    } catch (IOException e) {
      close(); // the spool's files are gone, which its owner notices by the next segment
    }
  }

  private void write() throws IOException {
    encode(buffer, wanted);
    DiskFile open = file;
    if (open == null) {
      open = disk.open(path, Disk.Mode.UPDATE);
      file = open;
    }
    open.writeFully(buffer, 0);
    isShown = true;
    shown = wanted.published;
    if (bell != null) {
      disk.touch(bell);
    }
  }

  /** Closes the file until the next change. */
  public synchronized void close() {
    DiskFile.closeQuietly(file); // every change has been written
    file = null;
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void encode(ByteBuffer buffer, View view) {
    buffer.clear().putLong(view.published).putLong(view.awaited).putInt(view.isRetired ? 1 : 0);
    buffer.putInt(crc(buffer)).flip();
  }

  private static int crc(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().position(0).limit(CRC_AT));
    return (int) crc.getValue();
  }

  /** Whether a spool has one: its owner has others ship it. */
  static boolean isIn(Disk disk, Path spool, Warnings warnings) throws IOException {
    Path head = spool.resolve(NAME);
    FileInfo info = disk.stat(head);
    String fault = info == null ? null : Trust.fileFault(disk, head, info);
    if (fault != null) {
      warnings.add("ignored " + head + ": " + fault);
    }
    return info != null && fault == null;
  }

  /** The same, and says nothing. */
  public static boolean isIn(Disk disk, Path spool) throws IOException {
    return isIn(disk, spool, new Warnings());
  }

  /** Sequence after the last record that a spool shows; 0 if it shows none. */
  public static long publishedIn(Disk disk, Path spool) throws IOException {
    if (!isIn(disk, spool)) {
      return 0;
    }
    try (DiskFile file = disk.open(spool.resolve(NAME), Disk.Mode.READ)) {
      View view = read(file);
      return view == null ? 0 : view.published();
    }
  }

  /** Reads an open one; null if it is damaged. */
  static @Nullable View read(DiskFile file) throws IOException {
    ByteBuffer buffer = buffer();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      buffer.clear();
      if (file.readFully(buffer, 0) && buffer.getInt(CRC_AT) == crc(buffer)) {
        buffer.flip();
        return new View(buffer.getLong(), buffer.getLong(), buffer.getInt() != 0);
      }
    }
    return null;
  }
}
