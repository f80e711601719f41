package dev.forebay.tiered.file;

import dev.forebay.tiered.spool.InstanceId;

/** A place in a spool, after so many records. */
record SpoolPosition(InstanceId instance, long sequence) {

  /** In no spool. */
  static final SpoolPosition NONE = new SpoolPosition(new InstanceId(0, 0), 0);

  boolean isIn(InstanceId spool) {
    return instance.equals(spool);
  }
}
