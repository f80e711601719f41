package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.OtherForm;
import dev.forebay.tiered.spool.SegmentFeed;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The JVM's directories, as a process sees them that ships for others. */
public final class JvmLines implements OtherForm {

  public JvmLines() {}

  @Override
  public @Nullable SegmentFeed rescue(SpoolDirectory directory, SpoolLease lease) {
    return JvmReading.rescue(directory, lease);
  }

  @Override
  public OtherForm.Files live(SpoolDirectory directory, Path spool) {
    return new LiveLines(directory, spool);
  }
}
