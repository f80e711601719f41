package dev.forebay.it.demo.app;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A disk with a {@link StallGate} in front of everything that changes the directory of the logs; as
 * with a frozen file system, reading goes on. The spool lies elsewhere and is not held up.
 */
final class StallingDisk implements Disk {

  private final Disk real;
  private final Path stalled;
  private final StallGate gate;

  /**
   * @param real where everything goes in the end
   * @param stalled the directory of the logs
   * @param gate what holds up changes there
   */
  StallingDisk(Disk real, Path stalled, StallGate gate) {
    this.real = real;
    this.stalled = stalled.toAbsolutePath().normalize();
    this.gate = gate;
  }

  private boolean isStalled(Path path) {
    return path.toAbsolutePath().normalize().startsWith(stalled);
  }

  private void pass(Path path) {
    if (isStalled(path)) {
      gate.pass();
    }
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode != Mode.READ) {
      pass(file);
    }
    DiskFile open = real.open(file, mode);
    return isStalled(file) ? new StallingFile(open, gate) : open;
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    pass(directory);
    real.createDirectory(directory);
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    return real.list(directory);
  }

  @Override
  public @Nullable FileInfo stat(Path path) throws IOException {
    return real.stat(path);
  }

  @Override
  public boolean isRemoved(Path path) {
    return real.isRemoved(path);
  }

  @Override
  public boolean isInMemory(Path path) {
    return real.isInMemory(path);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    pass(from);
    real.move(from, to);
  }

  @Override
  public void link(Path name, Path existing) throws IOException {
    pass(name);
    real.link(name, existing);
  }

  @Override
  public void delete(Path path) throws IOException {
    pass(path);
    real.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    pass(directory);
    real.forceDirectory(directory);
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    return real.usableBytes(path);
  }

  @Override
  public Path realPath(Path path) throws IOException {
    return real.realPath(path);
  }

  @Override
  public int userId() {
    return real.userId();
  }

  private static final class StallingFile implements DiskFile {

    private final DiskFile real;
    private final StallGate gate;

    StallingFile(DiskFile real, StallGate gate) {
      this.real = real;
      this.gate = gate;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      gate.pass();
      return real.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return real.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      gate.pass();
      real.truncate(size);
    }

    @Override
    public void force() throws IOException {
      gate.pass();
      real.force();
    }

    @Override
    public boolean tryLock() throws IOException {
      return real.tryLock();
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
