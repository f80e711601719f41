package dev.forebay.jvm;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.host.Garbage;
import dev.forebay.tiered.Joran;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Appenders for this JVM's log, with directories of their own, and what the JVM really wrote. */
final class JvmRig implements AutoCloseable {

  static final Duration LONG = Duration.ofSeconds(30);

  /** Of one thread of the JVM: those of several may have another order in each output. */
  static final String WHAT = "gc=info,safepoint=info,gc+heap=debug,gc+phases=debug";

  private static final String PAUSE = ".*Pause Full \\(System.gc\\(\\)\\) .*ms";

  /** The line before the first one of an output. */
  static final String BEGIN = "(?m)^\\[forebay\\] the JVM's log begins here: .*\n";

  static final String DECORATORS = "uptimenanos,level,tags";

  final LoggerContext context = new LoggerContext();
  final Path directory;
  final Path shm;
  private @Nullable UlTruth truth;

  /** A JVM's log is taken until its appender stops, also after a test has failed. */
  private final List<JvmLogAppender> appenders = new ArrayList<>();

  private JvmRig(Path directory, Path shm) {
    this.directory = directory;
    this.shm = shm;
  }

  static JvmRig create() {
    try {
      return new JvmRig(
          Files.createTempDirectory("jvm-"),
          Files.createTempDirectory(Path.of("/dev/shm"), "jvm-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JvmLogAppender appender() {
    JvmLogAppender appender = withoutSelection();
    appender.setWhat(WHAT);
    appender.setDecorators(DECORATORS);
    appender.setMemory(FileSize.valueOf("1 MB"));
    return appender;
  }

  JvmLogAppender withoutSelection() {
    JvmLogAppender appender = new JvmLogAppender();
    appenders.add(appender);
    appender.setContext(context);
    appender.setFile(log().toString());
    appender.setSpoolDirectory(shm.toString());
    appender.setFsync("10 ms");
    appender.setMaxFlushTime("1 minute");
    return appender;
  }

  JvmLogAppender started(JvmLogAppender appender) {
    appender.start();
    Await.until("the JVM writes, " + problems(), appender::isOpen);
    return appender;
  }

  Path log() {
    return directory.resolve("gc.log");
  }

  /** The JVM's lines in the log, as {@link UlTruth#text}. */
  String text() throws IOException {
    return wholeText().replaceAll(BEGIN, "");
  }

  String wholeText() throws IOException {
    return Files.exists(log())
        ? UlTruth.unpadded(Files.readString(log(), StandardCharsets.ISO_8859_1))
        : "";
  }

  UlTruth truth() {
    truth = UlTruth.open(shm.resolve("truth.log"), WHAT, DECORATORS);
    return truth;
  }

  /** The collections by {@link #collect} in the log. */
  long pauses() throws IOException {
    return pauses(text());
  }

  long pausesInAllFiles() throws IOException {
    long pauses = 0;
    for (Path file : FileTree.files(directory)) {
      pauses += pauses(Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    return pauses;
  }

  /** Those in some lines: what {@link #collect} asked for, unless another collection came first. */
  static long pauses(String lines) {
    return lines.lines().filter(line -> line.matches(PAUSE)).count();
  }

  static void collect(int times) {
    Garbage.collect(times);
  }

  List<String> problems() {
    return Joran.problems(context);
  }

  List<Path> jvmDirectories() throws IOException {
    try (Stream<Path> all = Files.walk(shm)) {
      return all.filter(path -> path.getFileName().toString().startsWith("lines-"))
          .filter(path -> !path.equals(shm))
          .toList();
    }
  }

  @Override
  public void close() throws IOException {
    context.stop();
    appenders.forEach(JvmLogAppender::stop);
    if (truth != null) {
      String unused = truth.end();
    }
    FileTree.delete(directory);
    FileTree.delete(shm);
  }
}
