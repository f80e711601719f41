package dev.forebay.it.support;

import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Our disk under the rules of Windows, at their strictest: what is open, and a directory in which
 * something is, cannot be renamed, replaced or deleted; locks are mandatory; files have no owner,
 * mode or identity, and directories cannot be forced; some names are reserved, and case does not
 * distinguish names. A breach throws, and is printed: who calls may catch what is thrown.
 *
 * <p>Knows only what is open through it. Safe for any thread.
 */
public final class WindowsDisk implements Disk {

  /** An option of a JVM that is to have this disk, see {@link LoggingChild}. */
  public static final String OPTION = "-Dforebay.it.windows=true";

  /** Begins what is printed. */
  public static final String BREACH = "breach: ";

  private static final Pattern RESERVED =
      Pattern.compile(
          "(?i)(con|prn|aux|nul|com\\d|lpt\\d)(\\..*)?|.*[:<>\"|?*\\\\\\x00-\\x1f].*|.*[ .]");

  private static volatile @Nullable WindowsDisk current;

  private final NioDisk disk = new NioDisk();

  /** Guarded by this. */
  private final List<Opened> opened = new ArrayList<>();

  /** Has all appenders of this JVM use one. */
  static void use() {
    WindowsDisk made = new WindowsDisk();
    current = made;
    NioDisk.replaceWith(made);
  }

  /** Logback's, which renames and packs what nobody has open. */
  public static final class Rolling<E> extends SizeAndTimeBasedRollingPolicy<E> {
    @Override
    public void rollover() {
      try {
        Objects.requireNonNull(current).requireClosed(Path.of(getActiveFileName()));
      } catch (IOException e) {
        throw new RolloverFailure(e.getMessage(), e);
      }
      super.rollover();
    }
  }

  /** Throws if something there is open. */
  synchronized void requireClosed(Path path) throws IOException {
    for (Opened one : opened) {
      if (one.path.startsWith(path)) {
        throw breach(path, "is used by another process: " + one.path.getFileName());
      }
    }
  }

  private static IOException breach(Path path, String rule) {
    FileSystemException refusal = new FileSystemException(path.toString(), null, rule);
    System.out.println(BREACH + refusal.getMessage());
    return refusal;
  }

  /** Throws if it cannot have this name, or if there is one that differs only in case. */
  private void requireName(Path path) throws IOException {
    String name = String.valueOf(path.getFileName());
    if (RESERVED.matcher(name).matches()) {
      throw new InvalidPathException(name, "Illegal name");
    }
    Path parent = path.getParent();
    for (Path other : parent == null || disk.stat(path) != null ? List.<Path>of() : list(parent)) {
      String theirs = String.valueOf(other.getFileName());
      if (theirs.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        throw breach(path, "is the same as " + other);
      }
    }
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    requireName(file);
    Opened one = new Opened(disk.open(file, mode), file);
    synchronized (this) {
      opened.add(one);
    }
    return one;
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    requireName(directory);
    disk.createDirectory(directory);
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public FileInfo stat(Path path) throws IOException {
    FileInfo info = disk.stat(path);
    return info == null
        ? null
        : new FileInfo(info.kind(), info.sizeBytes(), "", -1, -1, -1, info.modifiedMs());
  }

  @Override
  public boolean isRemoved(Path path) {
    return true;
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    requireName(to);
    requireClosed(from);
    requireClosed(to);
    disk.move(from, to);
  }

  @Override
  public void link(Path name, Path existing) throws IOException {
    requireName(name);
    disk.link(name, existing);
  }

  @Override
  public void delete(Path path) throws IOException {
    if (Files.exists(path)) {
      requireClosed(path);
    }
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public long usableBytes(Path path) throws IOException {
    return disk.usableBytes(path);
  }

  @Override
  public boolean isInMemory(Path path) {
    return false;
  }

  @Override
  public boolean hasTmpfs() {
    return false;
  }

  @Override
  public boolean movesOpenFiles() {
    return false;
  }

  @Override
  public Path realPath(Path path) throws IOException {
    return disk.realPath(path);
  }

  @Override
  public int userId() {
    return -1;
  }

  private synchronized void requireUnlocked(Opened by) throws IOException {
    for (Opened other : opened) {
      if (other != by && other.isLocked && other.path.equals(by.path)) {
        throw breach(by.path, "another process has locked a portion of the file");
      }
    }
  }

  private final class Opened implements DiskFile {
    private final DiskFile file;
    private final Path path;
    private volatile boolean isLocked;

    Opened(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      requireUnlocked(this);
      return file.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      requireUnlocked(this);
      return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      requireUnlocked(this);
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public boolean tryLock() throws IOException {
      isLocked = file.tryLock();
      return isLocked;
    }

    @Override
    public void close() throws IOException {
      synchronized (WindowsDisk.this) {
        opened.remove(this);
      }
      file.close();
    }
  }
}
