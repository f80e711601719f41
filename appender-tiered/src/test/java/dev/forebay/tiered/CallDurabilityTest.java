package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MarkerFactory;

/** What is in files when a log call of a {@code durability} returns. */
class CallDurabilityTest {

  private static final int CALLS = 2000;
  private static final String PATIENT = "<durabilityTimeout>1 minute</durabilityTimeout>";

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("test");
  private Path shm;

  @BeforeEach
  void makeSpoolDirectory() throws IOException {
    shm = Files.createTempDirectory(Path.of("/dev/shm"), "durability-");
  }

  @AfterEach
  void stop() throws IOException {
    context.stop();
    try (Stream<Path> left = Files.list(shm)) {
      assertThat(left).isEmpty();
    }
    Files.delete(shm);
  }

  private TieredAppender configure(String inner) throws Exception {
    return configure(shm, inner);
  }

  private TieredAppender configure(Path spool, String inner) throws Exception {
    return Joran.tiered(
        context,
        """
        <file>%s/app.log</file>
        <spoolDirectory>%s</spoolDirectory>
        <segmentSize>64KB</segmentSize>
        <maxFlushTime>1 minute</maxFlushTime>
        %s
        """
            .formatted(directory, spool, inner));
  }

  private boolean isInAFile(String text) throws IOException {
    return FileTree.contains(shm, text) || FileTree.contains(directory, text);
  }

  private List<String> problems() {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .toList();
  }

  private List<String> linesAfterStop() throws IOException {
    context.stop();
    return Files.readAllLines(directory.resolve("app.log"));
  }

  /** The record that ends a segment is in hand until the flusher has opened the next one. */
  @Test
  void aFlightRecorderLeavesNoCallUnconfirmed() throws Exception {
    TieredAppender appender =
        Joran.tiered(
            context,
            """
            <file>%s/app.log</file>
            <spoolDirectory>%s</spoolDirectory>
            <segmentSize>64KB</segmentSize>
            <maxFlushTime>1 minute</maxFlushTime>
            <durability>call</durability>
            <flightRecorder><size>1MB</size></flightRecorder>
            """
                    .formatted(directory, shm)
                + PATIENT);
    String large = "x".repeat(6000);
    for (int i = 0; i < 500; i++) {
      logger.info("event {}{}", i, large);
    }
    assertThat(appender.snapshot().unconfirmed()).isZero();
    context.stop();
    assertThat(appender.snapshot().delivered() - appender.snapshot().reports()).isEqualTo(500);
  }

