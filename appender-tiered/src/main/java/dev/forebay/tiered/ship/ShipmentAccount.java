package dev.forebay.tiered.ship;

/** Where the shipper tells what became of records. Called on the shipper's thread. */
public interface ShipmentAccount {

  /** Records of this appender are in the log, and durable if the fsync policy forces. */
  void settled(long records);

  /** Records of this appender were in the spool and cannot be read any more. */
  void lost(long records);

  /** Records of an earlier process, or of an earlier start, are in the log. */
  void recovered(long records);

  /** Something the user should know, in one sentence. */
  void warn(String text);

  /** An attempt to use the log failed. */
  void failed(Exception cause);

  /** The log works. */
  void worked();
}
