package dev.forebay.tiered.spool;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SpoolLockTest {
  private final Disk disk = new NioDisk();
  @TempDir Path base;

  @Test
  void onlyOneShipperInOneProcessByWhateverPath() throws IOException {
    Path link = Files.createSymbolicLink(base.resolve("link"), base);
    SpoolDirectory directory = Spools.open(disk, base);
    SpoolLock lock = directory.tryShipLock();
    assertThat(lock).isNotNull();
    assertThat(directory.tryShipLock()).isNull();
    assertThat(Spools.open(disk, base).tryShipLock()).isNull();
    Path file = directory.path().resolve("ship.lock");
    assertThat(SpoolLock.tryTake(disk, link.resolve(base.relativize(file)))).isNull();
    lock.close();
    lock.close();
    try (SpoolLock again = directory.tryShipLock()) {
      assertThat(again).isNotNull();
    }
  }

  @Test
  void aLockedSpoolOfALivingProcessIsNobodysOrphan() throws Exception {
    Process process = child();
    try (BufferedReader answers = process.inputReader()) {
      assertThat(answers.readLine()).isEqualTo("locked");
      SpoolDirectory directory = Spools.open(disk, base);

      assertThat(directory.tryShipLock()).isNull();
      assertThat(directory.orphans(SpoolNames.SPOOL)).isEmpty();
      assertThat(directory.orphans(SpoolNames.SPOOL)).isEmpty(); // looking did not break the lock

      process.destroyForcibly().waitFor();

      try (SpoolLock lock = directory.tryShipLock()) {
        assertThat(lock).isNotNull();
      }
      RecordSource orphan = Spools.orphan(directory);
      assertThat(Spools.drain(orphan)).isEqualTo(Spools.texts(0, 20));
      orphan.discard();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aLockHeldHereIsRefusedToAnotherClassLoaderAndThenToAnotherProcess() throws Exception {
    SpoolDirectory directory = Spools.open(disk, base);
    try (SpoolLock lock = directory.tryShipLock();
        URLClassLoader loader = new URLClassLoader(classPath(), null)) {
      assertThat(lock).isNotNull();
      assertThat(directory.tryShipLock()).isNull();
      Class<?> child = loader.loadClass(Child.class.getName());
      assertThat(child).isNotEqualTo(Child.class);
      assertThat(child.getMethod("lock", String.class).invoke(null, base.toString()))
          .isEqualTo("refused");

      Process process = child();
      try (BufferedReader answers = process.inputReader()) {
        assertThat(answers.readLine()).isEqualTo("refused");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void aLockFileReplacedBeforeItWasLockedIsNotTaken() throws IOException {
    Path file = base.resolve("lock");
    disk.open(file, Disk.Mode.CREATE_PRIVATE).close();
    FaultyDisk replacing = new FaultyDisk(disk);
    replacing.before(FaultyDisk.Op.LOCK, 1, () -> Files.move(copyOf(file), file, REPLACE_EXISTING));

    assertThat(SpoolLock.tryTake(replacing, file)).isNull();

    try (SpoolLock again = SpoolLock.tryTake(disk, file)) {
      assertThat(again).isNotNull();
    }
  }

  private static Path copyOf(Path file) throws IOException {
    return Files.copy(file, file.resolveSibling("copy"), COPY_ATTRIBUTES);
  }

  private Process child() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            base.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static URL[] classPath() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  /** Another process, or the same program in another class loader. */
  public static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      System.out.write((lock(args[0]) + "\n").getBytes(StandardCharsets.UTF_8));
      System.out.flush();
      if (System.in.read() < 0) {
        throw new IOException("left alone");
      }
    }

    public static String lock(String base) throws IOException {
      SpoolDirectory directory = Spools.open(new NioDisk(), Path.of(base));
      if (directory.tryShipLock() == null) {
        return "refused";
      }
      Spools.fill(directory.createSpool(Spools.LIMITS), 0, 20);
      return "locked";
    }
  }
}
