package dev.forebay.tiered.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.tiered.Joran;
import dev.forebay.tiered.TieredAppender;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What somebody does who has changed back to another appender after a kill. */
@Tag("once")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a move that never ends
class SpoolMoveTest {

  private final Disk disk = new NioDisk();
  private final List<String> warnings = new ArrayList<>();
  @TempDir Path root;
  private Path base;
  private Path log;
  private Path file;

  @BeforeEach
  void makeDirectories() throws IOException {
    base = Files.createDirectory(root.toRealPath().resolve("shm"));
    log = Files.createDirectory(root.toRealPath().resolve("log")).resolve("app.log");
    file = root.toRealPath().resolve("recovered");
  }

  private SpoolDirectory directory() throws IOException {
    return SpoolDirectory.open(disk, base, LogIdentity.of(disk, log));
  }

  private Spool spoolOf(String... lines) throws IOException {
    Spool spool = directory().createSpool(new SpoolLimits(1 << 20, 1 << 16));
    for (String line : lines) {
      byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
      spool.writer().append(bytes, 0, bytes.length, 2);
    }
    spool.writer().flush();
    return spool;
  }

  private LogSpools found() throws IOException {
    List<LogSpools> logs = LogSpools.below(base);
    assertThat(logs).hasSize(1);
    return logs.get(0);
  }

  private long move() throws IOException {
    return new SpoolMove(found(), file, warnings::add).run().written();
  }

  @Test
  void linesThatReachedTheLogUncommittedAreNotWrittenAgain() throws Exception {
    ChildJvm.run(KilledShipper.class, base.toString(), log.toString());
    assertThat(log).hasContent("one\ntwo");

    assertThat(new SpoolMove(found(), file, warnings::add).run())
        .isEqualTo(new SpoolMove.Moved(0, 2));

    assertThat(log).hasContent("one\ntwo");
    assertThat(file).isEmptyFile();
    assertThat(base).isEmptyDirectory();
    assertThat(warnings).isEmpty();
  }

  @Test
  void nothingIsMovedWhileAnotherShips() throws IOException {
    spoolOf("one").close();
    SpoolLock held = directory().tryShipLock();
    assertThat(held).isNotNull();
    try (held) {
      assertThat(move()).isZero();
      assertThat(file).doesNotExist();
    }
    assertThat(move()).isEqualTo(1);
  }

  @Test
  void theSpoolOfALiveProcessIsNeitherMovedNorDiscarded() throws IOException {
    try (Spool live = spoolOf("one")) {
      assertThat(move()).isZero();
      assertThat(found().discard()).isZero();
      assertThat(live.isPathIntact()).isTrue();
    }
  }

  /** A process that dies after it appended two lines to its log, before it commits them. */
  static final class KilledShipper {

    private KilledShipper() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      Path log = Path.of(args[1]);
      TieredAppender appender = Joran.unstarted(context, "A", log, Path.of(args[0]));
      appender.setFsync("1 hour");
      appender.start();
      Logger logger = context.getLogger("test");
      logger.addAppender(appender);
      logger.warn("one");
      logger.warn("two");
      Await.until("in the log", () -> Files.exists(log) && Files.size(log) == 8);
      Runtime.getRuntime().halt(0);
    }
  }
}
