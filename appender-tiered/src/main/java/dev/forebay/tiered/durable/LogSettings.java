package dev.forebay.tiered.durable;

import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.tiered.disk.Disk;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the user configured of the log file. Whether it is usable is asked of {@link
 * LogConfiguration} before.
 *
 * @param disk where the bytes go
 * @param file the {@code <file>} element; may be null when a rolling policy names the file
 * @param append whether an existing file is kept; rolling keeps it in any case
 * @param rollingPolicy Logback's policy with its parent and context set, or null for one file that
 *     is never rolled
 * @param triggeringPolicy Logback's policy, often the same object; null exactly when there is no
 *     rolling policy
 * @param header bytes every section of the log starts with, often none
 * @param footer bytes every section of the log ends with, often none
 * @param text whether the encoder is known to write lines of text; where it is not, the end of a
 *     file that others or a power cut left is repaired only if the file looks like text
 * @param warnings takes what the user should know, on the shipper's thread
 * @param watch told what becomes of the file
 */
public record LogSettings(
    Disk disk,
    @Nullable String file,
    boolean append,
    @Nullable RollingPolicy rollingPolicy,
    @Nullable TriggeringPolicy<?> triggeringPolicy,
    ByteBuffer header,
    ByteBuffer footer,
    boolean text,
    Consumer<String> warnings,
    LogWatch watch) {

  /** Checks what the rest of the package relies on. */
  public LogSettings {
    if (file == null && rollingPolicy == null) {
      throw new IllegalArgumentException("neither a file nor a rolling policy that names one");
    }
    if ((rollingPolicy == null) != (triggeringPolicy == null)) {
      throw new IllegalArgumentException(
          "rolling policy " + rollingPolicy + " with triggering policy " + triggeringPolicy);
    }
    header = header.asReadOnlyBuffer();
    footer = footer.asReadOnlyBuffer();
  }

  /** A file that is kept and never rolled, without header and footer. */
  public static LogSettings plain(Disk disk, String file, Consumer<String> warnings) {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    return new LogSettings(
        disk, file, true, null, null, nothing, nothing, false, warnings, LogWatch.NOBODY);
  }

  /** The header, from the first byte, for one use. */
  @Override
  public ByteBuffer header() {
    return header.duplicate();
  }

  /** The footer, from the first byte, for one use. */
  @Override
  public ByteBuffer footer() {
    return footer.duplicate();
  }
}
