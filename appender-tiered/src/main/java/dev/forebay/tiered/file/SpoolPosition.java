package dev.forebay.tiered.file;

import dev.forebay.tiered.spool.InstanceId;

/**
 * A place in a spool.
 *
 * @param instance the spool
 * @param sequence records before it
 */
record SpoolPosition(InstanceId instance, long sequence) {

  /** In no spool. */
  static final SpoolPosition NONE = new SpoolPosition(new InstanceId(0, 0), 0);

  boolean isIn(InstanceId spool) {
    return instance.equals(spool);
  }
}
