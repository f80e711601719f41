package dev.forebay.tiered.durable;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hidden name of a rolled file beside the archive that is to be made of it: {@code
 * .<archive>.<inode>.kept}.
 *
 * <p>With the inode in it the name proves itself: a stranger's file of such a name has another one,
 * and so has a copy of the directory, or everything on a file system that numbers its files anew.
 * The device is no part of it, since a reboot may number devices anew.
 *
 * @param path the hidden name
 * @param archive the name of the archive
 * @param inode of the file, as {@link dev.forebay.tiered.disk.FileInfo#inode} gives it
 */
record KeptLink(Path path, Path archive, String inode) {

  /** Ends all these names. */
  static final String ENDING = ".kept";

  private static final Pattern NAME = Pattern.compile("\\.(.+)\\.(\\d+)\\.kept", Pattern.DOTALL);

  static KeptLink of(Path archive, String inode) {
    String name = "." + archive.getFileName() + "." + inode + ENDING;
    return new KeptLink(archive.resolveSibling(name), archive, inode);
  }

  /** Null where this is no such name. */
  static @Nullable KeptLink parse(Path path) {
    Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
    return name.matches()
        ? new KeptLink(path, path.resolveSibling(name.group(1)), name.group(2))
        : null;
  }

  /** A second link for the compressor, which deletes it. */
  Path input() {
    return path.resolveSibling(path.getFileName() + ".in");
  }

  /** What the compressor writes; it insists on the ending. */
  Path output() {
    return path.resolveSibling(path.getFileName() + ".out" + ending());
  }

  /** The name of the archive where its own is taken; no other file's is the same. */
  Path spare() {
    return archive.resolveSibling(stem() + "." + inode + ending());
  }

  /** The name of the archive without its ending, as that of an entry in a zip file. */
  String stem() {
    String name = String.valueOf(archive.getFileName());
    return name.substring(0, name.length() - ending().length());
  }

  private String ending() {
    String name = String.valueOf(archive.getFileName());
    return name.substring(Math.max(0, name.lastIndexOf('.')));
  }
}
