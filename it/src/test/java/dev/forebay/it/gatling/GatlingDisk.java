package dev.forebay.it.gatling;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.LoopDisk;
import dev.forebay.host.Slowness;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Places;
import java.io.IOException;

/** The disk of the log: no faster than a small volume, since a neighbour disturbs no fast one. */
final class GatlingDisk {

  private static final long MEGABYTES = 2048;

  private GatlingDisk() {}

  /** Needs root and a loop device, and skips the test without. */
  static LoopDisk create(Places places) {
    Needs.root("mounting a disk");
    assumeTrue(LoopDisk.obstacle().isEmpty(), LoopDisk.obstacle());
    try {
      return LoopDisk.create(places.root(), MEGABYTES, Slowness.SMALL_VOLUME);
    } catch (IOException e) {
      return abort(Mounted.NO_LOOP_DEVICE + " (" + e.getMessage() + ")");
    }
  }

  /** How slow it is here, in words. */
  static String description() {
    return "ext4 on a loop device that " + Slowness.SMALL_VOLUME.description();
  }
}
