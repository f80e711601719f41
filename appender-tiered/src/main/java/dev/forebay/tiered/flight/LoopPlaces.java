package dev.forebay.tiered.flight;

import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where dead processes may have left loops. For the shipper's thread. */
public interface LoopPlaces {

  /** The directory of our log's spools; null while there is none. */
  @Nullable SpoolDirectory own();

  /** Our log. Only once there is that directory. */
  LogIdentity log();

  /** The directories of other logs. */
  default List<SpoolDirectory> others() throws IOException {
    return List.of();
  }
}
