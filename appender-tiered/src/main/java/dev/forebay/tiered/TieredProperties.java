package dev.forebay.tiered;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.PipelineProperties;
import dev.forebay.observe.LedgerSnapshot;

/**
 * The XML properties of spool and shipper, the same for log events and access events; as {@link
 * PipelineProperties}.
 */
public interface TieredProperties extends PipelineProperties {

  /** Where the setters store. Not a property itself. */
  TieredOptions tieredOptions();

  /**
   * {@code System.out} or {@code System.err}: lines go there, as with Logback's {@code
   * ConsoleAppender}, and to no file. Default: {@code System.out} if neither {@code file} nor
   * {@code rollingPolicy} is set. A stream cannot be read back: after a kill, one write of 4 KB, or
   * one longer event, may stand there twice.
   */
  default void setTarget(String target) {
    tieredOptions().target = target;
  }

  /**
   * What becomes of lines that earlier runs left for a {@code target}: {@code ship} writes them
   * first, between two lines that say so; {@code keep} leaves them in their spools, with one WARN.
   * Default: keep where a terminal controls the program and {@code target} is that or a pipe.
   */
  default void setLeft(String left) {
    tieredOptions().left = left;
  }

  /**
   * What takes events instead of files, {@code dev.forebay.kafka.KafkaDestination} for instance;
   * its transactions are committed as {@code fsync} says, by default each {@code 100 ms}.
   */
  default void setDestination(DestinationOptions destination) {
    tieredOptions().destination = destination;
  }

  /**
   * {@code inside}: a thread of this process writes the log (default); {@code apart}: the process
   * {@code forebay ship} does, and this one opens nothing on the log's disk.
   */
  default void setShipping(String who) {
    tieredOptions().shipping = who;
  }

  /**
   * With {@code apart}, how long events wait while nobody ships before this process does, until
   * another one comes: a time up to 1 hour, or {@code never}. Default: 10 seconds.
   */
  default void setShippingFallback(String time) {
    tieredOptions().shippingFallback = time;
  }

  /** Accepted for configurations of {@code ConsoleAppender}. */
  default void setWithJansi(boolean jansi) {
    pipelineOptions().setWithoutMeaning("withJansi", "lines are written as the encoder made them");
  }

  /**
   * An existing directory for the spool, best on tmpfs; default {@code /dev/shm}, on systems other
   * than Linux that for temporary files. The spool has a subdirectory of mode 0700. While it cannot
   * be used or accepts no more data, the spool is in the heap, with one WARN; a kill then takes it.
   */
  default void setSpoolDirectory(String directory) {
    tieredOptions().spoolDirectory = directory;
  }

  /**
   * Cap of the spool: one segment to 1 TB. Default: two segments or the rest of a budget that all
   * appenders share, also with spools of dead processes, at most 256 MB.
   */
  default void setSpoolSize(FileSize size) {
    tieredOptions().spoolSize = size;
  }

  /** Size of one spool file, which limits the size of an event; 64 KB to 1 GB, default 4 MB. */
  default void setSegmentSize(FileSize size) {
    tieredOptions().segmentBytes = size.getSize();
  }

  /**
   * When the log is forced to the disk: {@code never}, {@code always} (after every batch) or an
   * interval from 1 millisecond to 1 hour; default {@code 1 second}. It is forced earlier after 8
   * MB, for a full spool, and in {@code flush} and {@code stop}.
   */
  default void setFsync(String policy) {
    tieredOptions().fsync = policy;
  }

  /**
   * Which log calls return only when their event is in the spool, where a kill of the process
   * leaves it: {@code ring} (default: none), {@code call} (all), a level such as {@code ERROR}
   * (from there up) or {@code marker:AUDIT} (those with that marker).
   */
  default void setDurability(String scope) {
    tieredOptions().durability = scope;
  }

  /**
   * How long such a call waits at most for other threads; 1 millisecond to 1 minute, default 100
   * ms. A call that returns without is counted: {@link LedgerSnapshot#unconfirmed}.
   */
  default void setDurabilityTimeout(String time) {
    tieredOptions().durabilityTimeout = time;
  }

  /**
   * Permissions of the log and its archives, as {@code ls} shows them, such as {@code rw-r-----};
   * default: as the process's umask says. Existing files get them when they are opened. Without
   * meaning, with one WARN, where files have none.
   */
  default void setFilePermissions(String permissions) {
    tieredOptions().filePermissions = permissions;
  }

  /** An existing directory on another disk, for records that the full spool cannot take. */
  default void setOverflowDirectory(String directory) {
    tieredOptions().overflowDirectory = directory;
  }

  /** Cap of what is there for this log: one segment to 1 TB; default 1 GB. */
  default void setOverflowSize(FileSize size) {
    tieredOptions().overflowSize = size;
  }

  /** Whether JMX, and the tool through a socket beside the spool, may steer it. Default: true. */
  default void setControl(boolean control) {
    tieredOptions().control = control;
  }
}
