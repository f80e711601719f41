package dev.forebay.tiered.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file system of the operating system. */
public final class NioDisk implements Disk {
  private static final FileAttribute<?> PRIVATE_FILE = mode("rw-------");
  private static final FileAttribute<?> PRIVATE_DIRECTORY = mode("rwx------");

  private static final Set<OpenOption> READ_OPTIONS =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> UPDATE_OPTIONS =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> LOG_OPTIONS =
      Set.of(StandardOpenOption.APPEND, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> CREATE_OPTIONS =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);

  /** Few: each is looked up by its name, in a map that is made anew. */
  private static final String ATTRIBUTES = "unix:mode,size,fileKey,uid,nlink,lastModifiedTime";

  private static final int MODE_BITS = 07777;

  // Kinds in the other bits of a mode, see inode(7).
  private static final int KIND_BITS = 0170000;
  private static final int FILE = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int LINK = 0120000;

  /** The open files of this process, as links to their current paths (Linux). */
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private static final String REMOVED = " (deleted)";

  private static final Path PROC = Path.of("/proc");
  private static final Path UPTIME = Path.of("/proc/uptime");
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String USER = "Uid:";

  /** Its fields are: real, effective, saved and file system user id. */
  private static final int USER_FIELD = 4;

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  /** Leaves room to add what is in use. */
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  private static final String SYSTEM = System.getProperty("os.name", "");

  /** Written by tests, read by threads that start an appender. */
  private static volatile Disk current = new NioDisk();

  private final int userId = userOfThisProcess();

  /** The disk that newly started appenders use: this, unless a test has replaced it. */
  public static Disk current() {
    return current;
  }

