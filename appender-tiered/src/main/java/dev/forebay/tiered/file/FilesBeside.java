package dev.forebay.tiered.file;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.StrayShipper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The files in the directory of our own log: a log there whose name changes with each run, or that
 * was renamed, has no next start that would ship its spools. They are written as files that are
 * never rolled, without header or footer.
 *
 * @param permissions of a file that is missing; null: as the process's umask says
 * @param lineEnd of our encoder, which most likely wrote the lines
 */
public record FilesBeside(
    Disk disk,
    Path log,
    Supplier<LogIdentity> own,
    @Nullable Set<PosixFilePermission> permissions,
    ByteBuffer lineEnd,
    Voice voice,
    NanoClock clock)
    implements StrayShipper.Targets {

  @Override
  public boolean mayShip(LogNote note) throws IOException {
    LogIdentity ours = own.get();
    Path directory = ours.path().getParent();
    if (directory == null || !note.isBeside(ours)) {
      return false;
    }
    FileInfo info = disk.stat(directory.resolve(note.fileName()));
    return info == null || Trust.isOwnFile(info, disk.userId(), 1);
  }

  @Override
  public Destination of(LogNote note) throws IOException {
    Path file = log.resolveSibling(note.fileName());
    boolean isThere = disk.stat(file) != null;
    LogSettings settings =
        LogSettings.plain(disk, file.toString(), isThere ? null : permissions, lineEnd, voice);
    return new FileDestination(new RollingLog(settings), true, clock);
  }
}
