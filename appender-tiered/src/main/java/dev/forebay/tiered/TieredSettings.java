package dev.forebay.tiered;

import dev.forebay.pipeline.CallDurability;
import dev.forebay.tiered.flight.FlightSettings;
import dev.forebay.tiered.jvm.JvmSettings;
import dev.forebay.tiered.overflow.OverflowSettings;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Target;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The validated settings of one start, except the ring's.
 *
 * @param logName the active log file, for messages and as the identity of the log
 * @param target written to instead of files; null for files
 * @param keepsLeft whether what earlier runs left for a stream stays in its spools
 * @param spoolDirectory the wanted base directory of the spool
 * @param spoolBytes the configured cap; null for the default, which depends on the machine
 * @param callerEncoding which log calls encode
 * @param durability which log calls return only when their event is in the spool; null: none
 * @param control whether the appender can be steered through JMX and its socket
 * @param filePermissions of the log; null: as the process's umask says
 * @param flight the flight recorder's; null: there is none
 * @param jvm of a log of the JVM's lines; null for one of events
 * @param overflow where a full spool goes; null: nowhere
 */
record TieredSettings(
    Path logName,
    @Nullable Target target,
    boolean keepsLeft,
    Path spoolDirectory,
    @Nullable Long spoolBytes,
    int segmentBytes,
    FsyncPolicy fsync,
    CallerEncoding callerEncoding,
    @Nullable CallDurability durability,
    boolean control,
    @Nullable Set<PosixFilePermission> filePermissions,
    @Nullable FlightSettings flight,
    @Nullable JvmSettings jvm,
    @Nullable OverflowSettings overflow) {}
