package dev.forebay.it.spool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A process that puts one thing after the other at a name, until its input ends: a link into
 * somebody's directory, a directory of its own that is open to all, a dangling link, nothing.
 * Prints how often each came to stand there.
 */
final class NameSwapper {

  private NameSwapper() {}

  /**
   * Swaps.
   *
   * @param args the name, and the directory to lead into
   */
  public static void main(String[] args) throws IOException {
    Path name = Path.of(args[0]);
    Path target = Path.of(args[1]);
    long links = 0;
    long directories = 0;
    System.out.println("ready");
    while (System.in.available() == 0) {
      links += link(name, target);
      delete(name);
      directories += directory(name);
      delete(name);
      links += link(name, target.resolve("nothing"));
      delete(name);
    }
    System.out.println("links " + links);
    System.out.println("directories " + directories);
  }

  /** By a rename over what stands there, which never leaves the name empty. */
  private static int link(Path name, Path target) throws IOException {
    Path fresh = name.resolveSibling("fresh");
    try {
      Files.createSymbolicLink(fresh, target);
      Files.move(fresh, name, StandardCopyOption.ATOMIC_MOVE);
      return 1;
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      return 0; // the other was faster
    }
  }

  private static int directory(Path name) {
    try {
      Files.createDirectory(name);
      Files.setPosixFilePermissions(name, PosixFilePermissions.fromString("rwxrwxrwx"));
      return 1;
    } catch (IOException e) {
      return 0;
    }
  }

  private static void delete(Path name) {
    try {
      Files.deleteIfExists(name);
    } catch (IOException e) {
      // Not ours.
    }
  }
}
