package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.InstanceId;

/**
 * Says which of the JVM's lines are in a spool: record {@code sequence} of {@code spool} is, or
 * will be, the line at {@code offset} in {@code generation}. It may lag: later records are the
 * lines that follow. It never leads, except for a record of our own.
 *
 * @param spool the spool; {@link #NOWHERE} if the line is in none
 * @param afterOwn whether the record before is one of our own, announced here before it is written
 * @param gap what that record is to say, if it says where bytes are missing
 */
record JvmPosition(
    InstanceId spool, long sequence, long generation, long offset, boolean afterOwn, Gap gap) {

  /** No spool has this identity. */
  static final InstanceId NOWHERE = new InstanceId(0, 0);

  /** This line, and all that follow, are in no spool. */
  static JvmPosition outside(long generation, long offset) {
    return new JvmPosition(NOWHERE, 0, generation, offset, false, Gap.NONE);
  }
}
