package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An output that the JVM writes, and nobody reads yet: its position says that all lines are in no
 * spool. The agent opens one {@link #early}, before the program and with few classes; the source of
 * this class loader takes it.
 *
 * @param directory with the JVM's files, or with a note where they are
 * @param position the file with the position
 * @param output what the JVM writes
 * @param claim of this JVM's log
 */
public record JvmOpening(
    JvmDirectory directory, PositionFile position, UlOutput output, JvmClaim claim) {

  /**
   * So many directories of JVMs may lie there. More tell of JVMs that end before anything is
   * shipped: then one of them has to wait for its appender, which ships them all.
   */
  static final int MAX_LEFT = 4;

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
    Disk disk = new NioDisk();
    SpoolDirectory spools = SpoolDirectory.open(disk, spoolDirectory, LogIdentity.of(disk, log));
    if (spools.jvmDirectories().size() >= MAX_LEFT) {
      return false;
    }
    VmLog vmLog = new VmLog();
    String outputs = vmLog.list();
    JvmClaim claim = new JvmClaim(System.getProperties(), owner);
    if (outputs.contains(VmLog.FILE + log) || claim.take() != null) {
      return false;
    }
    JvmOpening opening = null;
    try {
      opening = open(spools.createJvmDirectory(), settings, outputs, vmLog, claim);
      EARLY.set(opening);
    } finally {
      if (opening == null) {
        claim.release();
      }
    }
    return opening != null;
  }

  private static @Nullable JvmOpening open(
      JvmDirectory directory, JvmSettings settings, String outputs, VmLog vmLog, JvmClaim claim)
      throws IOException, VmLogException {
    boolean isOpen = false;
    try {
      UlOutput output = output(directory, settings, outputs);
      if (output == null || !directory.disk().isInMemory(directory.path())) {
        return null;
      }
      output.noteIn(directory);
      PositionFile position = unread(directory, output.rotation());
      isOpen =
          !output.isOurs()
              || !VmLog.isUnspeakable(output.file())
                  && vmLog.add(output.file(), settings).isEmpty();
      return isOpen ? new JvmOpening(directory, position, output, claim) : null;
    } finally {
      if (!isOpen) {
        directory.discard();
      }
    }
  }

  /** Null if that needs a warning, or a part of it was read by an earlier appender. */
  private static @Nullable UlOutput output(
      JvmDirectory directory, JvmSettings settings, String outputs) throws IOException {
    if (!settings.takesUp() || !outputs.contains(VmLog.FILE)) {
      return UlOutput.ours(directory, settings);
    }
    List<VmLogOutput> all = VmLogOutput.parse(outputs);
    UlOutput there = new TakeUp(all, directory.disk(), directory.path(), warning -> {}).find();
    return there != null && ReadMark.of(System.getProperties(), there).equals(ReadMark.NONE)
        ? there
        : null;
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

  /**
   * The JVM stops writing an output of ours, and what it wrote stays for the next start with this
   * log. Another output is as if nobody had seen it.
   */
  void end(VmLog vmLog) throws IOException, VmLogException {
    try {
      if (output.isOurs()) {
        vmLog.remove(output.file());
      }
    } finally {
      position.close();
      if (output.isOurs()) {
        directory.close();
      } else {
        directory.discard();
      }
    }
  }
}
