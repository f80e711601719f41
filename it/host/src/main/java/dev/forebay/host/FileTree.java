package dev.forebay.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** A directory with everything in it. */
public final class FileTree {

  private FileTree() {}

  /**
   * Deletes it, if it exists. Links are deleted, not followed. Another process may be deleting in
   * it too: whatever is gone already is no error.
   */
  public static void delete(Path root) throws IOException {
    List<Path> entries = entries(root);
    Collections.reverse(entries); // what is in a directory before the directory
    for (Path entry : entries) {
      Files.deleteIfExists(entry);
    }
  }

  /**
   * Its regular files, while others may rename and delete there: what is renamed during the call
   * may be missing or stand there twice, what is gone by then is no error.
   */
  public static List<Path> files(Path root) throws IOException {
    return entries(root, BasicFileAttributes::isRegularFile);
  }

  /** Itself and all that is in it, links not followed; as {@link #files}. */
  public static List<Path> entries(Path root) throws IOException {
    return entries(root, attributes -> true);
  }

  private static List<Path> entries(Path root, Predicate<BasicFileAttributes> wanted)
      throws IOException {
    List<Path> entries = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return visitFile(directory, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path entry, BasicFileAttributes attributes) {
            if (wanted.test(attributes)) {
              entries.add(entry);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path gone, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    return entries;
  }

  /** Whether one of its files, read as ISO 8859-1, contains a text; as {@link #files}. */
  public static boolean contains(Path root, String text) throws IOException {
    for (Path file : files(root)) {
      try {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
          return true;
        }
      } catch (NoSuchFileException e) {
        // It was renamed after it was found.
      }
    }
    return false;
  }
}