  /**
   * For tests that reach an appender only through a configuration file; appenders already started
   * keep their disk.
   */
  public static void replaceWith(Disk disk) {
    current = disk;
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.LOG) {
      return openLog(file);
    }
    if (mode == Mode.UPDATE_BY_CALLS) {
      return openPlain(file);
    }
    if (mode == Mode.CREATE_PRIVATE) {
      return new NioFile(FileChannel.open(file, CREATE_OPTIONS, permissions(file, PRIVATE_FILE)));
    }
    return new NioFile(FileChannel.open(file, mode == Mode.READ ? READ_OPTIONS : UPDATE_OPTIONS));
  }

  /** A plain file would follow a link and create what is missing; the channel refuses both. */
  private static DiskFile openPlain(Path file) throws IOException {
    FileChannel.open(file, UPDATE_OPTIONS).close();
    return new NioFile.Plain(new RandomAccessFile(file.toFile(), "rw"));
  }

  private DiskFile openLog(Path file) throws IOException {
    FileChannel appending = FileChannel.open(file, LOG_OPTIONS);
    FileInfo opened = null;
    try {
      opened = stat(file);
    } finally {
      if (opened == null) {
        appending.close();
      }
    }
    if (opened == null) {
      throw new NoSuchFileException(file.toString());
    }
    return new NioFile(appending, this, file, opened.key());
  }

  @Override
  public boolean setPermissions(Path file, Set<PosixFilePermission> permissions)
      throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view != null) {
      view.setPermissions(permissions);
    }
    return view != null;
  }

  @Override
  public void touch(Path entry) throws IOException {
    BasicFileAttributeView view =
        Files.getFileAttributeView(entry, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    view.setTimes(view.readAttributes().lastModifiedTime(), null, null);
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory, permissions(directory, PRIVATE_DIRECTORY));
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
      if (!hasView(path, "unix")) {
        BasicFileAttributes found =
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        long modifiedMs = found.lastModifiedTime().toMillis();
        String key = Objects.toString(found.fileKey(), "");
        return new FileInfo(kind(found), found.size(), key, -1, -1, -1, modifiedMs);
      }
      Map<String, Object> found = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
      int mode = (Integer) Objects.requireNonNull(found.get("mode"));
      return new FileInfo(
          kind(mode & KIND_BITS),
          (Long) Objects.requireNonNull(found.get("size")),
          Objects.toString(found.get("fileKey"), ""),
          (Integer) Objects.requireNonNull(found.get("uid")),
          mode & MODE_BITS,
          (Integer) Objects.requireNonNull(found.get("nlink")),
          ((FileTime) Objects.requireNonNull(found.get("lastModifiedTime"))).toMillis());
    } catch (NoSuchFileException e) {
      return null;
    } catch (FileSystemException e) { // perhaps a file has taken the place of a directory above
      for (Path above = path.getParent(); above != null; above = above.getParent()) {
        if (Files.isRegularFile(above)) {
          return null;
        }
      }
      throw e;
    }
  }

  /** As the default, but asks for fewer attributes. */
  @Override
  public boolean isGone(Path path) throws IOException {
    try {
      var unused = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return false;
    } catch (FileSystemException e) {
      return true;
    }
  }

  @Override
  public boolean isRemoved(Path path) {
    try {
      for (Path link : list(OPEN_FILES)) {
        try {
          if (Files.readSymbolicLink(link).toString().equals(path + REMOVED)) {
            return true;
          }
        } catch (NoSuchFileException e) {
          // Just closed.
        }
      }
      return false;
    } catch (IOException e) {
      return true;
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
    } catch (IOException e) {
      if (!Objects.equals(e.getMessage(), notForced())) {
        throw e;
      }
    } finally {
      NioFile.restore(interrupted);
    }
  }

  /** The message of a file system that cannot force a directory, in the machine's language. */
  private static @Nullable String notForced() {
    try (FileChannel channel = FileChannel.open(PROC, StandardOpenOption.READ)) {
      channel.force(true);
      return "Invalid argument";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /** Uses {@code File}, which does not read the list of all mounts. */
  @Override
  public long usableBytes(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    long bytes = path.toFile().getUsableSpace();
    return bytes == 0 && sizeBytes(path) == Long.MAX_VALUE ? UNLIMITED : bytes;
  }

  @Override
  public Path realPath(Path path) throws IOException {
    return path.toRealPath();
  }

  @Override
  public int userId() {
    return userId;
  }

  @Override
  public boolean isInMemory(Path path) {
    try {
      Object device = hasView(path, "unix") ? Files.getAttribute(path, "unix:dev") : null;
      Boolean known = device instanceof Long of ? MountTable.isInMemory(of) : null;
      return known == null ? IN_MEMORY.contains(Files.getFileStore(path).type()) : known;
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  @Override
  public long uptimeMs() {
    try {
      String text = SystemFile.read(UPTIME);
      return (long) (1000 * Double.parseDouble(text.substring(0, text.indexOf(' '))));
    } catch (IOException | RuntimeException e) { // not Linux
      return Long.MAX_VALUE;
    }
  }

  @Override
  public boolean hasTmpfs() {
    return SYSTEM.startsWith("Linux");
  }

  @Override
  public boolean movesOpenFiles() {
    return !SYSTEM.startsWith("Windows");
  }

  /** Size of the file system that holds {@code path}; {@code Long.MAX_VALUE} if unknown. */
  public static long sizeBytes(Path path) {
    try {
      long bytes = path.toFile().getTotalSpace(); // reads no list of mounts, unlike a file store
      return bytes > 0 ? bytes : Long.MAX_VALUE; // 0 means a tmpfs without a limit
    } catch (SecurityException e) {
      return Long.MAX_VALUE;
    }
  }

  /** The user that owns this process's files, or -1 on systems without user ids. */
  private static int userOfThisProcess() {
    try {
      if (!hasView(STATUS, "unix")) {
        return -1;
      }
      return Files.isReadable(STATUS) ? userIn(SystemFile.read(STATUS)) : ownerOfNewFile();
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  /** Not the owner of {@code /proc/self}, which is root if the process may not be dumped. */
  static int userIn(String status) {
    int at = status.indexOf(USER);
    return at < 0 ? -1 : Integer.parseInt(status.substring(at).split("\\s", -1)[USER_FIELD]);
  }

  static int ownerOfNewFile() throws IOException {
    Path file = Files.createTempFile("forebay", null);
    try {
      return (Integer) Files.getAttribute(file, "unix:uid");
    } finally {
      Files.delete(file);
    }
  }

  private static FileInfo.Kind kind(int bits) {
    return switch (bits) {
      case FILE -> FileInfo.Kind.FILE;
      case DIRECTORY -> FileInfo.Kind.DIRECTORY;
      case LINK -> FileInfo.Kind.LINK;
      default -> FileInfo.Kind.OTHER;
    };
  }

  private static FileInfo.Kind kind(BasicFileAttributes found) {
    return kind(
        found.isRegularFile()
            ? FILE
            : found.isDirectory() ? DIRECTORY : found.isSymbolicLink() ? LINK : 0);
  }

  private static FileAttribute<?> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private static FileAttribute<?>[] permissions(Path path, FileAttribute<?> mode) {
    return hasView(path, "posix") ? new FileAttribute<?>[] {mode} : new FileAttribute<?>[0];
  }

  private static boolean hasView(Path path, String view) {
    return path.getFileSystem().supportedFileAttributeViews().contains(view);
  }
}
