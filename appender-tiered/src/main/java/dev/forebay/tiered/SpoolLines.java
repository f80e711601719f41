package dev.forebay.tiered;

import dev.forebay.tiered.jvm.LineTarget;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.JvmDirectory;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The spool in use, for the JVM's lines. For the flusher's thread. */
record SpoolLines(SpoolSink sink, SpoolPlace place) implements LineTarget {

  @Override
  public @Nullable JvmDirectory createDirectory() throws IOException {
    SpoolDirectory directory = place.directoryOnDisk();
    return directory == null ? null : directory.createJvmDirectory();
  }

  @Override
  public boolean isPlace(Path parent) {
    SpoolDirectory directory = place.directoryOnDisk();
    return directory != null && directory.path().equals(parent);
  }

  @Override
  public @Nullable InstanceId spool() {
    Spool used = place.directoryOnDisk() == null ? null : place.spool();
    return used == null ? null : used.instanceId();
  }

  @Override
  public long nextSequence() {
    Spool used = place.spool();
    return used == null ? 0 : used.writer().nextSequence();
  }

  @Override
  public boolean isReady() {
    return sink.isReady();
  }

  @Override
  public boolean take(byte[] bytes, int offset, int length, int level) {
    return spool() != null && sink.acceptLine(bytes, offset, length, level);
  }

  @Override
  public boolean flush() {
    sink.endOfBatch();
    return place.isSettled();
  }
}
