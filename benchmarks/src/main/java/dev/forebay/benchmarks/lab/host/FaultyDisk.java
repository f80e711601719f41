package dev.forebay.benchmarks.lab.host;

import dev.forebay.host.LoopDisk;
import dev.forebay.host.Slowness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk of its own for one run, with one way to get sick. */
record FaultyDisk(LoopDisk disk, Kind kind) implements LabDisk {

  /** How the disk gets sick. */
  enum Kind {
    /** It answers nothing. */
    FREEZES(512),
    /** It has no room. */
    FILLS(400),
    /** It is slow from the beginning, and gets no sicker. */
    SLOW(1024),
    /** As the one before, and so slow that it cannot follow. */
    SATURATED(1024);

    private final long megabytes;

    Kind(long megabytes) {
      this.megabytes = megabytes;
    }

    private Slowness slowness() {
      return switch (this) {
        case FREEZES, FILLS -> Slowness.NONE;
        case SLOW -> Slowness.SMALL_VOLUME;
        case SATURATED -> Slowness.SATURATED;
      };
    }
  }

  /** Creates and mounts it below a directory. Leaves nothing there where that is refused. */
  static FaultyDisk create(Kind kind, Path directory) throws IOException {
    LoopDisk disk = LoopDisk.create(directory, kind.megabytes, kind.slowness());
    FaultyDisk faulty = new FaultyDisk(disk, kind);
    try {
      Files.createDirectory(faulty.directory());
      return faulty;
    } catch (IOException e) {
      disk.close();
      throw e;
    }
  }

  /** Not the root of the disk: what else is there, ballast for one, is no log. */
  @Override
  public Path directory() {
    return disk.root().resolve("logs");
  }

  @Override
  public void beginFault() throws IOException {
    switch (kind) {
      case FREEZES -> disk.freeze();
      case FILLS -> disk.fill();
      case SLOW, SATURATED -> throw new IOException("A slow disk gets no sicker");
    }
  }

  @Override
  public void endFault() throws IOException {
    disk.thaw();
    disk.empty();
  }

  @Override
  public void close() throws IOException {
    disk.close();
  }
}