  @Test
  void whatACallHasLoggedIsInAFile() throws Exception {
    TieredAppender appender = configure("<durability>call</durability>" + PATIENT);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) { // through several segments
      String text = "event " + i + "." + "x".repeat(i % 300);
      logger.info(text);
      expected.add(text);
      if (i % 100 == 0 || i > CALLS - 10) {
        assertThat(isInAFile(text + "\n")).as(text).isTrue();
      }
    }
    assertThat(appender.snapshot().unconfirmed()).isZero();
    assertThat(linesAfterStop()).isEqualTo(expected);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aRecordLargerThanTheSegmentsRestIsToo() throws Exception {
    TieredAppender appender = configure("<durability>call</durability>" + PATIENT);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      String text = "event " + i + "." + "x".repeat(20_000);
      logger.info(text);
      expected.add(text);
      assertThat(isInAFile(text + "\n")).isTrue();
    }
    assertThat(appender.snapshot().unconfirmed()).isZero();
    assertThat(linesAfterStop()).isEqualTo(expected);
  }

  @Test
  void onlyTheLevelAskedForIsWaitedFor() throws Exception {
    TieredAppender appender = configure("<durability>error</durability>" + PATIENT);
    logger.info("before");
    logger.error("event");
    assertThat(isInAFile("before\n")).isTrue();
    assertThat(isInAFile("event\n")).isTrue();
    assertThat(appender.snapshot().unconfirmed()).isZero();
    assertThat(linesAfterStop()).containsExactly("before", "event");
  }

  @Test
  void onlyTheMarkerAskedForIsWaitedFor() throws Exception {
    configure("<durability>marker:AUDIT</durability>" + PATIENT);
    logger.info("before");
    logger.info(MarkerFactory.getMarker("AUDIT"), "event");
    assertThat(isInAFile("event\n")).isTrue();
    assertThat(linesAfterStop()).containsExactly("before", "event");
  }

  @Test
  void callsWaitForTheFlusherIfTheyMustNotEncode() throws Exception {
    TieredAppender appender =
        configure("<durability>call</durability><callerEncoding>false</callerEncoding>" + PATIENT);
    for (int i = 0; i < 50; i++) {
      logger.info("event {}.", i);
      assertThat(isInAFile("event " + i + ".\n")).isTrue();
    }
    assertThat(appender.snapshot().unconfirmed()).isZero();
    assertThat(linesAfterStop()).hasSize(50);
  }

  /** Of a class that is not known to bear several threads. */
  public static final class OwnEncoder extends PatternLayoutEncoder {}

  @Test
  void anEncoderThatIsNotKnownIsNamedSinceCallsWaitForTheFlusherThen() throws Exception {
    String own =
        "<encoder class='%s'><pattern>%%msg%%n</pattern></encoder>"
            .formatted(OwnEncoder.class.getName());
    configure("<durability>call</durability>" + own);
    assertThat(problems())
        .hasSize(1)
        .first()
        .asString()
        .contains(OwnEncoder.class.getName(), "<callerEncoding>true</callerEncoding>");
  }

  /** A log call never waits for a disk, so it makes no room in a spool on one. */
  @Test
  void aCallThatIsNotDurableWritesToNoSpoolOnADisk() throws Exception {
    Disk before = NioDisk.current();
    Set<Thread> writers = ConcurrentHashMap.newKeySet();
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    Path onDisk = Files.createTempDirectory(target, "no-turns-");
    BiFunction<String, Object, Object> noteWriter =
        (method, result) -> {
          if (method.equals("write")) {
            writers.add(Thread.currentThread());
          }
          return result;
        };
    NioDisk.replaceWith(
        recording(
            Disk.class,
            before,
            (method, result) ->
                result instanceof DiskFile file
                    ? recording(DiskFile.class, file, noteWriter)
                    : result));
    try {
      configure(onDisk, "<ringBufferSize>16</ringBufferSize>");
      for (int i = 0; i < CALLS; i++) {
        logger.warn("event {}.", i);
      }
      context.stop();
      assertThat(writers).isNotEmpty().doesNotContain(Thread.currentThread());
    } finally {
      NioDisk.replaceWith(before);
      FileTree.delete(onDisk);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T recording(
      Class<T> type, T real, BiFunction<String, Object, Object> onResult) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return onResult.apply(method.getName(), method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /**
   * Opening the next segment, looking after the spool and the like may wait; a write may not. It
   * goes to a file that no interrupt closes.
   */
  @Test
  void aCallDoesNothingInTheFileSystemButWrite() throws Exception {
    Disk before = NioDisk.current();
    Thread caller = Thread.currentThread();
    List<String> byCaller = new CopyOnWriteArrayList<>();
    Set<Object> writes = ConcurrentHashMap.newKeySet();
    Disk watched =
        (Disk)
            Proxy.newProxyInstance(
                Disk.class.getClassLoader(),
                new Class<?>[] {Disk.class},
                (proxy, method, arguments) -> {
                  if (Thread.currentThread() == caller) {
                    byCaller.add(method.getName());
                  }
                  if (method.getName().equals("open") && arguments[0].toString().endsWith(".seg")) {
                    writes.add(arguments[1]);
                  }
                  try {
                    return method.invoke(before, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    NioDisk.replaceWith(watched);
    try {
      configure("<durability>call</durability>" + PATIENT);
      byCaller.clear();
      for (int i = 0; i < 500; i++) { // more than the rest of many segments
        logger.info("x".repeat(3000));
      }
      assertThat(byCaller).isEmpty();
      assertThat(writes)
          .contains(Disk.Mode.UPDATE_BY_CALLS)
          .isSubsetOf(Disk.Mode.UPDATE_BY_CALLS, Disk.Mode.READ);
    } finally {
      NioDisk.replaceWith(before);
    }
  }

  /** An interrupt at any moment of a call would close a channel, and the segment with it. */
  @Test
  void interruptsOfCallersDisturbNothing() throws Exception {
    TieredAppender appender = configure("<durability>call</durability>" + PATIENT);
    AtomicBoolean done = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                logger.info("event {}.", i);
              }
              done.set(true);
            });
    caller.start();
    while (!done.get()) {
      caller.interrupt();
      Thread.onSpinWait();
    }
    Await.end(caller);
    assertThat(appender.snapshot().unconfirmed()).isZero();
    assertThat(linesAfterStop())
        .isEqualTo(IntStream.range(0, 20_000).mapToObj(i -> "event " + i + ".").toList());
    assertThat(problems()).isEmpty();
  }

  @Test
  void aSpoolInTheHeapConfirmsNothing() throws Exception {
    Path missing = directory.resolve("missing");
    TieredAppender appender = configure(missing, "<durability>call</durability>" + PATIENT);
    logger.info("event");
    assertThat(appender.snapshot().unconfirmed()).isOne();
    assertThat(appender.snapshot().toString()).endsWith("; unconfirmed 1");
    ObjectName bean = Beans.await("tiered", "FILE");
    assertThat(Beans.account(bean)).containsEntry("unconfirmed", 1L);
    assertThat(linesAfterStop()).containsExactly("event");
    assertThat(problems())
        .anyMatch(text -> text.contains("in up to"))
        .anyMatch(text -> text.contains("before their events are in the spool, 1 so far"));
  }

  @Test
  void aSpoolOnADiskIsWarnedOf() throws Exception {
    Path onDisk =
        Files.createDirectory(Path.of("target", "durability-on-disk-" + System.nanoTime()));
    configure(onDisk.toAbsolutePath(), "<durability>call</durability>" + PATIENT);
    logger.info("event");
    context.stop();
    assertThat(problems())
        .anyMatch(
            text ->
                text.contains("<spoolDirectory> " + onDisk.toAbsolutePath() + " is not on tmpfs")
                    && text.contains("log calls may wait for it, since <durability>"));
    Files.delete(onDisk);
  }
}
