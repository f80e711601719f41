package dev.forebay.tiered.jvm;

import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An output that the JVM writes and no appender reads yet. The agent opens one {@link #early},
 * before the program and with few classes; the source of this class loader takes it.
 *
 * @param spool with the JVM's files, or with a note where they are
 */
public record JvmOpening(
    SpoolDirectory directory, LineSpool spool, UlOutput output, JvmClaim claim) {

  /**
   * How many spools of JVMs may be left over. More are a sign of JVMs that end before they ship
   * anything: then one JVM has to wait for its appender, which ships them all.
   */
  static final int MAX_LEFT = 4;

  /** The early opening that no source has taken yet. */
  private static final AtomicReference<JvmOpening> EARLY = new AtomicReference<>();

  /**
   * Has the JVM write its log from now on. If anything is unusual it does nothing, or throws: the
   * source will find out, and say what is wrong.
   *
   * @param log the file that the lines are to be shipped to
   * @param isApart whether by another process: then its disk is not accessed
   * @return whether the JVM writes
   */
  public static boolean early(
      Path log, Path spoolDirectory, JvmSettings settings, boolean isApart, String owner)
      throws IOException {
    Disk disk = new NioDisk();
    LogIdentity identity = isApart ? LogIdentity.unresolved(disk, log) : LogIdentity.of(disk, log);
    SpoolDirectory spools = SpoolDirectory.open(disk, spoolDirectory, identity);
    JvmClaim claim = new JvmClaim(owner);
    if (spools.list(SpoolNames.LINES).size() >= MAX_LEFT || claim.take() != null) {
      return false;
    }
    try {
      EARLY.set(open(spools, log, settings, new VmLog(), claim, null));
    } finally {
      if (EARLY.get() == null) {
        claim.release();
      }
    }
    return true;
  }

  /**
   * Has the JVM write into a new spool, or finds what it writes already.
   *
   * @param voice what the user should know; null to throw that
   * @throws IllegalArgumentException if the configuration is wrong; the message says what to write
   */
  static JvmOpening open(
      SpoolDirectory directory,
      Path log,
      JvmSettings settings,
      VmLog vmLog,
      JvmClaim claim,
      @Nullable Voice voice)
      throws IOException {
    LineSpool spool = LineSpool.create(directory, settings.memoryBytes());
    boolean isOpen = false;
    try {
      List<VmLogOutput> outputs = vmLog.outputs();
      requireUsable(spool, log, outputs);
      UlOutput there =
          settings.takesUp() ? UlOutput.find(outputs, spool.disk(), spool.path(), voice) : null;
      UlOutput output =
          there == null ? UlOutput.ours(spool, settings.rotation(), settings.decorators()) : there;
      output.noteIn(spool);
      if (there == null) {
        spool.add(LineFile.FIRST - 1, Gap.beginLine(), Gap.NONE);
        String answer = vmLog.add(output.file(), settings);
        if (!answer.isEmpty()) {
          throw new IllegalArgumentException(
              "the JVM refuses <what> \"%s\" with <decorators> \"%s\": %s; write both as in -Xlog, such as gc*=info and time,level,tags; jcmd <pid> VM.log list shows all"
                  .formatted(
                      settings.what(), settings.decorators(), answer.replaceAll("\\s+", " ")));
        }
      }
      isOpen = true;
      return new JvmOpening(directory, spool, output, claim);
    } finally {
      if (!isOpen) {
        end(spool, vmLog, false);
      }
    }
  }

  private static void requireUsable(LineSpool spool, Path log, List<VmLogOutput> outputs) {
    for (VmLogOutput output : outputs) {
      if (output.isFile() && output.file().normalize().equals(log)) {
        throw new IllegalArgumentException(
            "<file> %s is the file of another output of the JVM, with the selection \"%s\": their lines would mix; remove that -Xlog, or write another <file>"
                .formatted(log, output.what()));
      }
    }
    if (!spool.disk().isInMemory(spool.path())) {
      throw new IllegalArgumentException(
          "<spoolDirectory> %s is not on tmpfs: the JVM would wait for its disk in every pause; write a directory on tmpfs, such as /dev/shm"
              .formatted(spool.path()));
    }
    if (spool.path().toString().contains("\"")) {
      throw new IllegalArgumentException(
          "<spoolDirectory> %s has a quote in its name, which the JVM's command cannot write; write another directory"
              .formatted(spool.path()));
    }
  }

  /** Takes the early opening, which is the caller's from now on; null if there is none. */
  static @Nullable JvmOpening take() {
    return EARLY.getAndSet(null);
  }

  /** Ends an early opening that no source has taken, because none was started. */
  public static void endUntaken() throws IOException {
    JvmOpening untaken = take();
    if (untaken != null) {
      untaken.end(new VmLog());
      untaken.claim.release();
    }
  }

  /**
   * The JVM stops writing an output of ours, and what it wrote stays for the next start with this
   * log. Any other output is left alone.
   */
  void end(VmLog vmLog) throws IOException {
    end(spool, vmLog, output.isOurs());
  }

  private static void end(LineSpool spool, VmLog vmLog, boolean isKept) throws IOException {
    try {
      vmLog.remove(spool.path().resolve(LineSpool.LOG));
    } finally {
      if (isKept) {
        spool.close();
      } else {
        spool.discard();
      }
    }
  }
}
