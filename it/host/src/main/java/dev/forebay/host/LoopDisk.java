package dev.forebay.host;

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
 * byte is left, or slow from the beginning.
 *
 * <p>A shell, the keeper ({@code keeper.sh}), mounts, freezes and thaws on command. When its input
 * ends, and that is also when this JVM is killed, it thaws, unmounts and deletes the image by
 * itself: no frozen file system outlives the JVM.
 */
public final class LoopDisk implements AutoCloseable {

  private static final List<String> TOOLS =
      List.of(
          "sh",
          "mkfs.ext4",
          "mount",
          "umount",
          "findmnt",
          "losetup",
          "fsfreeze",
          "fallocate",
          "dd",
          "df");

  private static final long ANSWER_SECONDS = 30;
  private static final String IMAGE = "disk.img";
  private static final String MOUNT_POINT = "disk";

  private final Path root;
  private final Process keeper;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /** Guarded by this. */
  private boolean isFrozen;

  /** Guarded by this. */
  private boolean isFilled;

  /** Guarded by this. */
  private boolean isReleased;

  private LoopDisk(Path root, Process keeper) {
    this.root = root;
    this.keeper = keeper;
  }

  /** Why this user on this system cannot have one; "" when it may work. */
  public static String obstacle() {
    if (!Command.isRoot()) {
      return Files.exists(Path.of("/proc/self")) ? "not running as root" : "not on Linux";
    }
    for (String tool : TOOLS) {
      if (!Command.exists(tool)) {
        return tool + " is not installed";
      }
    }
    return "";
  }

  /** Creates and mounts it below a directory. Leaves nothing there where that is refused. */
  public static LoopDisk create(Path directory, long megabytes, Slowness slowness)
      throws IOException {
    Path image = directory.resolve(IMAGE);
    Path root = directory.resolve(MOUNT_POINT);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(megabytes << 20);
    }
    // Nothing is left to be initialised later: that would be written during a measurement.
    Command.run(
        "mkfs.ext4",
        "-qF",
        "-m",
        "0",
        "-E",
        "lazy_itable_init=0,lazy_journal_init=0",
        image.toString());
    Files.createDirectory(root);
    LoopDisk disk = new LoopDisk(root, startKeeper(image, root, slowness));
    Thread reader = new Thread(disk::readAnswers, "loop-disk");
    reader.setDaemon(true);
    reader.start();
    try {
      disk.await("mounted");
      return disk;
    } catch (IOException e) {
      disk.close();
      Files.deleteIfExists(root);
      Files.deleteIfExists(image);
      throw e;
    }
  }

  private static Process startKeeper(Path image, Path root, Slowness slowness) throws IOException {
    String script;
    try (var resource = LoopDisk.class.getResourceAsStream("keeper.sh")) {
      if (resource == null) {
        throw new IOException("keeper.sh is not on the class path");
      }
      script = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    }
    return new ProcessBuilder(
            "sh",
            "-c",
            script,
            "keeper",
            image.toString(),
            root.toString(),
            Long.toString(slowness.bytesPerSecond()),
            Long.toString(slowness.dirtyBytes()))
        .redirectErrorStream(true)
        .start();
  }

  /**
   * Unmounts what is still mounted below the directory of a run whose keeper was killed too; the
   * files stay.
   *
   * @return whether there was something
   */
  public static boolean removeLeftover(Path directory) throws IOException {
    Path root = directory.resolve(MOUNT_POINT);
    if (!Files.isDirectory(root)
        || Files.getAttribute(root, "unix:dev").equals(Files.getAttribute(directory, "unix:dev"))) {
      return false;
    }
    Command.exitCode("fsfreeze", "-u", root.toString()); // fails where it was not frozen
    String device = Command.run("findmnt", "-no", "SOURCE", root.toString());
    Command.run("umount", "-l", root.toString());
    Command.exitCode("losetup", "-d", device); // fails where it is gone with the mount
    return true;
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

  private void tell(String command, String expected) throws IOException {
    OutputStream input = keeper.getOutputStream();
    input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
    await(expected);
  }

  /** Where it is mounted. Not to be touched while it is frozen. */
  public Path root() {
    return root;
  }

  /** Writes out what waits to be written: a freeze would wait for it. The disk answers on. */
  public synchronized void sync() throws IOException {
    tell("sync", "synced");
  }

  /** From now on every write hangs. */
  public synchronized void freeze() throws IOException {
    requireOpen();
    isFrozen = true;
    tell("freeze", "frozen");
  }

  /** Writes go on. Does nothing to a disk that is not frozen. */
  public synchronized void thaw() throws IOException {
    if (isFrozen) {
      tell("thaw", "thawed");
      isFrozen = false;
    }
  }

  /** Takes all room there is. */
  public synchronized void fill() throws IOException {
    requireOpen();
    isFilled = true;
    tell("fill", "filled");
  }

  /** Gives back what {@link #fill} took, if it did. */
  public synchronized void empty() throws IOException {
    if (isFilled) {
      tell("empty", "emptied");
      isFilled = false;
    }
  }

  private void requireOpen() throws IOException {
    if (isReleased) {
      throw new IOException("The disk is being taken away");
    }
  }

  /** The disk answers, and nobody can freeze or fill it again. */
  public synchronized void release() throws IOException {
    isReleased = true;
    thaw();
  }

  private synchronized void allowNoFault() {
    isReleased = true;
  }

  /** Thaws and unmounts, also when a command before was not answered. */
  @Override
  public void close() throws IOException {
    allowNoFault();
    keeper.getOutputStream().close();
    try {
      if (!keeper.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("The disk at " + root + " could not be unmounted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As when somebody kills everything at once: nothing is left that could unmount. */
  void killKeeper() {
    keeper.destroyForcibly();
  }
}
