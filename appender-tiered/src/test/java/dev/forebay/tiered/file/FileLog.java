package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A destination in real files: {@code app.log}, and {@code app.log.0}, {@code app.log.1} … behind
 * it. Sections are between the lines {@code <} and {@code >}.
 */
final class FileLog implements LogFile {

  private static final String HEADER = "<\n";
  private static final String FOOTER = ">\n";

  private final Disk disk;
  private final Path path;
  private final long rollBytes;

  private @Nullable DiskFile file;
  private String key = "";
  private long offset;
  private boolean sectionOpen;
  private @Nullable Position closedAt;
  private boolean wanted;
  private boolean rolling;

  /** Whether records were appended since the last force. */
  private boolean unforced;

  /** False where the policy is never to force. */
  boolean forcesExpected = true;

  /** Whether an end that cannot be read is taken for a torn one. */
  boolean staysUnreadable;

  /** What others do to the log just before and just after they are looked for. */
  Runnable beforeLook = () -> {};

  Runnable afterLook = () -> {};

  int forces;
  final List<String> keysForced = new ArrayList<>();
  boolean endOverflows;
  int ends;

  FileLog(Disk disk, Path directory, long rollBytes) {
    this.disk = disk;
    this.path = directory.resolve("app.log");
    this.rollBytes = rollBytes;
  }

  @Override
  public String name() {
    return "app.log";
  }

  @Override
  public void open() throws IOException {
    if (file != null) {
      return;
    }
    DiskFile opened = disk.open(path, Disk.Mode.LOG);
    try {
      FileInfo info = disk.stat(path);
      if (info == null) {
        throw new NoSuchFileException(path.toString());
      }
      offset = opened.size();
      key = info.key();
    } catch (IOException e) {
      closeQuietly(opened);
      throw e;
    }
    file = opened;
    sectionOpen &= new Position(key, offset).equals(closedAt);
  }

  boolean isOpen() {
    return file != null;
  }

  @Override
  public boolean wasEmptied() {
    return false;
  }

  @Override
  public Position position() {
    opened();
    return new Position(key, offset);
  }

  @Override
  public boolean isUndisturbed() throws IOException {
    beforeLook.run();
    FileInfo info = disk.stat(path);
    boolean undisturbed = info != null && info.key().equals(key) && info.sizeBytes() == offset;
    afterLook.run();
    return undisturbed;
  }

  @Override
  public boolean followAppends() throws IOException {
    FileInfo info = disk.stat(path);
    boolean follows = info != null && info.key().equals(key) && info.sizeBytes() >= offset;
    if (follows) {
      offset = info.sizeBytes();
      afterLook.run();
    }
    return follows;
  }

  @Override
  public boolean isRemoved() {
    return disk.isRemoved(path.toAbsolutePath());
  }

  @Override
  public int append(ByteBuffer bytes) throws IOException {
    unforced = true;
    return write(bytes);
  }

  private int write(ByteBuffer bytes) throws IOException {
    int written = opened().write(bytes, offset);
    offset += written;
    return written;
  }

  /**
   * What follows is not forced together with the records before it, which may be in another file.
   */
  private void requireForced() {
    if (unforced && forcesExpected) {
      throw new AssertionError("records not forced before a header or a roll");
    }
  }

  @Override
  public void force() throws IOException {
    forces++;
    keysForced.add(key);
    opened().force();
    unforced = false;
  }

  @Override
  public void truncate(Position to) throws IOException {
    if (key.equals(to.fileKey())) {
      opened().truncate(to.offset());
      offset = to.offset();
      unforced = false;
      return;
    }
    try (DiskFile moved = find(to, Disk.Mode.UPDATE)) {
      if (moved != null) {
        moved.truncate(to.offset());
        moved.force();
      }
    }
  }

  @Override
  public @Nullable DiskFile openForReading(Position position) throws IOException {
    return find(position, Disk.Mode.READ);
  }

  private @Nullable DiskFile find(Position position, Disk.Mode mode) throws IOException {
    List<Path> candidates = new ArrayList<>(archives());
    candidates.add(path);
    for (Path candidate : candidates) {
      FileInfo info = disk.stat(candidate);
      if (info != null && info.key().equals(position.fileKey())) {
        return disk.open(candidate, mode);
      }
    }
    return null;
  }

  @Override
  public void begin() throws IOException {
    requireForced();
    if (!sectionOpen) {
      writeWhole((offset > 0 && !endsWithLine() ? "\n" : "") + HEADER);
    }
    sectionOpen = true;
    rolling = false;
  }

  private boolean endsWithLine() throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    try {
      opened().read(last, offset - 1);
    } catch (IOException e) {
      if (staysUnreadable) {
        return false;
      }
      throw e;
    }
    return last.get(0) == '\n';
  }

  /** Has the next record begin another file. */
  void wantRoll() {
    wanted = true;
  }

  @Override
  public boolean isRollDue() {
    return rolling || wanted || offset >= rollBytes;
  }

  @Override
  public long bytesUntilRoll() {
    return Math.max(1, rollBytes - offset);
  }

  @Override
  public void roll() throws IOException {
    requireForced();
    if (!rolling) {
      endSection();
      disk.move(path, path.resolveSibling("app.log." + archives().size()));
      rolling = true;
      wanted = false;
    }
    if (file != null && !isUndisturbed()) {
      close();
    }
    open();
    begin();
  }

  @Override
  public void end() throws IOException {
    ends++;
    if (endOverflows) {
      throw new StackOverflowError("simulated");
    }
    endSection();
  }

  private void endSection() throws IOException {
    if (sectionOpen) {
      writeWhole(FOOTER);
    }
    sectionOpen = false;
  }

  private void writeWhole(String text) throws IOException {
    long start = offset;
    ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
    try {
      while (bytes.hasRemaining()) {
        write(bytes);
      }
    } catch (IOException e) {
      offset = start;
      try {
        opened().truncate(start);
      } catch (IOException cut) {
        e.addSuppressed(cut);
      }
      throw e;
    }
  }

  @Override
  public void close() {
    DiskFile current = file;
    if (current != null) {
      closedAt = position();
      file = null;
      closeQuietly(current);
    }
  }

  private static void closeQuietly(DiskFile file) {
    try {
      file.close();
    } catch (IOException e) {
      // As with the real one, of no consequence.
    }
  }

  private DiskFile opened() {
    DiskFile current = file;
    if (current == null) {
      throw new IllegalStateException("not open");
    }
    return current;
  }

  private List<Path> archives() throws IOException {
    List<Path> found = new ArrayList<>();
    for (int i = 0; Files.exists(path.resolveSibling("app.log." + i)); i++) {
      found.add(path.resolveSibling("app.log." + i));
    }
    return found;
  }

  /** All lines of all files, oldest first. */
  List<String> lines() throws IOException {
    List<Path> all = new ArrayList<>(archives());
    all.add(path);
    List<String> lines = new ArrayList<>();
    for (Path one : all) {
      if (Files.exists(one)) {
        lines.addAll(Files.readAllLines(one));
      }
    }
    return lines;
  }

  /** The lines without headers and footers. */
  List<String> records() {
    try {
      return linesOfRecords();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> linesOfRecords() throws IOException {
    return lines().stream().filter(line -> !line.equals("<") && !line.equals(">")).toList();
  }

  /** How many files there are. */
  int files() throws IOException {
    try (Stream<Path> entries = Files.list(path.resolveSibling(""))) {
      return (int) entries.filter(entry -> entry.toString().contains("app.log")).count();
    }
  }
}
