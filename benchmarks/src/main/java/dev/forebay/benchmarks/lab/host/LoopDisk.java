package dev.forebay.benchmarks.lab.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A real ext4 file system in an image file, mounted through a loop device for one run: frozen with
 * fsfreeze, so that every write to it blocks in the kernel until it is thawed, or filled until no
 * byte is left, or slow.
 *
 * <p>A shell, the keeper ({@code keeper.sh}), mounts, freezes and thaws on command. When its input
 * ends, and that is also when this JVM is killed, it thaws, unmounts and deletes the image by
 * itself: no frozen file system outlives the lab.
 *
 * <p>The demo in {@code it} has one that can do less, {@code FrozenDisk}; the two are apart so that
 * neither module needs the other.
 */
final class LoopDisk implements LabDisk {

  /** How the disk gets sick. */
  enum Kind {
    /** It answers nothing. */
    FREEZES(512, "freeze", "frozen", "thaw", "thawed"),
    /** It has no room. */
    FILLS(400, "fill", "filled", "empty", "emptied"),
    /** It is slow from the beginning: {@link SlowDisk}. */
    SLOW(1024, "", "", "", "");

    private final long megabytes;
    private final String begin;
    private final String begun;
    private final String end;
    private final String ended;

    Kind(long megabytes, String begin, String begun, String end, String ended) {
      this.megabytes = megabytes;
      this.begin = begin;
      this.begun = begun;
      this.end = end;
      this.ended = ended;
    }
  }

  private static final List<String> TOOLS =
      List.of("sh", "mkfs.ext4", "mount", "umount", "losetup", "fsfreeze", "fallocate", "dd", "df");

  private static final long ANSWER_SECONDS = 20;
  private static final Path PROCESS = Path.of("/proc/self");

  private final Kind kind;
  private final Path mountPoint;
  private final Process keeper;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /** Guarded by this. */
  private boolean isSick;

  /** Guarded by this. */
  private boolean isReleased;

  private LoopDisk(Kind kind, Path mountPoint, Process keeper) {
    this.kind = kind;
    this.mountPoint = mountPoint;
    this.keeper = keeper;
  }

  /** Why this user on this system cannot make a disk sick; "" when it may work. */
  static String obstacle() {
    try {
      if (!Integer.valueOf(0).equals(Files.getAttribute(PROCESS, "unix:uid"))) {
        return "not running as root";
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "not on Linux";
    }
    for (String tool : TOOLS) {
      if (!Command.exists(tool)) {
        return tool + " is not installed";
      }
    }
    return "";
  }

  /** Creates and mounts it below a directory. Leaves nothing behind where that is refused. */
  static LoopDisk create(Kind kind, Path directory) throws IOException {
    Path image = directory.resolve("disk.img");
    Path mountPoint = directory.resolve("disk");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(kind.megabytes << 20);
    }
    // Nothing is left to be initialised later: that would be written during the measurement.
    Command.run(
        "mkfs.ext4",
        "-qF",
        "-m",
        "0",
        "-E",
        "lazy_itable_init=0,lazy_journal_init=0",
        image.toString());
    Files.createDirectory(mountPoint);
    LoopDisk disk = new LoopDisk(kind, mountPoint, startKeeper(kind, image, mountPoint));
    Thread reader = new Thread(disk::readAnswers, "lab-disk");
    reader.setDaemon(true);
    reader.start();
    try {
      disk.await("mounted");
      return disk;
    } catch (IOException e) {
      disk.close();
      throw e;
    }
  }

  private static Process startKeeper(Kind kind, Path image, Path mountPoint) throws IOException {
    String script;
    try (var resource = LoopDisk.class.getResourceAsStream("keeper.sh")) {
      if (resource == null) {
        throw new IOException("keeper.sh is not on the class path");
      }
      script = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    }
    boolean isSlow = kind == Kind.SLOW;
    return new ProcessBuilder(
            "sh",
            "-c",
            script,
            "keeper",
            image.toString(),
            mountPoint.toString(),
            Long.toString(isSlow ? SlowDisk.BYTES_PER_SECOND : 0),
            Long.toString(isSlow ? SlowDisk.DIRTY_BYTES : 0))
        .redirectErrorStream(true)
        .start();
  }

  private void readAnswers() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(keeper.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        answers.add(line);
      }
    } catch (IOException e) {
      answers.add(e.toString());
    }
    answers.add("the shell that keeps the disk has ended");
  }

  private void await(String expected) throws IOException {
    try {
      String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (!expected.equals(answer)) {
        throw new IOException(
            "The disk was not "
                + expected
                + (answer == null ? " within " + ANSWER_SECONDS + " s" : ": " + answer));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the disk was to be " + expected, e);
    }
  }

  private void tell(String command) throws IOException {
    OutputStream input = keeper.getOutputStream();
    input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Not the root of the disk: what else is there, ballast for one, is no log. */
  @Override
  public Path directory() {
    return mountPoint.resolve("logs");
  }

  @Override
  public synchronized void beginFault() throws IOException {
    if (isReleased) {
      throw new IOException("The disk is being taken away");
    }
    isSick = true;
    tell(kind.begin);
    await(kind.begun);
  }

  @Override
  public synchronized void endFault() throws IOException {
    if (isSick) {
      tell(kind.end);
      await(kind.ended);
      isSick = false;
    }
  }

  private synchronized void release() {
    isReleased = true;
  }

  /** Thaws and unmounts, also when a command before was not answered. */
  @Override
  public void close() throws IOException {
    release();
    keeper.getOutputStream().close();
    try {
      if (!keeper.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("The disk at " + mountPoint + " could not be unmounted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
