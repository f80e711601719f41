package dev.forebay.tiered.file;

import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A watched log in real files: {@code app.log}, and {@code app.log.0}, {@code app.log.1} … behind
 * it. Sections are between the lines {@code <} and {@code >}.
 */
final class FileLog extends RollingLog {

  private final Path path;
  private final Policy policy;
  private final long rollBytes;

  private boolean unforced;

  /** False where the policy is never to force. */
  boolean forcesExpected = true;

  /** What others do to the log just before and just after they are looked for. */
  Runnable beforeLook = () -> {};

  Runnable afterLook = () -> {};

  Consumer<String> told;

  int forces;

  Consumer<Position> forced = position -> {};

  FileLog(Disk disk, Path directory, long rollBytes) {
    this(disk, directory.resolve("app.log"), new Policy(disk, directory, rollBytes));
  }

  private FileLog(Disk disk, Path path, Policy policy) {
    super(
        new LogSettings(
            disk,
            path.toString(),
            true,
            policy,
            policy,
            LogRig.utf8("<\n"),
            LogRig.utf8(">\n"),
            LogRig.utf8("\n"),
            null,
            text -> policy.log.told.accept(text),
            new ShippingListener() {}));
    this.path = path;
    this.policy = policy;
    this.rollBytes = policy.rollBytes;
    this.told = text -> {};
    policy.log = this;
  }

  private static final class Policy extends RollingPolicyBase implements TriggeringPolicy<Object> {
    private final Disk disk;
    private final Path path;
    private final long rollBytes;
    private boolean wanted;
    private FileLog log;

    Policy(Disk disk, Path directory, long rollBytes) {
      this.disk = disk;
      this.path = directory.resolve("app.log");
      this.rollBytes = rollBytes;
    }

    @Override
    public boolean isTriggeringEvent(File active, Object event) {
      return wanted || log.position().offset() >= rollBytes;
    }

    @Override
    public void rollover() {
      try {
        disk.move(path, path.resolveSibling("app.log." + log.archives().size()));
        wanted = false;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String getActiveFileName() {
      return path.toString();
    }
  }

  @Override
  boolean isUndisturbed() throws IOException {
    beforeLook.run();
    boolean undisturbed = super.isUndisturbed();
    afterLook.run();
    return undisturbed;
  }

  @Override
  boolean followAppends() throws IOException {
    boolean follows = super.followAppends();
    if (follows) {
      afterLook.run();
    }
    return follows;
  }

  @Override
  int append(ByteBuffer bytes) throws IOException {
    unforced = true;
    return super.append(bytes);
  }

  /**
   * What follows is not forced together with the records before it, which may be in another file.
   */
  private void requireForced() {
    if (unforced && forcesExpected) {
      throw new AssertionError("records not forced before a header or a roll");
    }
  }

  @Override
  void force() throws IOException {
    forces++;
    super.force();
    unforced = false;
    forced.accept(position());
  }

  @Override
  void truncate(Position to) throws IOException {
    super.truncate(to);
    unforced &= !position().fileKey().equals(to.fileKey());
  }

  @Override
  void begin() throws IOException {
    requireForced();
    super.begin();
  }

  /** Has the next record begin another file. */
  void wantRoll() {
    policy.wanted = true;
  }

  @Override
  long bytesUntilRoll() {
    return Math.max(1, rollBytes - position().offset());
  }

  @Override
  void roll() throws IOException {
    requireForced();
    super.roll();
  }

  private List<Path> archives() throws IOException {
    List<Path> found = new ArrayList<>();
    for (int i = 0; Files.exists(path.resolveSibling("app.log." + i)); i++) {
      found.add(path.resolveSibling("app.log." + i));
    }
    return found;
  }

  /** All lines of all files, oldest first. */
  List<String> lines() throws IOException {
    List<Path> all = new ArrayList<>(archives());
    all.add(path);
    List<String> lines = new ArrayList<>();
    for (Path one : all) {
      if (Files.exists(one)) {
        lines.addAll(Files.readAllLines(one));
      }
    }
    return lines;
  }

  List<String> records() {
    try {
      return lines().stream().filter(line -> !line.equals("<") && !line.equals(">")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int files() throws IOException {
    try (Stream<Path> entries = Files.list(path.resolveSibling(""))) {
      return (int) entries.filter(entry -> entry.toString().contains("app.log")).count();
    }
  }
}
