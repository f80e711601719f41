package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A log disk that fails, is full or read-only, and a log or a directory that may not be changed:
 * while that lasts no call waits and one warning tells it; then all is in the log once.
 */
class FailingDiskIT {

  @AutoClose private final Places places = Places.create();

  /** What begins or ends a fault. */
  private interface Step {
    void take() throws Exception;
  }

  private String inner(Path log) {
    return Xml.places(log, places.spool()) + Xml.FAST + Xml.MESSAGES;
  }

  /** Two threads log before, during and after it; what the log has to hold. */
  private Oracle through(String fault, Path log, Step begin, String cause, Step end)
      throws Exception {
    try (Tiered tiered = Tiered.with(inner(log));
        Load load = Load.on(tiered)) {
      load.requireGoingOn();
      tiered.flush().calls().reset();
      begin.take();
      tiered.awaitWarning("cannot write " + log, cause);
      load.requireGoingOn();
      assertThat(tiered.snapshot().inFlight()).isGreaterThan(300);
      end.take();
      tiered.calls().record(fault);
      Oracle oracle = load.requireGoingOn().endWithoutLoss();
      assertThat(tiered.warnings()).hasSizeBetween(1, cause.isEmpty() ? 2 : 1);
      return oracle;
    }
  }

  /**
   * The kernel takes lines into its cache, fails to write them, says so once, and takes them for
   * written. The log is judged after the cache is gone.
   */
  @Test
  void whatAFailedFsyncDidNotBringToTheDiskIsWrittenAgain() throws Exception {
    try (FailingDisk disk = FailingDisk.create(places)) {
      Path log = disk.mounted().at().resolve("app.log");
      Oracle oracle =
          through(
              "log disk fails to write (EIO)", log, disk::fail, "Input/output error", disk::heal);
      disk.mounted().mountAnew();
      oracle.requireSound(LogFiles.of(log).lines());
    }
  }

  @Test
  void aDiskThatTheKernelMadeReadOnlyIsWrittenAgainAfterItWasMountedAnew() throws Exception {
    try (Mounted disk = Mounted.disk(places, "48m", "errors=remount-ro")) {
      Path log = disk.at().resolve("app.log");
      through("log disk read-only after an error", log, disk::findError, "", disk::mountAnew)
          .requireSound(LogFiles.of(log).lines());
    }
  }

  @Test
  void aDiskThatFillsUpUnderLoadTearsAndLosesNothing() throws Exception {
    try (Mounted disk = Mounted.disk(places, "2m", "defaults", "-m", "0", "-O", "^has_journal")) {
      Path log = disk.at().resolve("app.log");
      Path filler = disk.at().resolve("filler");
      Step begin = () -> fill(disk.at(), filler);
      String cause = ": java.io.IOException: No space left";
      through("log disk full", log, begin, cause, () -> Files.delete(filler))
          .requireSound(LogFiles.of(log).lines());
    }
  }

  /** Leaves a little: if it were full for a moment, the log would fail twice. */
  private static void fill(Path disk, Path filler) throws IOException {
    byte[] block = new byte[4096];
    FileStore store = Files.getFileStore(disk);
    try (var out = Files.newOutputStream(filler)) {
      while (store.getUsableSpace() > 96 << 10) {
        out.write(block);
      }
    }
  }

