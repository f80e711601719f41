package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.host.FileTree;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A context with one appender that has a flight recorder, and its files. */
final class FlightRig implements AutoCloseable {

  static final Duration LONG = Duration.ofSeconds(30);

  final LoggerContext context = new LoggerContext();
  final Logger logger = context.getLogger("test");
  final Path directory;
  final Path shm;
  TieredAppender appender;

  private FlightRig(Path directory, Path shm) {
    this.directory = directory;
    this.shm = shm;
  }

  /** One with directories of its own. Throws unchecked, so that a test can have it in a field. */
  static FlightRig create() {
    try {
      return new FlightRig(
          Files.createTempDirectory("flight-"),
          Files.createTempDirectory(Path.of("/dev/shm"), "flight-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it: everything is accounted for, and nothing is left in memory. */
  @Override
  public void close() throws IOException {
    context.stop();
    if (appender != null) {
      LedgerSnapshot account = appender.snapshot();
      Joran.requireLaw(account);
      assertThat(account.held()).as("held after a stop").isZero();
      assertThat(account.inFlight()).isZero();
    }
    FileTree.delete(directory);
    try (Stream<Path> left = Files.list(shm)) {
      assertThat(left).isEmpty();
    }
    Files.delete(shm);
  }

  TieredAppender configure(String recorder) throws Exception {
    return configureWith("", recorder);
  }

  TieredAppender configureWith(String more, String recorder) throws Exception {
    return configureOn(NioDisk.current(), more, recorder);
  }

  /** With more elements of the appender, and these of the recorder. */
  TieredAppender configureOn(Disk disk, String more, String recorder) throws Exception {
    appender =
        Joran.tiered(
            context,
            disk,
            """
            <file>%s/app.log</file>
            <spoolDirectory>%s</spoolDirectory>
            <maxFlushTime>1 minute</maxFlushTime>
            <fsync>10 ms</fsync>
            <segmentSize>64 KB</segmentSize>
            %s
            <flightRecorder>%s</flightRecorder>
            """
                .formatted(directory, shm, more, recorder));
    return appender;
  }

  List<Path> dumps() {
    try {
      return DumpFiles.of(directory.resolve("app.log"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  List<Path> awaitDumps(int count) {
    Await.until(count + " dumps, and not " + dumps() + problems(), () -> dumps().size() >= count);
    assertThat(dumps()).hasSize(count);
    return dumps();
  }

  List<String> problems() {
    return Joran.problems(context);
  }

  List<String> log() throws IOException {
    return Files.readAllLines(directory.resolve("app.log"));
  }

  static List<String> texts(String text, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> text + i).toList();
  }

  void trace(int from, int to) {
    IntStream.range(from, to).forEach(i -> logger.trace("trace {}", i));
  }
}
