package dev.forebay.tiered.stream;

import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.Target;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Standard output or standard error of this process, for all appenders that use it. Thread-safe.
 *
 * <p>Writes through {@code System.out} as Logback's {@code ConsoleAppender} does, so that the
 * application's own prints tear no line, and a replaced stream gets the lines. A {@code
 * PrintStream} reports only that something has failed, and does so for ever: from then on, lines go
 * to its descriptor, until the stream is replaced.
 */
public final class StandardStream implements Target {

  public static final StandardStream OUT =
      new StandardStream(
          "System.out", link(1), () -> System.out, new FileOutputStream(FileDescriptor.out));

  public static final StandardStream ERR =
      new StandardStream(
          "System.err", link(2), () -> System.err, new FileOutputStream(FileDescriptor.err));

  /**
   * A pipe takes so many bytes whole or not at all: {@code PIPE_BUF} of Linux, see pipe(7). Other
   * processes may write to it too.
   */
  static final int ATOMIC_BYTES = 4096;

  /** The stream's name in {@code <target>}. */
  private final String target;

  /** The link by which Linux shows the file behind the descriptor. */
  private final Path link;

  private final Supplier<@Nullable PrintStream> current;
  private final FileOutputStream descriptor;

  // Guarded by this.
  private @Nullable PrintStream known;
  private boolean isBroken;
  private boolean isTorn;

  StandardStream(
      String target,
      Path link,
      Supplier<@Nullable PrintStream> current,
      FileOutputStream descriptor) {
    this.target = target;
    this.link = link;
    this.current = current;
    this.descriptor = descriptor;
  }

  private static Path link(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** Named as Logback names it, in any case; null if there is none. */
  public static @Nullable StandardStream of(String target) {
    if (target.equalsIgnoreCase(OUT.target)) {
      return OUT;
    }
    return target.equalsIgnoreCase(ERR.target) ? ERR : null;
  }

  @Override
  public String name() {
    return target;
  }

  @Override
  public Destination destination(
      byte[] header, byte[] footer, byte[] lineEnd, ShippingListener listener) {
    return new StreamDestination(this, header, footer, lineEnd, listener);
  }

  /**
   * Whether a person reads what this program writes: a terminal controls it (field 7 of {@code
   * /proc/self/stat}, see proc(5)), and this is that terminal or a pipe.
   */
  public boolean isInteractive() {
    try {
      String stat = Files.readString(link.resolve("../../stat").normalize());
      String terminal = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 6)[4];
      boolean isPipe = Files.readSymbolicLink(link).toString().startsWith("pipe:");
      return !terminal.equals("0") && (isPipe || isTerminal());
    } catch (IOException | RuntimeException e) { // not Linux
      return isTerminal();
    }
  }

  /** Whether it is a terminal, as far as the system shows that. */
  public boolean isTerminal() {
    try {
      String device = Files.readSymbolicLink(link).toString();
      return device.startsWith("/dev/pts/")
          || device.startsWith("/dev/tty")
          || device.equals("/dev/console");
    } catch (IOException | RuntimeException e) { // not Linux: a line waits some milliseconds there
      return false;
    }
  }

  /** A line may have been torn there: the next write begins with a line end. */
  synchronized void noteTorn() {
    isTorn = true;
  }

  /** Writes all of it, in one call of the system up to {@link #ATOMIC_BYTES}. */
  synchronized void write(byte[] lines, int length, byte[] lineEnd) throws IOException {
    if (isTorn) {
      writeOnce(lineEnd, lineEnd.length);
      isTorn = false;
    }
    try {
      writeOnce(lines, length);
    } catch (IOException e) {
      isTorn = length > ATOMIC_BYTES || Files.isRegularFile(link);
      throw e;
    }
  }

  private void writeOnce(byte[] bytes, int length) throws IOException {
    PrintStream stream = current.get();
    if (stream != known) {
      known = stream;
      isBroken = false;
    }
    if (stream != null && !isBroken) {
      isBroken = stream.checkError(); // a print of the application has failed, not these lines
    }
    if (stream != null && !isBroken) {
      stream.write(bytes, 0, length);
      isBroken = stream.checkError();
      if (isBroken) {
        throw new IOException(target + " reports an error: who reads it may be gone");
      }
    } else {
      descriptor.write(bytes, 0, length);
    }
  }
}
