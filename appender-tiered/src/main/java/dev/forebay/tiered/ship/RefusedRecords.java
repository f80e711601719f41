package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Keeps the lines that a destination refuses, in a file beside the spool. For the shipper's thread.
 */
public final class RefusedRecords {

  /** Of all such files of a log: they are in memory. */
  private static final long MAX_BYTES = 16L << 20;

  private final String destination;
  private final ShippingListener listener;

  /** File and number of the last one: if the commit fails that follows each, it comes again. */
  private String last = "";

  /** With the destination's name for messages. */
  public RefusedRecords(String destination, ShippingListener listener) {
    this.destination = destination;
    this.listener = listener;
  }

  /**
   * Keeps a refused record and reports it, or reports why it cannot be kept.
   *
   * @param why what the destination says, in parentheses after a space; empty if it is not known
   */
  public void add(Records records, long sequence, byte[] line, String why) {
    Path file = SpoolNames.refused(records.directory().path(), records.instance());
    String added = file + " " + sequence;
    if (added.equals(last)) {
      return;
    }
    last = added;
    String fault = "it is in " + file + " for 7 days";
    try {
      Disk disk = records.directory().disk();
      FileInfo there = disk.stat(file);
      long end = there == null ? 0 : there.sizeBytes();
      if (SpoolBudgets.refusedBytes(disk, records.directory().path()) + line.length > MAX_BYTES) {
        fault = "there are %d bytes of such events, so it is gone".formatted(MAX_BYTES);
      } else {
        Disk.Mode mode = there == null ? Disk.Mode.CREATE_PRIVATE : Disk.Mode.UPDATE;
        try (DiskFile opened = disk.open(file, mode)) {
          opened.writeFully(ByteBuffer.wrap(line), end);
        }
      }
    } catch (IOException e) {
      fault = "it cannot be kept: " + e;
    }
    listener.warn(
        "The %s refuses an event of %d bytes%s, number %d of its spool; %s"
            .formatted(destination, line.length, why, sequence, fault));
  }
}
