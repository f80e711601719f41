package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.SizeAndTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;

/** A log rolled by Logback's policies; the test does to it what the shipper does. */
public abstract class LogRig {
  static final String HEADER = "# head\n";
  static final String FOOTER = "# foot\n";
  static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  static final long DAY_MS = 24 * 3600 * 1000L;
  static final String CONTENT = String.join("", records(0, 50));
  static final String BY_SIZE = "app.%d{yyyy-MM-dd}.%i.log";

  @AutoClose("stop")
  final LoggerContext context;

  final List<String> warnings = new CopyOnWriteArrayList<>();

  final FaultyDisk disk = new FaultyDisk(new NioDisk());
  @TempDir Path dir;

  @Nullable Set<PosixFilePermission> permissions;

  public LogRig() {
    this(new LoggerContext());
  }

  public LogRig(LoggerContext context) {
    this.context = context;
  }

  Path path() {
    return dir.resolve("app.log");
  }

  String file() {
    return path().toString();
  }

  RollingLog plain() {
    return plain(path(), true);
  }

  RollingLog sections() {
    return of(settings(disk, file(), true, null, null, HEADER, FOOTER, true));
  }

  TimeBasedRollingPolicy<byte[]> sizeAndTime(String pattern, String maxFileSize) {
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent(file()), dir + "/" + pattern);
    limit(policy, maxFileSize, NOW_MS);
    policy.start();
    return policy;
  }

  RollingLog rolling(String pattern) {
    return rolling(sizeAndTime(pattern, "100"));
  }

  <P extends RollingPolicy & TriggeringPolicy<byte[]>> RollingLog rolling(P policy) {
    return rolling(file(), policy, policy, "", "");
  }

  RollingLog window(String pattern) {
    return rolling(file(), fixedWindow(parent(file()), dir + "/" + pattern), bySize("100"), "", "");
  }

  TimeBasedRollingPolicy<byte[]> daily(String ending) {
    TimeBasedRollingPolicy<byte[]> policy =
        unstarted(parent(file()), dir + "/app.%d{yyyy-MM-dd}.log" + ending);
    unlimited(policy, NOW_MS);
    policy.start();
    return policy;
  }

  static void toDay(TimeBasedRollingPolicy<?> policy, int day) {
    policy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + day * DAY_MS);
  }

  static void roll(RollingLog log) throws IOException {
    assertThat(log.isRollDue()).isTrue();
    log.roll();
  }

  static void fillAndRoll(RollingLog log, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      append(log, CONTENT);
      roll(log);
    }
  }

  String content(String name) throws IOException {
    return content(dir.resolve(name));
  }

  String content() throws IOException {
    return content("app.log");
  }

  List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** A file that keeps what belongs into an archive, as a crash leaves it. */
  Path leaveKept(String archive) throws IOException {
    Path file = Files.writeString(dir.resolve("left"), CONTENT);
    FileInfo info = Objects.requireNonNull(disk.stat(file));
    return Files.move(file, KeptFile.of(dir.resolve(archive), info.inode()).path());
  }

  /** A whole life in which nothing is logged. */
  static void startAndStop(RollingLog log) throws IOException {
    stop(started(log));
  }

  /** One file, no policies, no header. */
  RollingLog plain(Path file, boolean append) {
    return of(settings(disk, file.toString(), append, null, null, "", "", true));
  }

  /** One file of an encoder that ends events like this. */
  RollingLog of(ByteBuffer lineEnd) {
    return of(
        new LogSettings(
            disk,
            file(),
            true,
            null,
            null,
            utf8(""),
            utf8(""),
            lineEnd,
            permissions,
            warnings::add,
            new ShippingListener() {}));
  }

  /** One file of an encoder that may write anything. */
  RollingLog ofUnknownEncoder(Path file) {
    return of(settings(disk, file.toString(), true, null, null, "", "", false));
  }

  RollingLog rolling(
      @Nullable String file,
      RollingPolicy rolling,
      TriggeringPolicy<?> triggering,
      String header,
      String footer) {
    return of(settings(disk, file, true, rolling, triggering, header, footer, true));
  }

  private static RollingLog of(LogSettings settings) {
    return new RollingLog(settings, false);
  }

  LogSettings settings(
      Disk on,
      @Nullable String file,
      boolean append,
      @Nullable RollingPolicy rolling,
      @Nullable TriggeringPolicy<?> triggering,
      String header,
      String footer,
      boolean text) {
    return new LogSettings(
        on,
        file,
        append,
        rolling,
        triggering,
        utf8(header),
        utf8(footer),
        utf8(text ? "\n" : ""),
        permissions,
        warnings::add,
        new ShippingListener() {});
  }

  /** An appender that only tells its policies the name of the file. */
  FileAppender<byte[]> parent(String file) {
    FileAppender<byte[]> parent = new FileAppender<>();
    parent.setContext(context);
    parent.setFile(file);
    return parent;
  }

  static void unlimited(TimeBasedRollingPolicy<byte[]> policy, long nowMs) {
    policy.setTimeBasedFileNamingAndTriggeringPolicy(new DefaultNaming());
    policy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(nowMs);
  }

  /**
   * SizeAndTimeBasedRollingPolicy makes its naming when it starts, too late to set a time; this is
   * what it makes.
   */
  static void limit(TimeBasedRollingPolicy<byte[]> policy, String maxFileSize, long nowMs) {
    SizeAndTimeBasedFileNamingAndTriggeringPolicy<byte[]> naming =
        new SizeAndTimeBasedFileNamingAndTriggeringPolicy<>();
    naming.setMaxFileSize(FileSize.valueOf(maxFileSize));
    naming.setCurrentTime(nowMs);
    policy.setTimeBasedFileNamingAndTriggeringPolicy(naming);
  }

  TimeBasedRollingPolicy<byte[]> unstarted(FileAppender<byte[]> parent, String pattern) {
    TimeBasedRollingPolicy<byte[]> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setParent(parent);
    policy.setFileNamePattern(pattern);
    return policy;
  }

  FixedWindowRollingPolicy fixedWindow(FileAppender<byte[]> parent, String pattern) {
    FixedWindowRollingPolicy policy = new FixedWindowRollingPolicy();
    policy.setContext(context);
    policy.setParent(parent);
    policy.setFileNamePattern(pattern);
    policy.setMinIndex(1);
    policy.setMaxIndex(3);
    policy.start();
    return policy;
  }

  /** Looks at the size whenever it is asked. */
  SizeBasedTriggeringPolicy<byte[]> bySize(String maxFileSize) {
    SizeBasedTriggeringPolicy<byte[]> policy = new SizeBasedTriggeringPolicy<>();
    policy.setContext(context);
    policy.setMaxFileSize(FileSize.valueOf(maxFileSize));
    policy.setCheckIncrement(Duration.buildByMilliseconds(0));
    policy.start();
    return policy;
  }

  /** Logback's naming by time; the one it makes itself cannot be told the time before it starts. */
  private static final class DefaultNaming
      extends ch.qos.logback.core.rolling.DefaultTimeBasedFileNamingAndTriggeringPolicy<byte[]> {}

  /** Opens and begins, as at a start with nothing to recover. */
  static RollingLog started(RollingLog log) throws IOException {
    log.open();
    log.begin();
    log.archive();
    return log;
  }

  static boolean isOpen(RollingLog log) {
    try {
      return log.position() != null;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  static void stop(RollingLog log) throws IOException {
    log.archive();
    log.end();
    log.stop();
  }

  /** Appends whole records in batches, rolling where it is due. */
  static void ship(RollingLog log, List<String> records, int batchBytes) throws IOException {
    int next = 0;
    while (next < records.size()) {
      log.archive();
      if (log.isRollDue()) {
        log.roll();
      }
      long limit = Math.min(log.bytesUntilRoll(), batchBytes);
      StringBuilder batch = new StringBuilder();
      for (; next < records.size() && batch.toString().getBytes(UTF_8).length < limit; next++) {
        batch.append(records.get(next));
      }
      append(log, batch.toString());
      log.force();
    }
  }

  static void append(RollingLog log, String text) throws IOException {
    ByteBuffer bytes = utf8(text);
    while (bytes.hasRemaining()) {
      log.append(bytes);
    }
  }

  /** Waits for all compressions and deletions; policies wait for the last ones only. */
  void awaitArchiving() {
    awaitEnd(context.getExecutorService());
    awaitEnd(context.getAlternateExecutorService());
  }

  private static void awaitEnd(ExecutorService executor) {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("archiving takes longer than 30 s");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  /** Records of changing length, from a first number on. */
  static List<String> records(int first, int count) {
    List<String> records = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      records.add("record " + i + " " + "x".repeat(i * 7 % 60) + "\n");
    }
    return records;
  }

  static void compress(Path gz, String content) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gz))) {
      out.write(content.getBytes(UTF_8));
    }
  }

  /** Names below a directory with what is in the files, decompressed. */
  static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), content(file));
      }
    }
    return files;
  }

  static String content(Path file) throws IOException {
    if (!file.toString().endsWith(".gz")) {
      return Files.readString(file);
    }
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  static Position at(String fileKey, long offset) {
    return new Position(fileKey, offset);
  }
}
