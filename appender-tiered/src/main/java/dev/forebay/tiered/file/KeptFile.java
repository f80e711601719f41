package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rolled file that is not packed yet, under a hidden name next to its future archive: {@code
 * .<archive>.<inode>.kept}. An unrelated file of such a name has another inode, and so has a copy
 * of the directory or any file on a file system that has renumbered its files. The device is not
 * part of the name, since a reboot may renumber devices.
 */
record KeptFile(Path path, Path archive, String inode) {

  static final String ENDING = ".kept";

  private static final Pattern NAME = Pattern.compile("\\.(.+)\\.(\\d+)\\.kept", Pattern.DOTALL);

  static KeptFile of(Path archive, String inode) {
    String name = "." + archive.getFileName() + "." + inode + ENDING;
    return new KeptFile(archive.resolveSibling(name), archive, inode);
  }

  /** Null if this is not such a name, or has bytes that are not text in this locale. */
  static @Nullable KeptFile parse(Path path) {
    Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
    try {
      return name.matches()
          ? new KeptFile(path, path.resolveSibling(name.group(1)), name.group(2))
          : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Whether this is the file it was made for, and not a stranger's or a copy. */
  boolean is(@Nullable FileInfo info, Disk disk) {
    return info != null && isOurs(info, disk) && info.inode().equals(inode);
  }

  /** Whether this is a regular file of this process's user. */
  static boolean isOurs(FileInfo info, Disk disk) {
    return info.kind() == FileInfo.Kind.FILE && info.links() > 0 && info.ownerId() == disk.userId();
  }

  /** Makes an empty archive if there is none, so that no policy or compressor uses its name. */
  void reserve(Disk disk) throws IOException {
    if (disk.stat(archive) == null) {
      disk.open(archive, Disk.Mode.LOG).close();
    }
  }

  /** The path of the archive until it is complete. */
  Path output() {
    return path.resolveSibling(path.getFileName() + ".out");
  }

  /** Deletes the kept file, and first what a kill has left of its archive. */
  void delete(Disk disk) throws IOException {
    disk.delete(output());
    disk.delete(path);
  }

  /** The name of the archive if the wanted one is taken; unique to this file. */
  Path spare() {
    String name = String.valueOf(archive.getFileName());
    return archive.resolveSibling(stem() + "." + inode + name.substring(stem().length()));
  }

  String stem() {
    String name = String.valueOf(archive.getFileName());
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }
}