  /** The limit falls into a line: the kernel takes the part before it, then refuses (EFBIG). */
  @Test
  void aLimitOnTheSizeOfFilesTearsAndLosesNothing() throws Exception {
    assumeTrue(Command.exists("prlimit"), "no prlimit: install util-linux");
    long limit = 200_001;
    String inner = places.xml() + Xml.FAST + "<segmentSize>64KB</segmentSize>" + Xml.MESSAGES;
    Child.Task task = new Child.Task("limited", 2, 2000, 0, 5, "wait");
    String[] around = {"prlimit", "--fsize=" + limit + ":unlimited"};
    Oracle oracle = new Oracle();
    try (Child child =
        Child.start(task, Xml.configuration(inner), places.directory("limited"), around)) {
      child.awaitOffered(0, 2000);
      child.awaitOffered(1, 2000);
      Await.until("told", () -> child.status().contains("File too large"));
      // Each new attempt cuts the torn line off and is refused in the same place.
      Await.until("short write before the refusal", () -> Files.size(places.log()) == limit);
      CallTimes.record("limit on the size of files", child.progress().longestCallNs());
      Command.run("prlimit", "--pid", String.valueOf(child.pid()), "--fsize=unlimited:unlimited");
      Await.until("all", () -> Files.size(places.log()) > limit && places.lines().size() == 4000);
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.account()).contains("dropped 0 ").endsWith("in flight 0");
      child.tell(oracle);
    }
    oracle.complete(0).requireSound(places.lines());
  }

  private static void attribute(String change, Path path) throws Exception {
    assumeTrue(
        Command.exitCode("chattr", change, path.toString()) == 0,
        "no chattr: install e2fsprogs (" + change + ")");
  }

  @Test
  void anImmutableLogIsContinuedWhenItMayBeChangedAgain() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("app.log");
      Step protect = () -> attribute("+i", log);
      through("log immutable (chattr +i)", log, protect, "", () -> attribute("-i", log))
          .requireSound(LogFiles.of(log).lines());
    }
  }

  @Test
  void aLogThatMayOnlyBeAppendedToIsWritten() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = Files.createFile(disk.at().resolve("app.log"));
      attribute("+a", log);
      try (Tiered tiered = Tiered.with(inner(log));
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush();
        assertThat(tiered.warnings()).isEmpty();
        tiered.calls().record("log append-only (chattr +a)");
        load.endWithoutLoss().requireSound(LogFiles.of(log).lines());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"i", "a"})
  void aLogThatCannotBeRolledBecauseOfItsDirectoryGrowsUntilItCan(String flag) throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path directory = Files.createDirectory(disk.at().resolve("log"));
      Path log = directory.resolve("app.log");
      try (Tiered tiered = Tiered.with(inner(log), Xml.rollBySize(directory, "40KB"));
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush().calls().reset();
        attribute("+" + flag, directory);
        long files = LogFiles.of(log).fileCount();
        tiered.awaitWarning("could not be rolled and keeps growing");
        load.requireGoingOn();
        assertThat(LogFiles.of(log).fileCount()).isEqualTo(files);
        attribute("-" + flag, directory);
        Await.until("rolled", () -> LogFiles.of(log).fileCount() > files);
        tiered.calls().record("log directory protected (chattr +" + flag + ")");
        load.endWithoutLoss().requireSound(LogFiles.of(log).lines());
      } finally {
        Command.exitCode("chattr", "-" + flag, directory.toString());
      }
    }
  }

  /**
   * A disk that fails when it is told to: an ext4 on compressed memory (zram) whose limit is
   * lowered. What it has taken stays; new blocks are refused (EIO). Needs root.
   */
  private static final class FailingDisk implements AutoCloseable {

    private static final Path CONTROL = Path.of("/sys/class/zram-control");

    private final String number;
    private final Path settings;
    private final Mounted mounted;

    private FailingDisk(String number, Path settings, Mounted mounted) {
      this.number = number;
      this.settings = settings;
      this.mounted = mounted;
    }

    static FailingDisk create(Places places) throws IOException, InterruptedException {
      Needs.root("making a disk that fails");
      assumeTrue(
          Files.isReadable(CONTROL.resolve("hot_add")),
          "no zram: load the kernel module zram (a disk that fails)");
      String number = Files.readString(CONTROL.resolve("hot_add")).strip();
      Path settings = Path.of("/sys/block/zram" + number);
      Mounted mounted = null;
      try {
        Files.writeString(settings.resolve("disksize"), "64M");
        // Without a journal, whose failure would end the file system for good.
        mounted =
            Mounted.device(places, Path.of("/dev/zram" + number), "defaults", "-O", "^has_journal");
      } finally {
        if (mounted == null) {
          remove(settings, number);
        }
      }
      return new FailingDisk(number, settings, mounted);
    }

    Mounted mounted() {
      return mounted;
    }

    /** From now on every write of a block fails. */
    void fail() throws IOException {
      Files.writeString(settings.resolve("mem_limit"), "4096");
    }

    void heal() throws IOException {
      Files.writeString(settings.resolve("mem_limit"), "0");
    }

    @Override
    public void close() throws IOException {
      try {
        heal();
        mounted.close();
      } finally {
        remove(settings, number);
      }
    }

    private static void remove(Path settings, String number) throws IOException {
      Await.until("nobody uses zram" + number, () -> isReset(settings));
      Files.writeString(CONTROL.resolve("hot_remove"), number);
    }

    /**
     * The kernel refuses while any mount namespace has the disk, that of a container for example.
     */
    private static boolean isReset(Path settings) {
      try {
        Files.writeString(settings.resolve("reset"), "1");
        return true;
      } catch (IOException e) {
        return false;
      }
    }
  }
}
