package dev.forebay.tiered.file;

import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.ShippingListener;
import java.nio.ByteBuffer;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user's configuration of the log file, already checked.
 *
 * @param file the {@code <file>} element; may be null if a rolling policy names the file
 * @param append whether an existing file is kept; rolling keeps it in any case
 * @param rollingPolicy Logback's, with parent and context set; null for a file never rolled
 * @param triggeringPolicy often the same object; null exactly when there is no rolling policy
 * @param header bytes every section of the log starts with, often none; only duplicates are read
 * @param lineEnd what the encoder is known to end each event with; empty if unknown: then a file's
 *     end stays as a power cut or another process left it
 * @param permissions of the log; null: as the process's umask says
 * @param voice for the user, from the shipper's or the archivist's thread
 * @param watch receives whether the file could be opened
 */
public record LogSettings(
    Disk disk,
    @Nullable String file,
    boolean append,
    @Nullable RollingPolicy rollingPolicy,
    @Nullable TriggeringPolicy<?> triggeringPolicy,
    ByteBuffer header,
    ByteBuffer footer,
    ByteBuffer lineEnd,
    @Nullable Set<PosixFilePermission> permissions,
    Voice voice,
    ShippingListener watch) {

  /** A file that is kept and never rolled, without header or footer. */
  public static LogSettings plain(
      Disk disk,
      String file,
      @Nullable Set<PosixFilePermission> permissions,
      ByteBuffer lineEnd,
      Voice voice) {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    return new LogSettings(
        disk,
        file,
        true,
        null,
        null,
        nothing,
        nothing,
        lineEnd,
        permissions,
        voice,
        new ShippingListener() {});
  }
}
