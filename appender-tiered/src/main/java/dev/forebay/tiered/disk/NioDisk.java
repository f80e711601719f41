package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file system of the operating system. */
public final class NioDisk implements Disk {
  private static final Set<OpenOption> READ_OPTIONS =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> UPDATE_OPTIONS =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> LOG_OPTIONS =
      Set.of(StandardOpenOption.APPEND, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> CREATE_OPTIONS =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);

  private static final String UNIX_ATTRIBUTES =
      "unix:isRegularFile,isDirectory,isSymbolicLink,size,fileKey,uid,mode,nlink,lastModifiedTime";
  private static final int MODE_BITS = 07777;

  /** The open files of this process, as links to their current paths (Linux). */
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private static final String REMOVED = " (deleted)";

  private final int userId = UserId.ofThisProcess();

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.LOG) {
      return openLog(file);
    }
    if (mode == Mode.UPDATE_BY_CALLS) {
      return openPlain(file);
    }
    FileChannel channel;
    if (mode == Mode.CREATE_PRIVATE) {
      channel = FileChannel.open(file, CREATE_OPTIONS, permissions(file, "rw-------"));
    } else {
      channel = FileChannel.open(file, mode == Mode.READ ? READ_OPTIONS : UPDATE_OPTIONS);
    }
    return new NioDiskFile(channel);
  }

  /** A plain file would follow a link and create what is missing; the channel refuses both. */
  private static DiskFile openPlain(Path file) throws IOException {
    FileChannel.open(file, UPDATE_OPTIONS).close();
    return new PlainFile(file);
  }

  /** Java has no channel that both appends and reads, so there are two. */
  private static DiskFile openLog(Path file) throws IOException {
    FileChannel appending = FileChannel.open(file, LOG_OPTIONS);
    FileChannel reading = null;
    try {
      reading = FileChannel.open(file, READ_OPTIONS);
    } catch (AccessDeniedException e) {
      reading = appending; // which can be written, as by Logback, but not read
    } finally {
      if (reading == null) {
        appending.close();
      }
    }
    return new NioDiskFile(appending, reading);
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory, permissions(directory, "rwx------"));
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    if (!Files.isDirectory(directory) && Files.exists(directory)) {
      throw new NotDirectoryException(
          directory.toString()); // otherwise newer JDKs open a pipe and wait
    }
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path entry : stream) {
        entries.add(entry);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  @Override
  public @Nullable FileInfo stat(Path path) throws IOException {
    try {
      return hasView(path, "unix") ? unixInfo(path) : basicInfo(path);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public boolean isRemoved(Path path) {
    try (DirectoryStream<Path> links = Files.newDirectoryStream(OPEN_FILES)) {
      for (Path link : links) {
        if (leadsTo(link, path + REMOVED)) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      return true;
    }
  }

  private static boolean leadsTo(Path link, String target) throws IOException {
    try {
      return Files.readSymbolicLink(link).toString().equals(target);
    } catch (NoSuchFileException e) {
      return false; // just closed
    }
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void link(Path name, Path existing) throws IOException {
    Files.createLink(name, existing);
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    if (!hasView(directory, "unix")) {
      return; // Windows cannot open a directory as a file
    }
    boolean interrupted = Thread.interrupted();
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } finally {
      restore(interrupted);
    }
  }

  /** Uses {@code File}, which does not read the list of all mounts. */
  @Override
  public long usableBytes(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    return path.toFile().getUsableSpace();
  }

  @Override
  public Path realPath(Path path) throws IOException {
    return path.toRealPath();
  }

  @Override
  public int userId() {
    return userId;
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static FileInfo unixInfo(Path path) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(path, UNIX_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    return new FileInfo(
        kind(
            is(attributes, "isRegularFile"),
            is(attributes, "isDirectory"),
            is(attributes, "isSymbolicLink")),
        (Long) value(attributes, "size"),
        Objects.toString(attributes.get("fileKey"), ""),
        (Integer) value(attributes, "uid"),
        (Integer) value(attributes, "mode") & MODE_BITS,
        (Integer) value(attributes, "nlink"),
        ((FileTime) value(attributes, "lastModifiedTime")).toMillis());
  }

  private static FileInfo basicInfo(Path path) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return new FileInfo(
        kind(attributes.isRegularFile(), attributes.isDirectory(), attributes.isSymbolicLink()),
        attributes.size(),
        Objects.toString(attributes.fileKey(), ""),
        -1,
        -1,
        -1,
        attributes.lastModifiedTime().toMillis());
  }

  private static FileInfo.Kind kind(boolean isFile, boolean isDirectory, boolean isLink) {
    if (isFile) {
      return FileInfo.Kind.FILE;
    }
    if (isDirectory) {
      return FileInfo.Kind.DIRECTORY;
    }
    return isLink ? FileInfo.Kind.LINK : FileInfo.Kind.OTHER;
  }

  private static boolean is(Map<String, Object> attributes, String name) {
    return (Boolean) value(attributes, name);
  }

  private static Object value(Map<String, Object> attributes, String name) {
    return Objects.requireNonNull(attributes.get(name), name);
  }

  private static FileAttribute<?>[] permissions(Path path, String permissions) {
    if (!hasView(path, "posix")) {
      return new FileAttribute<?>[0];
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }

  private static boolean hasView(Path path, String view) {
    return path.getFileSystem().supportedFileAttributeViews().contains(view);
  }

  /**
   * An interrupt makes a channel close itself, which would lose the lock or the segment. So the
   * interrupt flag of the calling thread is cleared during each call and restored afterwards.
   */
  private static final class NioDiskFile implements DiskFile {
    private final FileChannel channel;

    /** The same channel, except for the log. */
    private final FileChannel reading;

    NioDiskFile(FileChannel channel) {
      this(channel, channel);
    }

    NioDiskFile(FileChannel channel, FileChannel reading) {
      this.channel = channel;
      this.reading = reading;
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
      boolean interrupted = Thread.interrupted();
      try {
        return reading.read(target, position);
      } catch (NonReadableChannelException e) {
        throw new IOException("permission denied", e);
      } catch (OutOfMemoryError e) {
        throw new IOException("no memory to read " + target.remaining() + " bytes", e);
      } finally {
        restore(interrupted);
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
      try {
        reading.close();
      } finally {
        channel.close();
      }
    }
  }
}
