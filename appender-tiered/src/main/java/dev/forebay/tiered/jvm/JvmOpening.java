package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An output of ours that the JVM writes, and nobody reads yet: its position says that all lines are
 * in no spool. The agent opens one {@link #early}, before the program and with few classes; the
 * source of this class loader takes it.
 *
 * @param directory with the JVM's files
 * @param position the file with the position
 * @param claim of this JVM's log
 */
public record JvmOpening(JvmDirectory directory, PositionFile position, JvmClaim claim) {

  /** The one that no source has taken. */
  private static final AtomicReference<JvmOpening> EARLY = new AtomicReference<>();

  /**
   * Has the JVM write its log from now on. If anything is unusual it does nothing: the source will
   * find out, and say what is wrong.
   *
   * @param log the file that the lines are to be shipped to
   * @return whether the JVM writes
   */
  public static boolean early(Path log, Path spoolDirectory, JvmSettings settings, String owner)
      throws IOException, VmLogException {
    VmLog vmLog = new VmLog();
    String outputs = vmLog.list();
    JvmClaim claim = new JvmClaim(System.getProperties(), owner);
    if (outputs.contains(settings.takesUp() ? VmLog.FILE : VmLog.FILE + log)
        || claim.take() != null) {
      return false;
    }
    JvmOpening opening = null;
    try {
      opening = open(new NioDisk(), log, spoolDirectory, settings, vmLog, claim);
      EARLY.set(opening);
    } finally {
      if (opening == null) {
        claim.release();
      }
    }
    return opening != null;
  }

  private static @Nullable JvmOpening open(
      Disk disk, Path log, Path spoolDirectory, JvmSettings settings, VmLog vmLog, JvmClaim claim)
      throws IOException, VmLogException {
    JvmDirectory directory =
        SpoolDirectory.open(disk, spoolDirectory, LogIdentity.of(disk, log)).createJvmDirectory();
    Path file = directory.path().resolve(JvmDirectory.LOG);
    boolean isOpen = false;
    try {
      PositionFile position = unread(directory, settings.rotation());
      isOpen =
          disk.isInMemory(directory.path())
              && !VmLog.isUnspeakable(file)
              && vmLog.add(file, settings).isEmpty();
      return isOpen ? new JvmOpening(directory, position, claim) : null;
    } finally {
      if (!isOpen) {
        directory.discard();
      }
    }
  }

  /** The position of files that nobody has read. */
  static PositionFile unread(JvmDirectory directory, Rotation rotation) throws IOException {
    Path path = directory.path().resolve(JvmDirectory.POSITION);
    return PositionFile.create(directory.disk(), path, rotation, JvmPosition.outside(0, 0));
  }

  /** The early one, which is the caller's from now on; null if there is none. */
  static @Nullable JvmOpening take() {
    return EARLY.getAndSet(null);
  }

  /** Ends one that no source has taken, as none was started. */
  public static void endUntaken() throws IOException, VmLogException {
    JvmOpening untaken = take();
    if (untaken != null) {
      untaken.end(new VmLog());
      untaken.claim.release();
    }
  }

  /** The JVM stops writing. What it wrote stays, for the next start with this log. */
  void end(VmLog vmLog) throws IOException, VmLogException {
    try {
      vmLog.remove(directory.path().resolve(JvmDirectory.LOG));
    } finally {
      position.close();
      directory.close();
    }
  }
}
