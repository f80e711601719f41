package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.SizeAndTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.helper.ArchiveRemover;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import ch.qos.logback.core.rolling.helper.RollingCalendar;
import ch.qos.logback.core.rolling.helper.SizeAndTimeBasedArchiveRemover;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Archives that are too old or too many are removed, and no others, whenever the log rolls. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RetentionTest extends LogRig {

  private static final String DAY = "app.2024-03-0%d.%d.log";
  private static final String OLD = "app.2024-02-20.0.log";

  /** Where the first clean-up waits inside a calendar. */
  private final Gate cleaning = new Gate();

  private final AtomicInteger cleanUps = new AtomicInteger();

  /** The threads that met another one in a calendar. */
  private final List<String> meetings = new CopyOnWriteArrayList<>();

  /** As Logback's, which is for one thread; notices two. */
  private final class WatchedCalendar extends RollingCalendar {
    private static final long serialVersionUID = 1;
    private final transient AtomicInteger inside = new AtomicInteger();

    WatchedCalendar() {
      super("yyyy-MM-dd");
    }

    @Override
    public Instant getEndOfNextNthPeriod(Instant now, int periods) {
      if (inside.incrementAndGet() > 1) {
        meetings.add(Thread.currentThread().getName());
      }
      try {
        if (periods < 0) { // which only a clean-up asks for
          cleaning.pass();
        }
        return super.getEndOfNextNthPeriod(now, periods);
      } finally {
        inside.decrementAndGet();
      }
    }
  }

  private final class WatchedNaming extends SizeAndTimeBasedFileNamingAndTriggeringPolicy<byte[]> {
    private final boolean isShared;
    private @Nullable ArchiveRemover only;

    WatchedNaming(boolean isShared) {
      this.isShared = isShared;
      setMaxFileSize(FileSize.valueOf("100"));
      setCurrentTime(NOW_MS);
    }

    @Override
    protected ArchiveRemover createArchiveRemover() {
      if (only == null || !isShared) {
        rc = new WatchedCalendar();
        FileNamePattern pattern = new FileNamePattern(dir + "/" + BY_SIZE, context);
        only =
            new SizeAndTimeBasedArchiveRemover(pattern, rc) {
              @Override
              public void clean(Instant now) {
                cleanUps.incrementAndGet();
                super.clean(now);
              }
            };
      }
      return only;
    }
  }

  private TimeBasedRollingPolicy<byte[]> watched(boolean isShared, boolean cleansOnStart) {
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent(file()), dir + "/" + BY_SIZE);
    policy.setTimeBasedFileNamingAndTriggeringPolicy(new WatchedNaming(isShared));
    policy.setMaxHistory(3);
    policy.setCleanHistoryOnStart(cleansOnStart);
    policy.start();
    return policy;
  }

  private RollingLog live(TimeBasedRollingPolicy<byte[]> policy) throws IOException {
    RollingLog log = new RollingLog(settings(disk, file(), true, policy, policy, "", "", true));
    log.open();
    log.begin();
    return log;
  }

  private void leaveOld() throws IOException {
    Files.writeString(dir.resolve(OLD), CONTENT);
  }

  private static List<String> archives(int ofFirstDay, int ofSecondDay) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < ofFirstDay; i++) {
      names.add(DAY.formatted(1, i));
    }
    for (int i = 0; i < ofSecondDay; i++) {
      names.add(DAY.formatted(2, i));
    }
    names.add("app.log");
    return names;
  }

  @Test
  void aCleanUpMeetsNeitherAnotherOneNorTheDateOfTheNextRoll() throws IOException {
    leaveOld();
    TimeBasedRollingPolicy<byte[]> policy = watched(false, false);
    RollingLog log = live(policy);
    fillAndRoll(log, 1);
    cleaning.awaitReached();
    fillAndRoll(log, 2);
    toDay(policy, 1);
    append(log, CONTENT);
    roll(log);
    fillAndRoll(log, 1);
    assertThat(meetings).as("while one is inside").isEmpty();
    cleaning.open();
    log.end();
    log.stop();

    assertThat(meetings).isEmpty();
    assertThat(cleanUps).as("five rolls in a row").hasValueBetween(2, 3);
    assertThat(names()).isEqualTo(archives(4, 1));
    assertThat(warnings).isEmpty();
  }

  @Test
  void aStartCleansUpOutsideThePolicysCalendar() throws IOException {
    leaveOld();
    cleaning.open();
    TimeBasedRollingPolicy<byte[]> policy = watched(false, true);
    RollingLog log = live(policy);
    fillAndRoll(log, 2);
    Files.move(path(), dir.resolve("moved"));
    log.close();
    log.open();
    log.begin();
    fillAndRoll(log, 1);
    log.end();
    log.stop();

    assertThat(meetings).isEmpty();
    // The new file has the machine's time.
    assertThat(names()).hasSize(5).doesNotContain(OLD).contains("moved", DAY.formatted(1, 1));
    assertThat(policy.isCleanHistoryOnStart()).isTrue();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aStopDoesNotWaitForeverForASlowDirectory() throws IOException {
    RollingLog log = live(watched(false, false));
    fillAndRoll(log, 1);
    cleaning.awaitReached();
    log.end();
    log.stop();
    cleaning.open();

    Await.until("the clean-up has ended", () -> cleanUps.get() == 1);
    assertThat(names()).isEqualTo(archives(1, 0));
  }

  /** Such a naming policy computes its dates in the calendar of its remover. */
  @Test
  void aRemoverThatOutlivesItsPolicysStartsIsWaitedFor() throws IOException {
    cleaning.open();
    RollingLog log = live(watched(true, true));
    fillAndRoll(log, 12);
    log.end();
    log.stop();

    assertThat(meetings).isEmpty();
    assertThat(cleanUps).hasValueGreaterThan(12);
    assertThat(names()).as("all of this day").hasSize(13);
    assertThat(warnings).isEmpty();
  }

  @Test
  void whatIsDueForRemovalAtAStartIsRemovedOnceItIsPacked() throws IOException {
    Files.writeString(path(), CONTENT);
    Files.setLastModifiedTime(path(), FileTime.fromMillis(NOW_MS - 10 * DAY_MS));
    TimeBasedRollingPolicy<byte[]> policy =
        unstarted(parent(file()), dir + "/app.%d{yyyy-MM-dd}.log.gz");
    unlimited(policy, NOW_MS);
    policy.setMaxHistory(3);
    policy.start();
    Gate packing = new Gate();
    disk.affecting(path -> path.toString().endsWith(".kept.out"))
        .before(Op.FORCE, 1, packing::pass);
    RollingLog log = live(policy);
    roll(log);
    packing.awaitReached();
    packing.open();
    log.end();
    log.stop();

    assertThat(names()).containsExactly("app.log");
    assertThat(warnings).isEmpty();
  }

  /** The lines of an archive that could not be packed take its room. */
  @Test
  void whatCannotBePackedIsRemovedWithItsArchive() throws IOException {
    Path archive = dir.resolve("app.2024-02-20.0.log.gz");
    Path kept = leaveKept("app.2024-02-20.0.log.gz");
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent(file()), dir + "/" + BY_SIZE + ".gz");
    limit(policy, "100", NOW_MS);
    policy.setMaxHistory(3);
    policy.start();
    disk.affecting(path -> path.toString().endsWith(".kept.out"))
        .failFrom(Op.FORCE, 1, () -> new IOException("No space left on device"));
    RollingLog log = started(rolling(policy));
    assertThat(archive).exists();
    fillAndRoll(log, 1);
    String rolled = DAY.formatted(1, 0); // its other name is this one in 1.6.6, before a .tmp
    Await.until(
        "the policy has compressed",
        () ->
            names().contains(rolled + ".gz")
                && names().stream().noneMatch(n -> n.equals(rolled) || n.endsWith(".tmp")));
    log.archive();
    disk.heal();
    log.archive();
    stop(log);

    assertThat(kept).doesNotExist();
    assertThat(archive).doesNotExist();
    assertThat(Files.readString(path(), UTF_8)).isEmpty();
    assertThat(warnings).singleElement().asString().contains("No space left on device");
  }

  /** As one that is made from a description. */
  @Test
  void aPolicyThatNobodyHasStartedCleansUpAtItsFirstStartToo() throws IOException {
    leaveOld();
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent(file()), dir + "/" + BY_SIZE);
    limit(policy, "100", NOW_MS);
    policy.setMaxHistory(3);
    policy.setCleanHistoryOnStart(true);
    RollingLog log = started(rolling(policy));
    stop(log);

    assertThat(names()).containsExactly("app.log");
    assertThat(policy.isCleanHistoryOnStart()).isTrue();
    assertThat(warnings).isEmpty();
  }
}
