package dev.forebay.tiered;

import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.TimeText;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.CallDurability;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.overflow.OverflowSettings;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Target;
import dev.forebay.tiered.stream.StandardStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of spool and shipper as configured, until {@link #validate}.
 *
 * @hidden
 */
public final class TieredOptions {

  static final long DEFAULT_SEGMENT_BYTES = 4L << 20;
  static final long MIN_SEGMENT_BYTES = 64L << 10;
  static final long MAX_SEGMENT_BYTES = 1L << 30;
  static final long MAX_SPOOL_BYTES = 1L << 40;
  static final long DEFAULT_OVERFLOW_BYTES = 1L << 30;
  static final long DEFAULT_FSYNC_MS = 1000;

  /** Readers of a topic see an event after this time. */
  static final long DEFAULT_COMMIT_MS = 100;

  static final long MIN_FSYNC_MS = 1;
  static final long MAX_FSYNC_MS = 3_600_000;

  static final long DEFAULT_DURABILITY_MS = 100;
  static final long MAX_DURABILITY_MS = 60_000;
  private static final String INSIDE = "inside";
  private static final String KEEP = "keep";
  private static final String RING = "ring";
  private static final String CALL = "call";

  private static final String PERMISSIONS = "rw-(?:[r-][w-]-){2}";

  private static final long NS_PER_MS = 1_000_000;

  @Nullable String target;
  @Nullable String left;
  @Nullable DestinationOptions destination;
  String shipping = INSIDE;
  @Nullable String shippingFallback;
  String spoolDirectory = NioDisk.current().spoolPlace();
  @Nullable FileSize spoolSize;
  long segmentBytes = DEFAULT_SEGMENT_BYTES;
  @Nullable String fsync;
  @Nullable String callerEncoding;
  String durability = RING;
  @Nullable String durabilityTimeout;
  boolean control = true;
  @Nullable String filePermissions;
  @Nullable FlightRecorderOptions flightRecorder;
  @Nullable JvmOptions jvm;
  @Nullable String overflowDirectory;
  @Nullable FileSize overflowSize;

  TieredOptions() {}

  /** The target that is not a file; null for files, which then have a name. */
  @Nullable Target target(boolean namesFiles) {
    if (destination != null) {
      return destination;
    }
    if (target == null) { // as in ConsoleAppender
      return namesFiles || jvm != null ? null : StandardStream.OUT;
    }
    return StandardStream.of(target.trim());
  }

  /** Whether another process ships. */
  boolean isApart(ConfigFindings findings) {
    String who = shipping.trim();
    boolean isApart = who.equalsIgnoreCase("apart");
    if (!isApart && !who.equalsIgnoreCase(INSIDE)) {
      findings.error("<shipping> is \"%s\": must be inside or apart".formatted(shipping));
    } else if (!isApart && shippingFallback != null) {
      findings.warn("<shippingFallback> has no meaning here: <shipping> is inside");
    }
    return isApart;
  }

  /**
   * Checks the options and returns the resulting settings.
   *
   * @param logName the log; a relative one is the name of what is no file
   * @param foreign parts of the encoder that may read more than the event
   */
  TieredSettings validate(
      Path logName, @Nullable Encoder<?> encoder, List<String> foreign, ConfigFindings findings) {
    Target to = target(logName.isAbsolute());
    boolean isStream = to instanceof StandardStream;
    FsyncPolicy forced = fsyncPolicy(findings);
    if (destination != null) {
      destination.validate(forced.intervalNs() / NS_PER_MS, findings);
      if (jvm != null) { // its lines have no events, and so no attributes
        findings.error("<destination> has no meaning here: remove it, the JVM's lines go to files");
      }
    }
    if (target != null && StandardStream.of(target.trim()) == null) {
      findings.error("<target> is \"%s\": must be System.out or System.err".formatted(target));
    }
    if (fsync != null && isStream) {
      findings.warn("<fsync> has no meaning with a <target>: each write is final");
    }
    findings.requireRange(
        "segmentSize", segmentBytes, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES, " bytes");
    FileSize size = spoolSize;
    Long spoolBytes = size == null ? null : size.getSize();
    if (spoolBytes != null && spoolBytes >= 0 && spoolBytes < segmentBytes) {
      findings.error(
          "<spoolSize> is %d bytes: must hold at least one segment, and <segmentSize> is %d bytes"
              .formatted(spoolBytes, segmentBytes));
    } else if (spoolBytes != null) {
      findings.requireRange("spoolSize", spoolBytes, 1, MAX_SPOOL_BYTES, " bytes");
    }
    CallDurability durable = durability(findings);
    CallerEncoding callers =
        encoder == null || jvm != null
            ? CallerEncoding.NEVER
            : CallerEncoding.of(encoder, foreign, callerEncoding, durable != null, findings);
    return new TieredSettings(
        logName,
        to,
        keepsLeft(to, findings),
        Objects.requireNonNullElse(path("spoolDirectory", spoolDirectory, findings), logName),
        spoolBytes,
        (int) Math.max(1, Math.min(MAX_SEGMENT_BYTES, segmentBytes)),
        isStream ? FsyncPolicy.ALWAYS : forced,
        callers,
        durable,
        control,
        filePermissions(findings),
        flightRecorder == null ? null : flightRecorder.validate(segmentBytes, findings),
        jvm == null ? null : jvm.validate(findings),
        overflow(findings));
  }

  private boolean keepsLeft(@Nullable Target to, ConfigFindings findings) {
    if (left == null) {
      return to instanceof StandardStream stream && stream.isInteractive();
    }
    if (!(to instanceof StandardStream)) {
      findings.warn("<left> has no meaning without a <target>: a log gets what was left for it");
    } else if (!left.equalsIgnoreCase(KEEP) && !left.equalsIgnoreCase("ship")) {
      findings.error("<left> is \"%s\": must be ship or keep".formatted(left));
    }
    return left.equalsIgnoreCase(KEEP);
  }

  private @Nullable CallDurability durability(ConfigFindings findings) {
    String value = durability.trim();
    long ms = findings.timeMs("durabilityTimeout", durabilityTimeout, DEFAULT_DURABILITY_MS);
    findings.requireRange("durabilityTimeout", ms, 1, MAX_DURABILITY_MS, " ms");
    if (value.equalsIgnoreCase(RING)) {
      return null;
    }
    String marker = CallDurability.markerOf(value);
    int ofName = value.equalsIgnoreCase(CALL) ? 0 : Levels.indexOf(value);
    int level = marker == null ? ofName : Levels.COUNT;
    if (level < 0) {
      findings.error(
          "<durability> is \"%s\": must be ring, call, a level (TRACE, DEBUG, INFO, WARN or ERROR) or marker:NAME"
              .formatted(durability));
      return null;
    }
    return new CallDurability(level, marker, ms * NS_PER_MS);
  }

  private @Nullable Set<PosixFilePermission> filePermissions(ConfigFindings findings) {
    String wanted = filePermissions == null ? null : filePermissions.trim();
    if (wanted == null || wanted.matches(PERMISSIONS)) {
      return wanted == null ? null : PosixFilePermissions.fromString(wanted);
    }
    findings.error(
        "<filePermissions> is \"%s\": must be nine characters as ls shows them, which let the owner read and write and nobody execute, such as rw-r-----"
            .formatted(filePermissions));
    return null;
  }

  /** A non-ASCII name is not a valid path if the JVM was started with {@code LC_ALL=C}. */
  static @Nullable Path path(String element, @Nullable String value, ConfigFindings findings) {
    try {
      return value == null ? null : Path.of(value).toAbsolutePath();
    } catch (InvalidPathException e) {
      findings.error("<%s> is \"%s\": must be a path; %s".formatted(element, value, e.getReason()));
      return null;
    }
  }

  private @Nullable OverflowSettings overflow(ConfigFindings findings) {
    long bytes = overflowSize == null ? DEFAULT_OVERFLOW_BYTES : overflowSize.getSize();
    if (overflowSize != null) {
      findings.requireRange("overflowSize", bytes, segmentBytes, MAX_SPOOL_BYTES, " bytes");
    }
    if (overflowDirectory == null) {
      if (overflowSize != null) {
        findings.warn("<overflowSize> has no meaning here: there is no <overflowDirectory>");
      }
      return null;
    }
    Path directory = path("overflowDirectory", overflowDirectory, findings);
    if (directory != null && directory.toString().equals(spoolDirectory)) {
      findings.error(
          "<overflowDirectory> is \"%s\", which is the <spoolDirectory>: must be on another disk"
              .formatted(overflowDirectory));
    }
    return directory == null ? null : new OverflowSettings(directory, bytes);
  }

  private FsyncPolicy fsyncPolicy(ConfigFindings findings) {
    if (fsync == null) {
      return FsyncPolicy.every(
          (destination == null ? DEFAULT_FSYNC_MS : DEFAULT_COMMIT_MS) * NS_PER_MS);
    }
    String value = fsync.trim().toLowerCase(Locale.ROOT);
    if (value.equals("never") && destination != null) {
      findings.error(
          "<fsync> is \"%s\": must be always or an interval, after which a <destination> commits"
              .formatted(fsync));
    }
    if (value.equals("never")) {
      return FsyncPolicy.NEVER;
    }
    if (value.equals("always")) {
      return FsyncPolicy.ALWAYS;
    }
    OptionalLong ms = TimeText.toMs(value);
    if (ms.isEmpty()) {
      findings.error(
          "<fsync> is \"%s\": must be never, always or an interval such as \"1 second\", from 1 millisecond to 1 hour"
              .formatted(fsync));
      return FsyncPolicy.NEVER;
    }
    findings.requireRange("fsync", ms.getAsLong(), MIN_FSYNC_MS, MAX_FSYNC_MS, " ms");
    return FsyncPolicy.every(ms.getAsLong() * NS_PER_MS);
  }
}
