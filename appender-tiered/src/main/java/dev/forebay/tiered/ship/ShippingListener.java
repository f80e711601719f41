package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;

/** Where the shipper tells what became of records. Called on the shipper's thread. */
public interface ShippingListener {

  /** Records of this appender are in the log, and durable if the fsync policy forces. */
  default void committed(long records) {}

  /** Records of this appender were in the spool and cannot be read any more. */
  default void lost(long records) {}

  /**
   * How far the records of this appender are decided: of the first {@code records} that it put into
   * its spools, in this order over all of them, each is committed or lost. Never told of records
   * that were appended and then neither forced, where the fsync policy forces, nor given up.
   */
  default void reached(long records) {}

  /** Records of an earlier process, or of an earlier start, are in the log. */
  void recovered(long records);

  /**
   * The records of a spool of an earlier process or start are in the log up to a sequence, but the
   * last {@code lost} of those that are new could not be read.
   */
  default void orphanShipped(InstanceId spool, long upTo, long lost) {}

  /**
   * A spool is kept for the next start.
   *
   * @param committed its records below this sequence are in the log or lost
   * @param limit records of a spool of this start; negative for one of an earlier start
   */
  default void left(InstanceId spool, long committed, long limit) {}

  /** Something the user should know, in one sentence. */
  void warn(String text);

  /** An attempt to read a spool failed, which says nothing about the log. */
  void unreadable(Exception cause);

  /** An attempt to use the log failed. */
  void failed(Exception cause);

  /** The log works. */
  void worked();
}
