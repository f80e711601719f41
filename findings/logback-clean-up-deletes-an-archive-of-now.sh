#!/usr/bin/env bash
# Logback 1.5.38 hands one mutable calendar to the trigger that computes the next roll and to the clean-up that runs
# beside it. Where they meet, the clean-up deletes the archive of the current period, whatever maxHistory is.
#
# A guess would be that the clean-up, which a pool's thread runs after each roll, computes with a calendar of its own.
# This shows that the two are one object (1.6.6: the same), then, in lock-step, what a clean-up with a maxHistory of 60
# minutes deletes where the trigger sets the time between the clean-up's addition and its reading: of 62 archives that
# of this minute, not 10-59. By chance they meet where files roll several times within milliseconds.
#
# Seen on 2026-11-28 with JDK 17.0.15: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >pom.xml <<'END'
<project>
 <modelVersion>4.0.0</modelVersion><groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.5.38</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.rolling.*;
import ch.qos.logback.core.rolling.helper.*;
import java.lang.reflect.Field;
import java.nio.file.*;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

public class Main {
  static final String MINUTES = "yyyy-MM-dd_HH-mm";
  static final Path DIRECTORY = Path.of("logs").toAbsolutePath();
  static final Instant NOW = Instant.parse("2026-11-28T12:00:30Z");

  public static void main(String[] args) throws Exception {
    ContextBase context = new ContextBase();
    TimeBasedRollingPolicy<Object> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setFileNamePattern(DIRECTORY + "/other.%d{" + MINUTES + "}.log");
    policy.setMaxHistory(60);
    policy.setParent(new RollingFileAppender<>());
    policy.start();
    Object trigger = policy.getTimeBasedFileNamingAndTriggeringPolicy();
    Object remover = policy.getTimeBasedFileNamingAndTriggeringPolicy().getArchiveRemover();
    System.out.println("trigger and clean-up have the same calendar: "
        + (get(TimeBasedFileNamingAndTriggeringPolicyBase.class, trigger)
            == get(TimeBasedArchiveRemover.class, remover)));

    FileNamePattern pattern = new FileNamePattern(DIRECTORY + "/app.%d{" + MINUTES + "}.log", context);
    Files.createDirectories(DIRECTORY);
    for (int minutes = 0; minutes <= 61; minutes++) {
      Files.createFile(Path.of(pattern.convert(NOW.minusSeconds(60 * minutes))));
    }
    String[] before = DIRECTORY.toFile().list();
    Shared calendar = new Shared();
    TimeBasedArchiveRemover cleanUp = new TimeBasedArchiveRemover(pattern, calendar);
    cleanUp.setContext(context);
    cleanUp.setMaxHistory(60);
    Thread pool = new Thread(() -> cleanUp.clean(NOW), "clean-up");
    calendar.meeting = pool;
    pool.start();
    calendar.cleanUpHasAdded.await();
    calendar.getNextTriggeringDate(NOW); // as a log call's look at the trigger would
    pool.join();
    Arrays.stream(before)
        .filter(name -> !Files.exists(DIRECTORY.resolve(name)))
        .sorted()
        .forEach(name -> System.out.println("deleted: " + name.replaceAll(".*_", "")));
    System.out.println("now: " + pattern.convert(NOW).replaceAll(".*_", ""));
  }

  static Object get(Class<?> type, Object object) throws Exception {
    Field calendar = type.getDeclaredField("rc");
    calendar.setAccessible(true);
    return calendar.get(object);
  }

  /** The clean-up's first addition and the trigger's meet; the rest goes by itself. */
  static final class Shared extends RollingCalendar {
    final CountDownLatch cleanUpHasAdded = new CountDownLatch(1);
    final CountDownLatch triggerHasSet = new CountDownLatch(1);
    final CountDownLatch cleanUpIsDone = new CountDownLatch(1);
    Thread meeting;

    Shared() {
      super(MINUTES);
    }

    @Override
    public void add(int field, int amount) {
      if (Thread.currentThread() != meeting) {
        triggerHasSet.countDown(); // the time is set, nothing is added yet
        await(cleanUpIsDone);
        super.add(field, amount);
        return;
      }
      super.add(field, amount);
      if (amount < 0 && cleanUpHasAdded.getCount() > 0) {
        cleanUpHasAdded.countDown();
        await(triggerHasSet);
        new Thread(() -> { // lets the trigger go on once the clean-up is over
          try {
            meeting.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          cleanUpIsDone.countDown();
        }).start();
      }
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
trigger and clean-up have the same calendar: true
deleted: 12-00.log
now: 12-00.log
END
