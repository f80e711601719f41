package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MarkerFactory;

/** What is in files when a log call of a {@code durability} returns. */
class CallDurabilityTest {
  private static final String CALL =
      "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>";

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("test");
  private final Disk real = NioDisk.current();
  private Path shm;

  @BeforeEach
  void makeSpoolDirectory() throws IOException {
    shm = Files.createTempDirectory(Path.of("/dev/shm"), "durability-");
  }

  @AfterEach
  void stop() throws IOException {
    NioDisk.replaceWith(real);
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

  private List<String> linesAfterStop() throws IOException {
    context.stop();
    return Files.readAllLines(directory.resolve("app.log"));
  }

  /** Through several segments, with records that do not fit into the rest of one. */
  @ParameterizedTest
  @CsvSource({
    "2000, ''",
    "500, <flightRecorder><size>1MB</size></flightRecorder>",
    "50, <callerEncoding>false</callerEncoding>"
  })
  void whatACallHasLoggedIsInAFile(int calls, String more) throws Exception {
    TieredAppender appender = configure(CALL + more);
    List<String> expected = new ArrayList<>();

    for (int i = 0; i < calls; i++) {
      String text = "event " + i + "." + "x".repeat(i % 10 == 9 ? 6_000 + 10 * i : i % 300);
      logger.info(text);
      expected.add(text);
      if (i % 100 == 0 || i > calls - 50) {
        assertThat(isInAFile(text + "\n")).as(text).isTrue();
      }
    }

    assertThat(appender.snapshot().unconfirmed()).isZero();
    assertThat(linesAfterStop()).isEqualTo(expected);
    assertThat(Joran.problems(context)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "marker:AUDIT"})
  void anEventThatIsAskedForIsInAFileWithAllBeforeIt(String durability) throws Exception {
    TieredAppender appender = configure(CALL.replace("call", durability));

    logger.info("before");
    logger.error(MarkerFactory.getMarker("AUDIT"), "event");

    assertThat(isInAFile("before\n")).isTrue();
    assertThat(isInAFile("event\n")).isTrue();
    assertThat(appender.snapshot().unconfirmed()).isZero();
    assertThat(linesAfterStop()).containsExactly("before", "event");
  }

  private record Operation(Thread thread, Class<?> of, String name, List<Object> arguments) {}

  @FunctionalInterface
  private interface Fault {
    void before(Operation operation) throws IOException;
  }

  private static <T> T recording(Class<T> type, T target, List<Operation> to) {
    return recording(type, target, to, operation -> {});
  }

  private static <T> T recording(Class<T> type, T target, List<Operation> to, Fault fault) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              List<Object> given = arguments == null ? List.of() : List.of(arguments);
              Operation operation =
                  new Operation(Thread.currentThread(), type, method.getName(), given);
              to.add(operation);
              fault.before(operation);
              try {
                Object answer = method.invoke(target, arguments);
                return answer instanceof DiskFile file
                    ? recording(DiskFile.class, file, to, fault)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** A log call never waits for a disk, so it makes no room in a spool on one. */
  @Test
  void aCallThatIsNotDurableWritesToNoSpoolOnADisk() throws Exception {
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    Path onDisk = Files.createTempDirectory(target, "no-turns-");
    List<Operation> operations = new CopyOnWriteArrayList<>();
    NioDisk.replaceWith(recording(Disk.class, real, operations));
    configure(onDisk, "<ringBufferSize>16</ringBufferSize>");

    for (int i = 0; i < 2000; i++) {
      logger.warn("event {}.", i);
    }
    context.stop();

    assertThat(operations)
        .filteredOn(operation -> operation.name().equals("write"))
        .isNotEmpty()
        .noneMatch(write -> write.thread() == Thread.currentThread());
    FileTree.delete(onDisk);
  }

  /**
   * Opening the next segment, looking after the spool and the like may wait; a write may not. It
   * goes to a file that no interrupt closes.
   */
  @Test
  void aCallDoesNothingInTheFileSystemButWrite() throws Exception {
    List<Operation> operations = new CopyOnWriteArrayList<>();
    NioDisk.replaceWith(recording(Disk.class, real, operations));
    configure(CALL);
    operations.clear();

    for (int i = 0; i < 500; i++) { // more than the rest of many segments
      logger.info("x".repeat(3000));
    }

    assertThat(operations)
        .filteredOn(operation -> operation.thread() == Thread.currentThread())
        .isNotEmpty()
        .noneMatch(operation -> operation.of() == Disk.class);
    assertThat(operations)
        .filteredOn(operation -> operation.name().equals("open"))
        .filteredOn(open -> open.arguments().get(0).toString().endsWith(".seg"))
        .extracting(open -> open.arguments().get(1))
        .contains(Disk.Mode.UPDATE_BY_CALLS)
        .containsOnly(Disk.Mode.UPDATE_BY_CALLS, Disk.Mode.READ);
  }

  /** Nor while writes are refused: the next segment is opened by the flusher. */
  @Test
  void aCallWhoseWriteIsRefusedLeavesTheRestToTheFlusher() throws Exception {
    List<Operation> operations = new CopyOnWriteArrayList<>();
    Thread caller = Thread.currentThread();
    AtomicBoolean isRefused = new AtomicBoolean();
    Disk refusing =
        recording(
            Disk.class,
            real,
            operations,
            operation -> {
              if (isRefused.get() && isWrite(operation)) {
                throw new IOException("No space left on device");
              }
            });
    NioDisk.replaceWith(refusing);
    configure("<durability>call</durability><durabilityTimeout>20 ms</durabilityTimeout>");
    int next = 0;
    while (operations.stream().noneMatch(each -> each.thread() == caller && isWrite(each))) {
      logger.info("event " + next++); // the first call may end before the spool is open
    }
    operations.clear();
    isRefused.set(true);
    for (int refused = 0; refused < 9; refused++) {
      logger.info("event " + next++);
    }
    isRefused.set(false);

    assertThat(operations)
        .filteredOn(operation -> operation.thread() == caller)
        .isNotEmpty()
        .noneMatch(operation -> operation.of() == Disk.class);
    assertThat(linesAfterStop())
        .containsExactlyElementsOf(IntStream.range(0, next).mapToObj(i -> "event " + i).toList());
  }

  private static boolean isWrite(Operation operation) {
    return operation.of() == DiskFile.class && operation.name().equals("write");
  }

  @Test
  void aSpoolInTheHeapConfirmsNothing() throws Exception {
    TieredAppender appender = configure(directory.resolve("missing"), CALL);

    logger.info("event");

    assertThat(appender.snapshot().unconfirmed()).isOne();
    assertThat(appender.snapshot().toString()).endsWith("; unconfirmed 1");
    ObjectName bean = Beans.await("tiered", "FILE");
    assertThat(Beans.account(bean)).containsEntry("unconfirmed", 1L);
    assertThat(linesAfterStop()).containsExactly("event");
    assertThat(Joran.problems(context))
        .anyMatch(text -> text.contains("in up to"))
        .anyMatch(text -> text.contains("before their events are in the spool, 1 so far"));
  }
}
