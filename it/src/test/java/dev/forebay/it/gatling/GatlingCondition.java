package dev.forebay.it.gatling;

import dev.forebay.host.LoopDisk;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.util.Locale;

/** What the disk of the log does in the window. */
enum GatlingCondition {
  /** It answers. */
  HEALTHY {
    @Override
    Sickness begin(LoopDisk disk, Places places) {
      return () -> {};
    }
  },

  /** Whoever writes to it hangs. */
  FROZEN {
    @Override
    Sickness begin(LoopDisk disk, Places places) throws IOException {
      disk.freeze();
      return disk::thaw;
    }
  },

  /** Others write to it more than it can take. */
  NEIGHBOUR {
    @Override
    Sickness begin(LoopDisk disk, Places places) throws IOException {
      return GatlingNeighbour.start(places, disk.root())::end;
    }
  };

  /** What is to be ended. */
  interface Sickness {
    void end() throws IOException, InterruptedException;
  }

  /** Lets it begin. */
  abstract Sickness begin(LoopDisk disk, Places places) throws IOException, InterruptedException;

  /** As it is called on the command line and in tables. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
