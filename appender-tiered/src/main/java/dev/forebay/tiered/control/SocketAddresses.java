package dev.forebay.tiered.control;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Addresses of sockets in a directory of any length. An address takes 107 bytes, and the path of a
 * spool is longer; so it is {@code /proc/self/fd/N/name}, which leads through the open directory
 * and through no link that another user could have placed in its path.
 *
 * <p>Java does not reveal the number of an open file. So the directory gets a random position,
 * which nothing reads, and the number is the one that shows this position. It is not the number of
 * another thread that has the same directory open, which may close it at any time.
 */
final class SocketAddresses {

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");
  private static final Path THEIR_STATES = Path.of("/proc/self/fdinfo");

  /** Below what any file system allows in a directory. */
  private static final int MAX_POSITION = Integer.MAX_VALUE - 1;

  /** What uses an address while the directory is open. */
  @FunctionalInterface
  interface Use<T> {
    T apply(UnixDomainSocketAddress address) throws IOException;
  }

  private SocketAddresses() {}

  /** Only Linux shows open files like this; elsewhere one steers by JMX. */
  static boolean arePossible() {
    return Files.isDirectory(THEIR_STATES);
  }

  /** Has {@code use} bind or connect to a socket in a directory. */
  static <T> T with(Path directory, String name, Use<T> use) throws IOException {
    Path real = directory.toRealPath();
    try (FileChannel open =
        FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      int position = ThreadLocalRandom.current().nextInt(1, MAX_POSITION);
      open.position(position);
      return use.apply(UnixDomainSocketAddress.of(linkTo(real, position).resolve(name)));
    }
  }

  private static Path linkTo(Path directory, int position) throws IOException {
    String[] numbers = OPEN_FILES.toFile().list();
    for (String number : numbers == null ? new String[0] : numbers) {
      Path link = OPEN_FILES.resolve(number);
      if (isOpen(link, directory, position)) {
        return link;
      }
    }
    throw new NoSuchFileException(
        directory.toString(), null, "not among the open files in " + THEIR_STATES);
  }

  private static boolean isOpen(Path link, Path directory, int position) {
    try {
      return Files.readSymbolicLink(link).equals(directory)
          && Files.readAllLines(THEIR_STATES.resolve(link.getFileName()))
              .contains("pos:\t" + position);
    } catch (IOException e) {
      return false; // just closed
    }
  }
}
