package dev.forebay.tiered.file;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.status.Status;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Log files as keys and values, from which another process makes the same {@link LogSettings}. Only
 * Logback's own policies can be described. Nothing here accesses a file.
 */
public final class DescribedFiles {

  public static final String KIND = "file";

  /** What ends a message about something that cannot be described. */
  static final String INSIDE = "write <shipping>inside</shipping>";

  private DescribedFiles() {}

  /**
   * Describes files whose policies are started.
   *
   * @param faults gets the text of an ERROR for each thing that cannot be described
   * @return null if there were any
   */
  public static @Nullable Map<String, String> of(LogSettings settings, Consumer<String> faults) {
    Map<String, String> all = new LinkedHashMap<>();
    try {
      if (settings.file() != null) {
        all.put("file", Path.of(settings.file()).toAbsolutePath().toString());
      }
      all.put("append", String.valueOf(settings.append()));
      if (settings.permissions() != null) {
        all.put("permissions", PosixFilePermissions.toString(settings.permissions()));
      }
      if (settings.rollingPolicy() != null && settings.triggeringPolicy() != null) {
        String directory = Path.of("").toAbsolutePath().toString();
        DescribedPolicies.put(
            settings.rollingPolicy(), settings.triggeringPolicy(), directory, all);
      }
    } catch (IllegalArgumentException e) { // also of an invalid path
      faults.accept(e.getMessage());
      return null;
    }
    all.put("header", hex(settings.header()));
    all.put("footer", hex(settings.footer()));
    all.put("lineEnd", hex(settings.lineEnd()));
    return all;
  }

  private static String hex(ByteBuffer bytes) {
    byte[] all = new byte[bytes.remaining()];
    bytes.duplicate().get(all);
    return Described.hex(all);
  }

  /** The files that another process has described, with policies that are not started. */
  public static LogSettings settings(Described from, Disk disk, Voice voice, ShippingListener watch)
      throws IOException {
    ContextBase context = new ContextBase();
    context
        .getStatusManager()
        .add(
            status -> { // nobody else here sees what Logback's policies report
              if (status.getEffectiveLevel() >= Status.ERROR) {
                voice.warn("Logback reports: " + status.getMessage());
              }
            });
    return settings(from, disk, voice, watch, context);
  }

  /** With a context that runs what the policies do in the background. */
  static LogSettings settings(
      Described from, Disk disk, Voice voice, ShippingListener watch, Context context)
      throws IOException {
    String file = from.textOrNull("file");
    FileAppender<Object> parent = new FileAppender<>();
    parent.setContext(context);
    if (file != null) {
      requireAbsolute(from, "file");
      parent.setFile(file);
    }
    boolean isRolled = from.textOrNull("policy") != null;
    if (!isRolled && file == null) {
      throw new IOException("the description of the log names no file");
    }
    RollingPolicy rolling = isRolled ? DescribedPolicies.rolling(from, parent, context) : null;
    return new LogSettings(
        disk,
        file,
        from.flag("append"),
        rolling,
        rolling == null ? null : DescribedPolicies.triggering(from, rolling, context),
        ByteBuffer.wrap(from.bytes("header")),
        ByteBuffer.wrap(from.bytes("footer")),
        ByteBuffer.wrap(from.bytes("lineEnd")),
        permissions(from),
        voice,
        watch);
  }

  static void requireAbsolute(Described from, String key) throws IOException {
    if (!from.path(key).isAbsolute()) {
      throw new IOException(
          "the description of the log has a path that is not absolute: " + from.text(key));
    }
  }

  private static @Nullable Set<PosixFilePermission> permissions(Described from) throws IOException {
    String text = from.textOrNull("permissions");
    try {
      return text == null ? null : PosixFilePermissions.fromString(text);
    } catch (IllegalArgumentException e) {
      throw Described.unknown("permissions", e);
    }
  }
}
