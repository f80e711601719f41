package dev.forebay.it.demo;

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
 * A real ext4 file system in an image file, mounted through a loop device and frozen with fsfreeze:
 * every write to it blocks in the kernel until it is thawed.
 *
 * <p>A shell, the keeper, mounts, freezes and thaws on command. When its input ends, and that is
 * also when this JVM is killed, it thaws, unmounts and deletes the image by itself: no frozen file
 * system outlives the demo.
 *
 * <p>The lab in {@code benchmarks} has one that can do more, {@code LoopDisk}; the two are apart so
 * that neither module needs the other.
 */
final class FrozenDisk implements LogDisk {

  private static final long IMAGE_BYTES = 256L << 20;
  private static final long ANSWER_SECONDS = 20;
  private static final String MOUNT_POINT = "disk";

  /**
   * Its arguments are the image and the mount point. It ignores Ctrl-C, which reaches it as well.
   */
  private static final String KEEPER =
      """
      trap '' INT TERM HUP
      mount -o loop,noatime "$1" "$2" || exit 1
      echo mounted
      while read -r command; do
        case $command in
          sync) sync -f "$2" && echo synced ;;
          freeze) fsfreeze -f "$2" && echo frozen ;;
          thaw) fsfreeze -u "$2" && echo thawed ;;
        esac
      done
      fsfreeze -u "$2" 2>/dev/null
      tries=100
      until umount "$2" 2>/dev/null; do
        tries=$((tries - 1))
        if [ $tries -eq 0 ]; then
          umount -l "$2"
          break
        fi
        sleep 0.1
      done
      rmdir "$2"
      rm -f "$1"
      """;

  private final Path mountPoint;
  private final Process keeper;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /** Guarded by this. */
  private boolean isFrozen;

  /** Guarded by this. */
  private boolean isReleased;

  private FrozenDisk(Path mountPoint, Process keeper) {
    this.mountPoint = mountPoint;
    this.keeper = keeper;
  }

  /** Why this user on this system cannot freeze a file system; "" when it may work. */
  static String obstacle() {
    try {
      if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
        return "not running as root";
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "not on Linux";
    }
    for (String tool : List.of("mkfs.ext4", "mount", "umount", "losetup", "fsfreeze")) {
      if (!Command.exists(tool)) {
        return tool + " is not installed";
      }
    }
    return "";
  }

  /**
   * Creates and mounts the file system. Throws, with nothing left behind, where that is refused.
   */
  static FrozenDisk create(Path directory) throws IOException {
    Path image = directory.resolve("disk.img");
    Path mountPoint = directory.resolve(MOUNT_POINT);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(IMAGE_BYTES);
    }
    Command.run("mkfs.ext4", "-qF", "-m", "0", image.toString());
    Files.createDirectory(mountPoint);
    Process keeper =
        new ProcessBuilder("sh", "-c", KEEPER, "keeper", image.toString(), mountPoint.toString())
            .redirectErrorStream(true)
            .start();
    FrozenDisk disk = new FrozenDisk(mountPoint, keeper);
    Thread reader = new Thread(disk::readAnswers, "demo-disk");
    reader.setDaemon(true);
    reader.start();
    try {
      disk.await("mounted");
      return disk;
    } catch (IOException e) {
      disk.close();
      Files.deleteIfExists(mountPoint);
      Files.deleteIfExists(image);
      throw e;
    }
  }

  /** Unmounts what is still mounted in the work directory of a run whose keeper was killed too. */
  static void removeLeftover(Path directory) throws IOException {
    Path mountPoint = directory.resolve(MOUNT_POINT);
    if (!Files.isDirectory(mountPoint)
        || Files.getAttribute(mountPoint, "unix:dev")
            .equals(Files.getAttribute(directory, "unix:dev"))) {
      return;
    }
    System.out.println("Removing the disk of an earlier run that was killed.");
    try {
      Command.run("fsfreeze", "-u", mountPoint.toString());
    } catch (IOException e) {
      // It was not frozen.
    }
    Command.run("umount", "-l", mountPoint.toString());
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
            answer == null
                ? "The disk was not " + expected + " within " + ANSWER_SECONDS + " s"
                : "The disk was not " + expected + ": " + answer);
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

  @Override
  public String description() {
    return "a loop-mounted ext4 file system, frozen with fsfreeze";
  }

  @Override
  public Path directory() {
    return mountPoint;
  }

  @Override
  public List<String> loggingOptions(String resource) {
    return List.of("-Dlogger.resource=" + resource);
  }

  /** Without this, freezing would wait for all that was written and not yet synced. */
  @Override
  public synchronized void sync() throws IOException {
    tell("sync");
    await("synced");
  }

  @Override
  public synchronized void stall(List<AppProcess> apps) throws IOException {
    if (isReleased) {
      throw new IOException("The disk is being taken away");
    }
    isFrozen = true;
    tell("freeze");
    await("frozen");
  }

  @Override
  public synchronized void resume(List<AppProcess> apps) throws IOException {
    if (isFrozen) {
      tell("thaw");
      await("thawed");
      isFrozen = false;
    }
  }

  @Override
  public synchronized void release() throws IOException {
    isReleased = true;
    resume(List.of());
  }

  @Override
  public void close() throws IOException {
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
