package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.JvmDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the JVM's lines go: the spool in use. For the flusher's thread. */
public interface LineTarget {

  /** Creates a directory beside the spool in use; null while there is none. */
  @Nullable JvmDirectory createDirectory() throws IOException;

  /** Whether {@link #createDirectory} creates them here now. */
  boolean isPlace(Path parent);

  /** The spool in use; null while there is none. */
  @Nullable InstanceId spool();

  /** Sequence of the next record there. */
  long nextSequence();

  /** Whether it takes records; false for example while it is full. */
  boolean isReady();

  /**
   * Takes a record.
   *
   * @param level as the account counts levels
   * @return false if there is no room now: then it is not taken
   */
  boolean take(byte[] bytes, int offset, int length, int level);

  /** Writes what was taken; returns whether all of it is in files that outlive the process. */
  boolean flush();
}
