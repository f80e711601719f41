package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.LineSpool;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.Voice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An output that the JVM writes, and nobody reads yet. The agent opens one {@link #early}, before
 * the program and with few classes; the source of this class loader takes it.
 *
 * @param spool with the JVM's files, or with a note where they are
 * @param output what the JVM writes
 * @param claim of this JVM's log
 */
public record JvmOpening(LineSpool spool, UlOutput output, JvmClaim claim) {

  /**
   * So many spools of JVMs may lie there. More tell of JVMs that end before anything is shipped:
   * then one of them has to wait for its appender, which ships them all.
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
    JvmClaim claim = new JvmClaim(System.getProperties(), owner);
    if (spools.lineSpools().size() >= MAX_LEFT || claim.take() != null) {
      return false;
    }
    JvmOpening opening = null;
    try {
      LineSpool spool = spools.createLines(settings.memoryBytes());
      UlOutput output = open(spool, log, settings, new VmLog(), null);
      opening = output == null ? null : new JvmOpening(spool, output, claim);
      EARLY.set(opening);
    } finally {
      if (opening == null) {
        claim.release();
      }
    }
    return opening != null;
  }

  /**
   * Has the JVM write into a spool, or finds what it writes already.
   *
   * @param log the file that the lines are to be shipped to
   * @param voice told what is wrong; null: anything that is worth telling is wrong
   * @return null if something is wrong for good; then the spool is discarded
   */
  static @Nullable UlOutput open(
      LineSpool spool, Path log, JvmSettings settings, VmLog vmLog, @Nullable Voice voice)
      throws IOException, VmLogException {
    boolean isOpen = false;
    try {
      List<VmLogOutput> outputs = vmLog.outputs();
      String fault = fault(spool, log, outputs);
      UlOutput output = fault == null ? find(spool, settings, outputs, voice) : null;
      if (output != null) {
        output.noteIn(spool);
        fault = output.isOurs() ? add(output, settings, vmLog) : null;
      }
      if (fault != null && voice != null) {
        voice.error(fault, null);
      }
      isOpen = output != null && fault == null;
      return isOpen ? output : null;
    } finally {
      if (!isOpen) {
        undo(spool, vmLog);
      }
    }
  }

  private static @Nullable String fault(LineSpool spool, Path log, List<VmLogOutput> outputs) {
    for (VmLogOutput output : outputs) {
      if (output.isFile() && output.file().toAbsolutePath().normalize().equals(log)) {
        return "<file> %s is the file of another output of the JVM, with the selection \"%s\": their lines would mix; remove that -Xlog, or write another <file>"
            .formatted(log, output.what());
      }
    }
    if (!spool.disk().isInMemory(spool.path())) {
      return "<spoolDirectory> %s is not on tmpfs: the JVM would wait for its disk in every pause; write a directory on tmpfs, such as /dev/shm"
          .formatted(spool.path());
    }
    return VmLog.isUnspeakable(spool.path())
        ? "<spoolDirectory> %s has a quote in its name, which the JVM's command cannot write; write another directory"
            .formatted(spool.path())
        : null;
  }

  /** Null if the agent is to leave it to the source, as there is something to say. */
  private static @Nullable UlOutput find(
      LineSpool spool, JvmSettings settings, List<VmLogOutput> outputs, @Nullable Voice voice)
      throws IOException {
    if (!settings.takesUp() || outputs.isEmpty()) {
      return UlOutput.ours(spool, settings);
    }
    List<String> warnings = new ArrayList<>();
    UlOutput there = new TakeUp(outputs, spool.disk(), spool.path(), warnings::add).find();
    for (String warning : warnings) {
      if (voice == null) {
        return null;
      }
      voice.warn(warning, null);
    }
    return there == null ? UlOutput.ours(spool, settings) : there;
  }

  /** Returns what is wrong; null if nothing is. */
  private static @Nullable String add(UlOutput output, JvmSettings settings, VmLog vmLog)
      throws VmLogException {
    String answer = vmLog.add(output.file(), settings);
    return answer.isEmpty()
        ? null
        : "the JVM refuses <what> \"%s\" with <decorators> \"%s\": %s; write both as in -Xlog, such as gc*=info and time,level,tags; jcmd <pid> VM.log list shows all"
            .formatted(settings.what(), settings.decorators(), answer.replaceAll("\\s+", " "));
  }

  private static void undo(LineSpool spool, VmLog vmLog) throws IOException, VmLogException {
    try {
      vmLog.remove(spool.path().resolve(LineSpool.LOG));
    } finally {
      spool.discard();
    }
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
      if (output.isOurs()) {
        spool.close();
      } else {
        spool.discard();
      }
    }
  }
}
